import LeapBase
import LeapCPU
import LeapCompute
import LeapModel
import LeapTokenizer
import Testing

@testable import LeapGPU

/// Submissions for batches of whole models, without a device.
struct SubmissionTests {
    /// A model whose layers a device gets that computes nothing.
    private struct Counted {
        let device: CountingDevice
        let pass: GPUPass
        private let executor: CPUExecutor

        init(_ model: Model, _ device: CountingDevice) throws {
            self.device = device
            let cpu = try CPUDevice(threads: 1), stack = model.layers.stack
            var layout = cpu.layout(of: stack, keyValueType: .f16, memory: MemoryPool())
            let planned = layout
            let bind = { (device: any GPUDevice) throws(GPUError) -> GPUModel in
                try GPUModel(stack, from: 0, head: model.layers.head, planned, device, CPUWeightReader())
            }
            let gpu = SharedGPU(device)
            let arena = try StateArena.forPages(
                device, gpu.budget, pageByteCount: layout.pageByteCount, count: 8, arithmetic: "counting")
            layout.pages = arena
            pass = GPUPass(
                try bind(device), firstLayer: 0, .languageModel, gpu, arena, states: nil,
                gpu.budget.claim(0, for: .weights), bind: bind, DeviceReport(), onNotice: { _ in })
            executor = CPUExecutor(model: model, layout: layout, kernels: cpu.kernels, contextSize: 256)
            executor.pass.suffix = pass
        }

        /// Computes a prompt.
        func run(count: Int) throws {
            let tokens = [TokenID](repeating: 5, count: count)
            _ = try executor.run(
                [
                    BatchSegment(sequence: executor.makeSequence(limit: 256), tokens: tokens[...], wanted: .last)
                ], shouldContinue: { true })
        }
    }

    @Test("A token of the demo model: 7 stages for a convolution layer, 8 for an attention layer, 2 behind the layers")
    func stages() throws {
        let counted = try Counted(try SplitRunner.demo(), CountingDevice())
        try counted.run(count: 1)
        // Five convolution layers and three attention layers.
        let load = counted.pass.load
        #expect(load.stageCount == 5 * 7 + 3 * 8 + 2)
        #expect(load.dispatchCount == 68)
        // One ends at the first barrier after 64 runs of kernels, so the device begins early.
        #expect(load.submissions.count == 2 && counted.device.submissions.map(\.count).reduce(0, +) == 68)
    }

    @Test("A token reads each weight once, with two operations for each; little comes on top")
    func tokenWork() throws {
        let model = try SplitRunner.demo(), counted = try Counted(model, CountingDevice())
        try counted.run(count: 1)
        let matrices = GPUModel.matrices(model.layers.stack, from: 0, head: model.layers.head)
        let weights = matrices.reduce(0) { $0 + $1.rows * $1.columns }, bytes = matrices.reduce(0) { $0 + $1.byteCount }
        let work = counted.pass.load.work
        print("a token of the demo model: \(work.flops) operations, \(work.bytes) bytes")
        #expect(work.flops > 2 * Double(weights) && work.flops < 2.5 * Double(weights))
        #expect(work.bytes > Double(bytes) && work.bytes < 1.5 * Double(bytes))
        #expect(work.tileFlops == 0)
    }

    @Test("Submissions of a prompt are as long as the limit, or one run of a kernel that cannot be cut further")
    func prompt() throws {
        let model = try SplitRunner.fixture("lfm2"), limit = 5e-6
        let whole = try Counted(model, CountingDevice(submissionSeconds: nil))
        try whole.run(count: 70)
        let cut = try Counted(model, CountingDevice(submissionSeconds: limit))
        try cut.run(count: 70)
        let (works, lists) = (cut.pass.load.submissions, cut.device.submissions)
        #expect(works.count == lists.count && works.count > whole.pass.load.submissions.count)
        for (work, list) in zip(works, lists) {
            let isShort = cut.pass.pacer.pacing.seconds(work) <= limit
            #expect(isShort || list.count == 1, "\(list)")
        }
        // However they are cut, runs of kernels have the same operations.
        let (one, other) = (whole.pass.load.work.flops, cut.pass.load.work.flops)
        #expect(abs(one - other) <= 1e-9 * one)
        #expect(cut.pass.load.dispatchCount > whole.pass.load.dispatchCount)
        #expect(cut.pass.load.stageCount == whole.pass.load.stageCount)
    }

    @Test("Until four times are known long submissions are waited for; then the device gets the next one at once")
    func calibration() throws {
        let device = CountingDevice(), counted = try Counted(try SplitRunner.fixture("lfm2"), device)
        let pacer = counted.pass.pacer
        // A slow device, of which three times are known.
        for _ in 0..<3 { pacer.note(GPUWork(flops: 2e9), seconds: 1e3) }
        try counted.run(count: 70)
        let seconds = counted.pass.load.submissions.map(pacer.pacing.seconds)
        #expect(pacer.isCalibrating && seconds.count == device.followsWait.count)
        #expect(seconds.contains { $0 >= 0.005 })
        for (before, isWaitedFor) in zip(seconds, device.followsWait.dropFirst()) where before >= 0.005 {
            #expect(isWaitedFor)
        }
        // This device tells times: one more, and it gets all at once.
        device.secondsPerGroup = 0.01
        try counted.run(count: 70)
        #expect(!pacer.isCalibrating)
        let first = device.followsWait.count
        try counted.run(count: 70)
        #expect(device.followsWait.count > first + 1 && device.followsWait[(first + 1)...].allSatisfy { !$0 })
    }

    @Test("Where a watchdog ends what takes too long, submissions are halved until they pass")
    func watchdog() throws {
        let model = try SplitRunner.fixture("lfm2"), device = CountingDevice(submissionSeconds: nil)
        let counted = try Counted(model, device)
        try counted.run(count: 70)
        let longest = try #require(device.groupCounts.max())
        #expect(counted.pass.batchCount == 1 && counted.pass.pacer.pacing.limit == .infinity)
        // Nothing as long as the longest one passes any more.
        device.secondsPerGroup = 0.001
        device.watchdogSeconds = 0.7 * 0.001 * Double(longest)
        try counted.run(count: 70)
        #expect(device.killCount > 0 && counted.pass.fault == nil && counted.pass.batchCount == 2)
        #expect(counted.pass.load.submissions.count > 2)
        // No submission is short enough: two more attempts are made, and the processor computes.
        device.watchdogSeconds = 0
        let limit = counted.pass.pacer.pacing.limit
        try counted.run(count: 70)
        #expect(counted.pass.fault == .stopped && counted.pass.batchCount == 2)
        #expect(counted.pass.pacer.pacing.limit <= limit / 8)
        let killCount = device.killCount
        try counted.run(count: 70)
        #expect(device.killCount == killCount)
    }
}
