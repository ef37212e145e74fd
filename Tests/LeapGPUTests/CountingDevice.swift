import Testing

@testable import LeapGPU

/// A device that computes nothing: it keeps what it was given, and has a time and a watchdog of its own.
final class CountingDevice: GPUDevice {
    var properties: GPUProperties
    /// The entry points of each submission's kernels, in order.
    fileprivate(set) var submissions: [[String]] = []
    /// The workgroups of each submission.
    fileprivate(set) var groupCounts: [Int] = []
    /// The seconds that a workgroup takes; nil where the device tells no times.
    var secondsPerGroup: Double?
    /// The seconds after which the watchdog ends a submission.
    var watchdogSeconds = Double.infinity
    /// Submissions that it ended.
    fileprivate(set) var killCount = 0
    /// For each submission, whether the one before was waited for by then.
    fileprivate(set) var followsWait: [Bool] = []
    fileprivate weak var latest: CountedCommands?

    init(kind: GPUProperties.Kind = .integrated, submissionSeconds: Double? = 0.05) {
        properties = GPUProperties(
            name: "counting", driver: "", kind: kind, memoryByteCount: 1 << 30, isUnified: false,
            bindingByteCount: 1 << 28, bufferByteCount: 1 << 28, bindingAlignment: 64, hostMemoryAlignment: nil,
            groupCounts: [65535, 65535, 65535], subgroupSize: 32, obstacle: nil)
        properties.submissionSeconds = submissionSeconds
    }

    func makeBuffer(byteCount: Int, _ memory: GPUMemory) throws(GPUError) -> any GPUBuffer {
        CountedBuffer(byteCount: byteCount)
    }

    func makeBuffer(over memory: UnsafeMutableRawBufferPointer) throws(GPUError) -> any GPUBuffer {
        throw .invalid("no memory of the host")
    }

    func makePipeline(_ kernel: GPUKernel) throws(GPUError) -> any GPUPipeline { CountedPipeline(kernel) }

    func makeCommands() throws(GPUError) -> any GPUCommands { CountedCommands(self) }
}

private final class CountedPipeline: GPUPipeline {
    let kernel: GPUKernel

    init(_ kernel: GPUKernel) { self.kernel = kernel }
}

private final class CountedBuffer: GPUBuffer {
    let contents: UnsafeMutableRawBufferPointer
    var byteCount: Int { contents.count }

    init(byteCount: Int) {
        contents = .allocate(byteCount: byteCount, alignment: 64)
        contents.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { contents.deallocate() }
}

private final class CountedCommands: GPUCommands {
    private let device: CountingDevice
    private var entries: [String] = []
    private var groupCount = 0
    private(set) var seconds: Double?
    private(set) var isWaitedFor = false

    init(_ device: CountingDevice) { self.device = device }

    func dispatch(
        _ pipeline: any GPUPipeline, _ bindings: [GPUBinding], constants: [UInt32], groups: (x: Int, y: Int, z: Int)
    ) throws(GPUError) {
        try device.properties.check(pipeline.kernel, bindings, constantCount: constants.count, groups: groups)
        entries.append(pipeline.kernel.entry)
        groupCount += groups.x * groups.y * groups.z
    }

    func barrier() {}

    func submit() {
        device.submissions.append(entries)
        device.groupCounts.append(groupCount)
        device.followsWait.append(device.latest?.isWaitedFor ?? true)
        device.latest = self
    }

    func wait(seconds: Double) throws(GPUError) {
        isWaitedFor = true
        guard let perGroup = device.secondsPerGroup else { return }
        let taken = Double(groupCount) * perGroup
        if taken > device.watchdogSeconds {
            device.killCount += 1
            throw .stopped
        }
        self.seconds = taken
    }
}
