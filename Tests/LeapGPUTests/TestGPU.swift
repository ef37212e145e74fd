import LeapGPU
import LeapTestSupport
import Testing

// The files of this folder are compiled twice: for Vulkan, and with LEAP_METAL_TESTS for Metal.
#if LEAP_METAL_TESTS
    #if canImport(Darwin)
        @testable import LeapMetal
    #else
        @testable import LeapMetalOverStub
        import Metal
    #endif
#endif

/// All tests that need a device, one after the other.
@Suite(.serialized, .enabled(if: TestGPU.isThere, TestGPU.absence))
struct GPUTests {}

/// A device with what tests of kernels need.
final class TestGPU {
    #if LEAP_METAL_TESTS
        #if canImport(Darwin)
            static let absence: Comment = "skipped: no Metal"
            static let isThere = !MetalDevices.all.isEmpty
        #else
            static let absence: Comment = "skipped: no clang, which kernels in Metal's language are compiled with here"
            static let isThere = StubDevice.canCompile
        #endif

        /// Another handle of the device.
        static func open() throws(GPUError) -> any GPUDevice { try open(at: 0) }

        /// The device with a number.
        static func open(at index: Int) throws(GPUError) -> any GPUDevice { try MetalDevices.open("\(index)") }
    #else
        static let absence: Comment =
            "skipped: no Vulkan device; a renderer in software is tried where LEAP_GPU names it, and with LEAP_TESTS=all"

        /// The first device that can be used; nil where there is none.
        static let first: Int? = {
            guard let instance = try? VulkanInstance() else { return nil }
            let named = GPUDevices.environmentChoice.flatMap { try? GPUDevices.index(of: $0, in: instance.devices) }
            // A renderer in software takes many minutes.
            return named
                ?? instance.devices.firstIndex {
                    $0.obstacle == nil && (TestLevel.isAll || $0.kind != .processor)
                }
        }()

        static var isThere: Bool { first != nil }

        /// Another handle of the device.
        static func open() throws(GPUError) -> any GPUDevice { try open(at: first ?? 0) }

        /// The device with a number.
        static func open(at index: Int) throws(GPUError) -> any GPUDevice {
            try VulkanDevice(try VulkanInstance(), index: index)
        }
    #endif

    /// True if the device is an emulation on one thread, of which less is asked in tests of what is the same for all
    /// devices.
    static var isEmulated: Bool {
        #if LEAP_METAL_TESTS && !canImport(Darwin)
            true
        #else
            false
        #endif
    }

    /// True if an emulation is to show each thing once: it takes minutes for all of them.
    static var isBrief: Bool { isEmulated && !TestLevel.isAll }
    /// The comment of a test that is left out then.
    static let brevity = Comment(rawValue: TestLevel.comment)

    /// The cases for the device: of an emulation, at the standard level, a few.
    static func cases<Cases: Collection>(_ cases: Cases, brief count: Int) -> [Cases.Element] {
        isBrief ? TestLevel.cases(cases, standard: count) : Array(cases)
    }

    /// The device that tests share, one after the other, with kernels that are compiled for it once.
    static func shared() throws(GPUError) -> any GPUDevice {
        guard let shared = Shared.one else { return try open() }
        return FaultyDevice(shared.device, compiled: shared.compiled)
    }

    private final class Shared: @unchecked Sendable {  // tests that need a device come one after the other
        static let one = try? Shared()

        let device: any GPUDevice
        let compiled = CompiledKernels()

        init() throws(GPUError) { device = try TestGPU.open() }
    }

    /// Bytes of a device's memory of which weights and the buffers of batches leave so many to the state of sequences.
    static func memory(leaving byteCount: Int, besides weights: Int) -> Int {
        // An eighth is for batches.
        (byteCount + weights + 6) / 7 * 8
    }

    let device: any GPUDevice
    private var pipelines: [GPUKernel: any GPUPipeline] = [:]

    init(_ device: (any GPUDevice)? = nil) throws { self.device = try device ?? Self.open() }

    /// A buffer with the given elements.
    func buffer<T: BitwiseCopyable>(_ elements: [T]) throws -> any GPUBuffer {
        let buffer = try device.makeBuffer(byteCount: elements.count * MemoryLayout<T>.stride)
        elements.withUnsafeBytes { buffer.contents.copyMemory(from: $0) }
        return buffer
    }

    /// A buffer of as many floats, none of them a number: what a kernel leaves out shows.
    func output(_ count: Int) throws -> any GPUBuffer {
        try buffer([Float](repeating: .nan, count: count))
    }

    /// Runs one kernel and waits.
    func run(
        _ kernel: GPUKernel, _ bindings: [GPUBinding], _ constants: [UInt32], groups: (x: Int, y: Int, z: Int)
    ) throws {
        let commands = try device.makeCommands(), pipeline = try pipelines[kernel] ?? device.makePipeline(kernel)
        pipelines[kernel] = pipeline
        try commands.dispatch(pipeline, bindings, constants: constants, groups: groups)
        try commands.submit()
        try commands.wait(seconds: 120)
    }
}

extension GPUBuffer {
    var floats: [Float] { Array(contents.bindMemory(to: Float.self)) }
}

extension SeededGenerator {
    /// Numbers in -1...1.
    mutating func floats(_ count: Int) -> [Float] {
        (0..<count).map { _ in Float.random(in: -1...1, using: &self) }
    }
}

/// The number of groups of a size that hold a count.
func groups(_ count: Int, of size: Int) -> Int { (count + size - 1) / size }
