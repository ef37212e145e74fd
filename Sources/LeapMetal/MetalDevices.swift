#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
    import Foundation
    package import LeapGPU
    package import Metal

    /// The devices that Metal has, and the one to compute with.
    package enum MetalDevices {
        /// All devices, those that cannot be used included.
        package static var all: [any MTLDevice] {
            #if canImport(UIKit)
                // One in all these systems, and no list before iOS 18.
                MTLCreateSystemDefaultDevice().map { [$0] } ?? []
            #else
                MTLCopyAllDevices()
            #endif
        }

        /// The same, and what becomes of each; none are opened.
        package static var properties: [GPUProperties] { all.map { GPUProperties($0) } }

        /// Opens a device, as ``GPUDevices/open(_:)`` does.
        package static func open(_ choice: String?) throws(GPUError) -> any GPUDevice {
            let devices = all, properties = devices.map { GPUProperties($0) }
            let index = try GPUDevices.index(of: choice ?? GPUDevices.environmentChoice, in: properties)
            var folder: String?
            if #available(iOS 18, *) { folder = MetalKernelArchive.folder }
            return try MetalDevice(devices[index], kernelFolder: folder)
        }
    }

    extension GPUProperties {
        /// Bytes that a kernel reaches with an index of 32 bits, whole pages of any system.
        private static let reachableByteCount = Int(UInt32.max) & ~0xffff

        /// - Parameter kernels: the kernels that the device is to run.
        init(_ device: any MTLDevice, kernels: Result<KernelFile, GPUError> = MetalKernelText.file) {
            let system = ProcessInfo.processInfo.operatingSystemVersionString
            let byteCount = min(device.maxBufferLength, Self.reachableByteCount)
            let obstacle = Self.obstacle(device)
            self.init(
                name: device.name, driver: "Metal, \(system), \(MetalKernelText.identity)",
                kind: device.hasUnifiedMemory ? .integrated : .discrete,
                memoryByteCount: Int(clamping: device.recommendedMaxWorkingSetSize),
                isUnified: device.hasUnifiedMemory, bindingByteCount: byteCount, bufferByteCount: byteCount,
                bindingAlignment: 16, hostMemoryAlignment: Int(getpagesize()),
                // A position in the grid has 32 bits, and workgroups up to 128 threads in a row.
                groupCounts: [1 << 24, 65535, 65535], subgroupSize: MetalCompiler.subgroupSize,
                obstacle: obstacle ?? kernels.failure?.message)
        }

        /// The first need of the kernels that the device does not meet; nil if it meets all.
        private static func obstacle(_ device: any MTLDevice) -> String? {
            // tvOS, watchOS and visionOS; Linux has a stub.
            #if !os(macOS) && !os(iOS) && !os(Linux)
                return "GPUs are used on macOS and iOS; on this system the processor computes"
            #else
                return device.supportsFamily(.apple6)
                    ? nil : "its family is older than Apple6 (A13, M1) and has no shuffles across SIMD-groups"
            #endif
        }
    }
#endif
