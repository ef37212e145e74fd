import LeapBase
import LeapCompute
import LeapModel

@testable import LeapGPU

/// A device that computes nothing: it keeps account of what it was given, and has a time and a watchdog of its own.
final class CountingDevice: GPUDevice {
    var properties: GPUProperties
    /// The most bytes of a buffer that it does not refuse.
    var largestByteCount = Int.max
    /// The number of buffers that it refused.
    private(set) var refusalCount = 0
    private let count = Count()
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

    /// Bytes of all buffers that there are.
    var byteCount: Int { count.byteCount }

    init(
        kind: GPUProperties.Kind = .integrated, submissionSeconds: Double? = 0.05, memoryByteCount: Int = 1 << 30,
        bindingByteCount: Int = 1 << 32, hostMemoryAlignment: Int? = nil
    ) {
        properties = GPUProperties(
            name: "counting", driver: "", kind: kind, memoryByteCount: memoryByteCount, isUnified: true,
            bindingByteCount: bindingByteCount, bufferByteCount: 1 << 32, bindingAlignment: 64,
            hostMemoryAlignment: hostMemoryAlignment, groupCounts: [65535, 65535, 65535], subgroupSize: 32,
            obstacle: nil)
        properties.submissionSeconds = submissionSeconds
    }

    func makeBuffer(byteCount: Int, _ memory: GPUMemory) throws(GPUError) -> any GPUBuffer {
        try checkSize(byteCount)
        do {
            // Zeroed, which costs nothing where it is not touched.
            let own = try AlignedMemory(byteCount: byteCount, pool: MemoryPool())
            return CountedBuffer(UnsafeMutableRawBufferPointer(start: own.base, count: byteCount), count, owner: own)
        } catch {
            throw .outOfMemory(byteCount: byteCount)
        }
    }

    func makeBuffer(
        over memory: UnsafeMutableRawBufferPointer, owner: AnyObject?
    ) throws(GPUError) -> any GPUBuffer {
        try checkSize(memory.count)
        return CountedBuffer(memory, count, owner: owner)
    }

    private func checkSize(_ byteCount: Int) throws(GPUError) {
        guard byteCount > largestByteCount else { return }
        refusalCount += 1
        throw .outOfMemory(byteCount: byteCount)
    }

    func makePipeline(_ kernel: GPUKernel) throws(GPUError) -> any GPUPipeline { CountedPipeline(kernel) }

    func makeCommands() throws(GPUError) -> any GPUCommands { CountedCommands(self) }
}

private final class CountedPipeline: GPUPipeline {
    let kernel: GPUKernel

    init(_ kernel: GPUKernel) { self.kernel = kernel }
}

/// Bytes of buffers.
private final class Count {
    var byteCount = 0
}

private final class CountedBuffer: GPUBuffer {
    let contents: UnsafeMutableRawBufferPointer
    private let count: Count
    private let owner: AnyObject?
    var byteCount: Int { contents.count }

    init(_ contents: UnsafeMutableRawBufferPointer, _ count: Count, owner: AnyObject?) {
        (self.contents, self.count, self.owner) = (contents, count, owner)
        count.byteCount += contents.count
    }

    deinit { count.byteCount -= contents.count }
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
