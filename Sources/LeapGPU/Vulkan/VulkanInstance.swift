import CLeapVulkan
import LeapBase

/// The Vulkan loader, opened, and the devices of its drivers.
package final class VulkanInstance {
    let handle: OpaquePointer
    /// All devices, those that cannot be used included.
    package let devices: [GPUProperties]
    let kernels: Result<KernelFile, GPUError>

    /// Opens the loader.
    ///
    /// - Throws: ``GPUError/noLoader``, or ``GPUError/noDriver`` where no driver is installed.
    /// - Parameter kernels: the kernels that its devices are to run.
    package init(kernels: Result<KernelFile, GPUError> = KernelFile.vulkan) throws(GPUError) {
        var made: OpaquePointer?
        let result = leap_vulkan_instance_create(&made)
        if result == VulkanResult.noDriver { throw .noDriver }
        try VulkanResult.check(result, "opening Vulkan")
        guard let made else { throw .noLoader }
        handle = made
        self.kernels = kernels
        devices = (0..<Int(leap_vulkan_device_count(made))).map { index in
            var info = leap_vulkan_device_info()
            leap_vulkan_device_describe(made, Int32(index), &info)
            return GPUProperties(info, kernels: kernels)
        }
    }

    deinit { leap_vulkan_instance_destroy(handle) }
}

extension GPUProperties {
    init(_ info: leap_vulkan_device_info, kernels: Result<KernelFile, GPUError>) {
        func text<T>(_ characters: T) -> String {
            withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        name = text(info.name)
        // Another version may compute other bits: it is part of what kept state is named by.
        driver = [text(info.driver), text(info.driver_version)].filter { !$0.isEmpty }.joined(separator: " ")
        let kinds: [UInt32: Kind] = [1: .integrated, 2: .discrete, 3: .virtual, 4: .processor]
        kind = kinds[info.kind] ?? .other
        memoryByteCount = Int(clamping: info.device_memory)
        // Not by its heaps: drivers of integrated GPUs list one of the device and one of the host.
        isUnified = kind == .integrated || kind == .processor
        bindingByteCount = Int(clamping: info.storage_buffer_bytes)
        bufferByteCount = Int(clamping: info.allocation_bytes)
        bindingAlignment = max(1, Int(info.storage_buffer_alignment))
        hostMemoryAlignment = info.host_memory_alignment > 0 ? Int(info.host_memory_alignment) : nil
        groupCounts = [info.group_counts.0, info.group_counts.1, info.group_counts.2].map(Int.init)
        subgroupSize = info.has_shuffle != 0 ? Int(info.subgroup_size) : 1
        // The kernel needs subgroups of 32, workgroups of 256 and 48 KiB that they share.
        hasMatrixUnits =
            info.has_matrix_units != 0 && info.subgroup_size == 32 && info.group_size >= 256
            && info.shared_bytes >= 49_152
        repeatsCommands = true
        (patience, submissionSeconds) = (kind.patience, kind.submissionSeconds)
        obstacle = Self.obstacle(info) ?? kernels.failure?.message
    }

    /// The first need of the kernels that the device does not meet; nil if it meets all.
    private static func obstacle(_ info: leap_vulkan_device_info) -> String? {
        let needed: [(Bool, String)] = [
            (info.api_version >= 1 << 22 | 2 << 12, "its driver is older than Vulkan 1.2"),
            (info.has_compute_queue != 0, "it has no compute queue"),
            (info.has_storage16 != 0, "its driver has no 16-bit storage"),
            (info.has_shuffle != 0, "its driver has no subgroup shuffles"),
            (info.subgroup_size.nonzeroBitCount == 1, "its subgroups have \(info.subgroup_size) invocations"),
            (info.group_size >= 128, "its workgroups have at most \(info.group_size) invocations"),
            (info.shared_bytes >= 16384, "its workgroups share \(info.shared_bytes) bytes"),
            (info.constant_bytes >= 128, "its kernels take \(info.constant_bytes) bytes of constants"),
        ]
        return needed.first { !$0.0 }?.1
    }
}
