import CLeapVulkan
import Dispatch

/// A device of a Vulkan driver.
package final class VulkanDevice: GPUDevice {
    package let properties: GPUProperties
    let handle: OpaquePointer
    private let instance: VulkanInstance
    /// The time in which its commands ran.
    var times = VulkanTimes()
    /// Kernels that were compiled and not asked for yet.
    private var prepared: [GPUKernel: OpaquePointer] = [:]

    /// Opens a device of an instance.
    ///
    /// - Parameter hidesOwnMemory: whether the host is to see no memory of the device's own, even where it could.
    /// - Throws: ``GPUError/noDevice(index:count:)``, ``GPUError/unusable(device:reason:)``, or what the driver says.
    package init(_ instance: VulkanInstance, index: Int = 0, hidesOwnMemory: Bool = false) throws(GPUError) {
        guard instance.devices.indices.contains(index) else {
            throw .noDevice(index: index, count: instance.devices.count)
        }
        properties = instance.devices[index]
        if let obstacle = properties.obstacle { throw .unusable(device: properties.name, reason: obstacle) }
        var made: OpaquePointer?
        try VulkanResult.check(
            leap_vulkan_device_create(instance.handle, Int32(index), hidesOwnMemory ? 1 : 0, &made),
            "opening \(properties.name)")
        guard let made else { throw .lost }
        handle = made
        self.instance = instance
    }

    deinit {
        for pipeline in prepared.values { leap_vulkan_pipeline_destroy(pipeline) }
        leap_vulkan_device_destroy(handle)
    }

    package func makeBuffer(byteCount: Int, _ memory: GPUMemory) throws(GPUError) -> any GPUBuffer {
        guard byteCount > 0, byteCount <= properties.bufferByteCount else {
            throw .invalid("a buffer of \(byteCount) bytes: 1 to \(properties.bufferByteCount) are possible")
        }
        var made: OpaquePointer?
        try VulkanResult.check(
            leap_vulkan_buffer_create(handle, UInt64(byteCount), Self.number(memory), &made), "making a buffer",
            byteCount: byteCount)
        guard let made else { throw .lost }
        return VulkanBuffer(self, made, byteCount: byteCount)
    }

    private static func number(_ memory: GPUMemory) -> UInt32 {
        switch memory {
        case .shared: UInt32(LEAP_VULKAN_MEMORY_SHARED)
        case .results: UInt32(LEAP_VULKAN_MEMORY_RESULTS)
        case .own: UInt32(LEAP_VULKAN_MEMORY_OWN)
        }
    }

    package func makeBuffer(
        over memory: UnsafeMutableRawBufferPointer, owner: AnyObject?
    ) throws(GPUError) -> any GPUBuffer {
        guard let alignment = properties.hostMemoryAlignment else {
            throw .invalid("\(properties.name) cannot read the host's memory; create a buffer and copy")
        }
        guard let start = memory.baseAddress, !memory.isEmpty, memory.count % alignment == 0,
            UInt(bitPattern: start) % UInt(alignment) == 0
        else { throw .invalid("memory for the GPU starts and ends at multiples of \(alignment) bytes") }
        var made: OpaquePointer?
        try VulkanResult.check(
            leap_vulkan_buffer_import(handle, start, UInt64(memory.count), &made), "importing memory",
            byteCount: memory.count)
        guard let made else { throw .lost }
        return VulkanBuffer(self, made, byteCount: memory.count, owner: owner)
    }

    /// Compiles several kernels at a time; one that fails is compiled again when it is asked for, and then says why.
    package func prepare(_ kernels: [GPUKernel]) {
        let missing = kernels.filter { prepared[$0] == nil }
        let handles = UnsafeMutableBufferPointer<OpaquePointer?>.allocate(capacity: missing.count)
        handles.initialize(repeating: nil)
        defer { handles.deallocate() }
        guard let file = try? instance.kernels.get() else { return }
        // A device compiles on any thread, and each writes a handle of its own.
        nonisolated(unsafe) let (device, targets) = (handle, handles)
        let subgroup = properties.subgroupSize
        DispatchQueue.concurrentPerform(iterations: missing.count) { index in
            targets[index] = try? Self.compile(missing[index], file, device, subgroupSize: subgroup)
        }
        for (kernel, made) in zip(missing, handles) { prepared[kernel] = made }
    }

    package func makePipeline(_ kernel: GPUKernel) throws(GPUError) -> any GPUPipeline {
        if let made = prepared.removeValue(forKey: kernel) { return VulkanPipeline(self, made, kernel) }
        let made = try Self.compile(kernel, try instance.kernels.get(), handle, subgroupSize: properties.subgroupSize)
        return VulkanPipeline(self, made, kernel)
    }

    /// The driver lets several threads compile for one device.
    private static func compile(
        _ kernel: GPUKernel, _ file: KernelFile, _ device: OpaquePointer, subgroupSize: Int
    ) throws(GPUError) -> OpaquePointer {
        guard let code = file.codes.first(where: { $0.name == kernel.module }) else {
            throw .compilation(kernel: kernel.entry, result: 0)
        }
        let words = try file.words(of: code)
        var made: OpaquePointer?
        let result = words.withUnsafeBytes {
            leap_vulkan_pipeline_create(
                device, words, $0.count, kernel.entry, Int32(kernel.bufferCount), Int32(kernel.constantCount * 4),
                UInt32(subgroupSize), &made)
        }
        guard result == 0, let made else { throw .compilation(kernel: kernel.entry, result: result) }
        return made
    }

    /// The reason why commands failed: a loss while they ran for long is a watchdog's.
    func failure(_ result: Int32, _ operation: String) -> GPUError {
        do {
            try VulkanResult.check(result, operation)
        } catch {
            return error == .lost && properties.submissionSeconds != nil && times.isLong ? .reset : error
        }
        return .driver(operation: operation, result: result)
    }

    package func makeCommands() throws(GPUError) -> any GPUCommands {
        var made: OpaquePointer?
        try VulkanResult.check(leap_vulkan_recording_create(handle, &made), "creating a command buffer")
        guard let made else { throw .lost }
        return VulkanCommands(self, made)
    }
}

