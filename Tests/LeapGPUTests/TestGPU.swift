import LeapGPU
import LeapTestSupport
import Testing

/// All tests that need a device, one after the other.
@Suite(.serialized, .enabled(if: TestGPU.isThere, "skipped: no Vulkan"))
struct GPUTests {}

/// A device with what tests of kernels need.
final class TestGPU {
    /// The first device that can be used; nil where there is none.
    static let first: Int? = {
        guard let instance = try? VulkanInstance() else { return nil }
        return instance.devices.firstIndex { $0.obstacle == nil }
    }()

    static var isThere: Bool { first != nil }

    /// Another handle of the device.
    static func open() throws(GPUError) -> VulkanDevice {
        try VulkanDevice(try VulkanInstance(), index: first ?? 0)
    }

    let device: VulkanDevice
    private var pipelines: [GPUKernel: any GPUPipeline] = [:]

    init() throws {
        device = try Self.open()
    }

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
