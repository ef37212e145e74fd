import CLeapVulkan

/// Commands for a Vulkan device.
final class VulkanCommands: GPUCommands {
    private let handle: OpaquePointer
    private let device: VulkanDevice
    private var isSubmitted = false
    /// True from a submission on until it was waited for.
    private var isInProgress = false
    /// The objects that the commands use, which live as long as they do.
    private var used: [AnyObject] = []
    private(set) var seconds: Double?

    init(_ device: VulkanDevice, _ handle: OpaquePointer) {
        self.device = device
        self.handle = handle
    }

    deinit {
        if isInProgress { device.times.leave() }
        leap_vulkan_recording_destroy(handle)
    }

    func dispatch(
        _ pipeline: any GPUPipeline, _ bindings: [GPUBinding], constants: [UInt32], groups: (x: Int, y: Int, z: Int)
    ) throws(GPUError) {
        try checkIsOpen()
        let kernel = pipeline.kernel
        guard let pipeline = pipeline as? VulkanPipeline, pipeline.device === device else {
            throw .invalid("\(kernel.entry) was compiled for another device")
        }
        try device.properties.check(kernel, bindings, constantCount: constants.count, groups: groups)
        var parts: [leap_vulkan_binding] = []
        for binding in bindings { parts.append(try part(binding, of: kernel)) }
        try VulkanResult.check(
            leap_vulkan_recording_dispatch(
                handle, pipeline.handle, parts, constants, UInt32(groups.x), UInt32(groups.y), UInt32(groups.z)),
            "adding \(kernel.entry)")
        used.append(pipeline)
        used += bindings.map(\.buffer)
    }

    func barrier() throws(GPUError) {
        try checkIsOpen()
        leap_vulkan_recording_barrier(handle)
    }

    func submit() throws(GPUError) {
        if isInProgress { throw .invalid("commands are submitted again before they were waited for") }
        isSubmitted = true
        let result = leap_vulkan_recording_submit(handle)
        guard result == 0 else { throw device.failure(result, "submitting commands") }
        isInProgress = true
        device.times.submit()
    }

    func wait(seconds: Double) throws(GPUError) {
        guard isSubmitted else { throw .invalid("commands are waited for before they are submitted") }
        guard isInProgress else { return }
        var result = leap_vulkan_recording_wait(handle, 0)
        // When commands ended that nobody waited for is not known.
        let isWaitedFor = result == LEAP_VULKAN_TIMEOUT
        if isWaitedFor {
            result = leap_vulkan_recording_wait(handle, UInt64(max(0, min(seconds, 1e9)) * 1e9))
        }
        if result == LEAP_VULKAN_TIMEOUT { throw .timedOut(seconds: seconds) }
        guard result == 0 else { throw device.failure(result, "waiting for commands") }
        isInProgress = false
        self.seconds = device.times.finish(isWaitedFor: isWaitedFor)
    }

    private func checkIsOpen() throws(GPUError) {
        if isSubmitted { throw .invalid("commands cannot be added after their submission") }
    }

    /// A binding as the driver takes it.
    private func part(_ binding: GPUBinding, of kernel: GPUKernel) throws(GPUError) -> leap_vulkan_binding {
        guard let buffer = binding.buffer as? VulkanBuffer, buffer.device === device else {
            throw .invalid("a buffer of another device is given to \(kernel.entry)")
        }
        let range = binding.range
        return leap_vulkan_binding(
            buffer: buffer.handle, offset: UInt64(range.lowerBound), byte_count: UInt64(range.count))
    }
}
