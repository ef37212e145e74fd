import LeapBase
import LeapCompute
import LeapDevices
import LeapGPU
import Testing

extension GPUTests {
    /// The calls by which a device learns of a model's kernels while the model is loaded.
    struct KernelPreparationTests {
        private func load(_ device: ToldDevice) throws -> SplitRunner {
            try SplitRunner(
                try SplitRunner.fixture("lfm2"), layerCount: .max, open: { () throws(GPUError) in device })
        }

        @Test("Kernels are prepared in the order in which the comparison asks for them, and reported once it is over")
        func order() throws {
            let device = ToldDevice(try TestGPU.open()), runner = try load(device)
            #expect(runner.device.pass != nil, "\(runner.notices.withLock { $0 })")
            let asked = device.asked, use = runner.report.use
            #expect(asked.count > 5 && device.prepared.filter { asked.contains($0) } == asked)
            #expect(use.kernels == Set(asked.map(\.entry)) && use.kernelTime > .zero && device.discardCount == 0)
        }

        @Test("A device whose kernel is refused forgets those that it kept, and none are reported")
        func refusal() throws {
            let device = ToldDevice(try TestGPU.open())
            device.refused = GPUKernel.rmsNorm.entry
            let runner = try load(device)
            #expect(runner.device.pass == nil && device.discardCount == 1)
            #expect(runner.report.use.kernels.isEmpty && runner.report.use.note != nil)
        }
    }
}

/// A device that notes which kernels it is told of.
private final class ToldDevice: GPUDevice {
    private let real: any GPUDevice
    private(set) var prepared: [GPUKernel] = []
    /// Kernels that were asked for, each once.
    private(set) var asked: [GPUKernel] = []
    /// The number of calls that discard kept kernels.
    private(set) var discardCount = 0
    /// The entry point of a kernel that does not compile.
    var refused: String?
    var properties: GPUProperties { real.properties }

    init(_ real: any GPUDevice) { self.real = real }

    func makeBuffer(byteCount: Int, _ memory: GPUMemory) throws(GPUError) -> any GPUBuffer {
        try real.makeBuffer(byteCount: byteCount, memory)
    }

    func makeBuffer(
        over memory: UnsafeMutableRawBufferPointer, owner: AnyObject?
    ) throws(GPUError) -> any GPUBuffer {
        try real.makeBuffer(over: memory, owner: owner)
    }

    func prepare(_ kernels: [GPUKernel]) {
        prepared += kernels
        real.prepare(kernels)
    }

    func discardKeptKernels() {
        discardCount += 1
        real.discardKeptKernels()
    }

    func makePipeline(_ kernel: GPUKernel) throws(GPUError) -> any GPUPipeline {
        if kernel.entry == refused { throw .compilation(kernel: kernel.entry, result: -1) }
        if !asked.contains(kernel) { asked.append(kernel) }
        return try real.makePipeline(kernel)
    }

    func makeCommands() throws(GPUError) -> any GPUCommands { try real.makeCommands() }
}