/// Memory of a Vulkan device.
final class VulkanBuffer: GPUBuffer {
    let handle: OpaquePointer
    let byteCount: Int
    let contents: UnsafeMutableRawBufferPointer
    let device: VulkanDevice
    /// The owner of the host's memory that the buffer lies in; nil where others keep that.
    private let owner: AnyObject?

    init(_ device: VulkanDevice, _ handle: OpaquePointer, byteCount: Int, owner: AnyObject? = nil) {
        self.device = device
        self.owner = owner
        self.handle = handle
        self.byteCount = byteCount
        let seen = leap_vulkan_buffer_contents(handle)
        contents = UnsafeMutableRawBufferPointer(start: seen, count: seen == nil ? 0 : byteCount)
    }

    func write(_ source: UnsafeRawBufferPointer, at offset: Int) throws(GPUError) {
        guard let start = source.baseAddress, offset >= 0, source.count <= byteCount - offset else {
            throw .invalid("\(source.count) bytes are written at byte \(offset) of \(byteCount)")
        }
        if let target = contents.baseAddress {
            (target + offset).copyMemory(from: start, byteCount: source.count)
        } else {
            try VulkanResult.check(
                leap_vulkan_buffer_write(handle, UInt64(offset), start, UInt64(source.count)), "copying to the GPU")
        }
    }

    deinit { leap_vulkan_buffer_destroy(handle) }
}

/// A kernel, compiled for a Vulkan device.
final class VulkanPipeline: GPUPipeline {
    let handle: OpaquePointer
    let kernel: GPUKernel
    let device: VulkanDevice

    init(_ device: VulkanDevice, _ handle: OpaquePointer, _ kernel: GPUKernel) {
        self.device = device
        self.handle = handle
        self.kernel = kernel
    }

    deinit { leap_vulkan_pipeline_destroy(handle) }
}
