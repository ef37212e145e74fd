import CLeapVulkan
import LeapModel
import Testing

@testable import LeapGPU

/// The messages about what a driver lacks.
struct ObstacleTests {
    /// Returns the properties of a card as its driver reports them.
    static func info() -> leap_vulkan_device_info {
        var info = leap_vulkan_device_info()
        info.kind = 2
        info.api_version = 1 << 22 | 3 << 12
        info.device_memory = 8 << 30
        info.storage_buffer_bytes = 1 << 32 - 1
        info.allocation_bytes = 1 << 32
        info.storage_buffer_alignment = 64
        info.constant_bytes = 128
        info.shared_bytes = 32768
        info.group_size = 1024
        info.group_counts = (65535, 65535, 65535)
        info.subgroup_size = 32
        (info.has_shuffle, info.has_storage16, info.has_compute_queue) = (1, 1, 1)
        return info
    }

    /// The properties that fall short of the kernels' needs, with the messages about them.
    private static func changes() -> [(
        field: WritableKeyPath<leap_vulkan_device_info, UInt32>, value: UInt32, told: String
    )] {
        [
            (\.api_version, 1 << 22 | 1 << 12, "its driver is older than Vulkan 1.2"),
            (\.has_compute_queue, 0, "it has no compute queue"),
            (\.has_storage16, 0, "its driver has no 16-bit storage"),
            (\.has_shuffle, 0, "its driver has no subgroup shuffles"),
            (\.subgroup_size, 0, "its subgroups have 0 invocations"),
            (\.subgroup_size, 48, "its subgroups have 48 invocations"),
            (\.group_size, 64, "its workgroups have at most 64 invocations"),
            (\.shared_bytes, 8192, "its workgroups share 8192 bytes"),
            (\.constant_bytes, 64, "its kernels take 64 bytes of constants"),
        ]
    }

    @Test("Each thing that a driver lacks is told; one that lacks nothing is used, with subgroups of any power of two")
    func lacks() {
        for size: UInt32 in [1, 4, 8, 16, 32, 64, 128] {
            var info = Self.info()
            info.subgroup_size = size
            let properties = GPUProperties(info, kernels: KernelFile.vulkan)
            #expect(properties.obstacle == nil && properties.subgroupSize == Int(size))
        }
        for change in Self.changes() {
            var info = Self.info()
            info[keyPath: change.field] = change.value
            let properties = GPUProperties(info, kernels: KernelFile.vulkan)
            #expect(properties.obstacle == change.told)
            #expect(GPUSurvey([properties], choice: nil).remark(0) == "not used: \(change.told)")
        }
    }

    @Test("Delta nets in both orders of value heads are computed; those whose projections are joined stay with the CPU")
    func joinedProjections() throws {
        for name in ["qwen35moe", "qwen3next"] {
            let blocks = try SplitRunner.fixture(name).layers.stack.layers.compactMap {
                if case .deltaNet(let block)? = $0.mixer { block } else { nil }
            }
            #expect(blocks.count == 3)
            for var block in blocks {
                #expect(GPURecurrence.obstacle(block) == nil)
                block.gate = nil
                #expect(GPURecurrence.obstacle(block) == "its projections to values and gates are joined")
            }
        }
    }

    @Test("A device shares the host's memory by its type; a renderer in software has no watchdog")
    func kinds() {
        for (number, kind, isUnified): (UInt32, GPUProperties.Kind, Bool) in [
            (0, .other, false), (1, .integrated, true), (2, .discrete, false), (3, .virtual, false),
            (4, .processor, true),
        ] {
            var info = Self.info()
            info.kind = number
            let properties = GPUProperties(info, kernels: KernelFile.vulkan)
            #expect(properties.kind == kind && properties.isUnified == isUnified)
            #expect((properties.submissionSeconds == nil) == (kind == .processor))
        }
    }

    @Test("Matrix units are used with subgroups of 32, which RDNA's are compiled for though 64 are usual there")
    func matrixUnits() {
        for (size, isUsed): (UInt32, Bool) in [(8, false), (32, true), (64, false)] {
            var info = Self.info()
            (info.subgroup_size, info.has_matrix_units, info.shared_bytes) = (size, 1, 65536)
            #expect(GPUProperties(info, kernels: KernelFile.vulkan).hasMatrixUnits == isUsed)
        }
    }

    @Test("A driver is told with its version, which kept state is named by")
    func driver() {
        func driver(_ name: String, _ version: String) -> String {
            var info = Self.info()
            withUnsafeMutableBytes(of: &info.driver) { $0.copyBytes(from: name.utf8) }
            withUnsafeMutableBytes(of: &info.driver_version) { $0.copyBytes(from: version.utf8) }
            return GPUProperties(info, kernels: KernelFile.vulkan).driver
        }
        #expect(driver("radv", "Mesa 24.1") == "radv Mesa 24.1")
        #expect(driver("radv", "") == "radv" && driver("", "").isEmpty)
    }

    @Test("Numbers of any size that a driver says become limits")
    func limits() {
        var info = Self.info()
        info.storage_buffer_bytes = .max
        info.allocation_bytes = .max
        info.device_memory = .max
        info.storage_buffer_alignment = 0
        info.host_memory_alignment = 0
        info.kind = 99
        let properties = GPUProperties(info, kernels: KernelFile.vulkan)
        #expect(properties.bindingByteCount == .max && properties.bufferByteCount == .max)
        #expect(properties.memoryByteCount == .max && properties.bindingAlignment == 1)
        #expect(properties.hostMemoryAlignment == nil && properties.kind == .other && properties.name.isEmpty)
    }
}
