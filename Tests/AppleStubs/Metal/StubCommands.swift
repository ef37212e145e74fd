import Foundation

/// A queue whose commands are carried out one after the other, on a thread of its own.
final class StubQueue: MTLCommandQueue {
    let device: StubDevice
    let thread = DispatchQueue(label: "emulated-metal-queue")

    init(_ device: StubDevice) { self.device = device }

    func makeCommandBuffer() -> (any MTLCommandBuffer)? { StubCommandBuffer(self) }
    func addResidencySet(_ residencySet: any MTLResidencySet) {}
}

/// A run of a kernel with what it was given.
struct StubDispatch {
    let kernel: CompiledKernel
    let constants: [Int: UInt32]
    let width: Int
    /// By their index; those of constants are copies.
    let arguments: [Int: UnsafeMutableRawPointer]
    let groups: MTLSize
    let threads: MTLSize
}

final class StubCommandBuffer: MTLCommandBuffer, @unchecked Sendable {  // filled by one thread, then run by another
    private let queue: StubQueue
    private let lock = NSLock()
    private var handlers: [MTLCommandBufferHandler] = []
    private var outcome: (status: MTLCommandBufferStatus, error: (any Error)?) = (.notEnqueued, nil)
    /// The dispatches between each two barriers.
    var stages: [[StubDispatch]] = [[]]
    /// The objects that the dispatches use.
    var kept: [Any] = []

    init(_ queue: StubQueue) { self.queue = queue }

    var status: MTLCommandBufferStatus { lock.withLock { outcome.status } }
    var error: (any Error)? { lock.withLock { outcome.error } }
    /// No times: the time that an emulation takes tells nothing of a GPU.
    var gpuStartTime: Double { 0 }
    var gpuEndTime: Double { 0 }

    func makeComputeCommandEncoder(dispatchType: MTLDispatchType) -> (any MTLComputeCommandEncoder)? {
        StubEncoder(self, dispatchType)
    }

    func addCompletedHandler(_ block: @escaping MTLCommandBufferHandler) { lock.withLock { handlers.append(block) } }

    func commit() {
        lock.withLock { outcome.status = .committed }
        queue.thread.async { [self] in
            let (failure, isHanging, seed) = queue.device.withState { state in
                state.commandBufferCount += 1
                let failure = state.failures.isEmpty ? nil : state.failures.removeFirst()
                state.seed &+= 1
                return (failure, state.isHanging, state.seed)
            }
            if isHanging { return }
            if let failure {
                finish(MTLCommandBufferError(failure))
            } else {
                finish(run(seed: seed))
            }
        }
    }

    private func finish(_ error: (any Error)?) {
        let handlers = lock.withLock {
            outcome = (error == nil ? .completed : .error, error)
            return self.handlers
        }
        for handler in handlers { handler(self) }
    }

    /// Carries out all dispatches: the threadgroups of those between two barriers in any order.
    private func run(seed: UInt64) -> (any Error)? {
        var random = Shuffler(seed: seed)
        for stage in stages {
            var groups: [(dispatch: Int, group: Int)] = []
            for (index, dispatch) in stage.enumerated() {
                for group in 0..<dispatch.groups.width * dispatch.groups.height * dispatch.groups.depth {
                    groups.append((index, group))
                }
            }
            random.shuffle(&groups)
            for (index, group) in groups {
                if let problem = stage[index].run(group: group, seed: random.next()) {
                    queue.device.withState { $0.problems.append(problem) }
                    return MTLCommandBufferError(.internal)
                }
            }
        }
        return nil
    }
}

/// Random numbers, the same each time.
struct Shuffler {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }

    mutating func shuffle<T>(_ elements: inout [T]) {
        for index in stride(from: elements.count - 1, to: 0, by: -1) {
            elements.swapAt(index, Int(next() % UInt64(index + 1)))
        }
    }
}

/// Records dispatches.
///
/// Calls that Metal's validation refuses end the program here too.
final class StubEncoder: MTLComputeCommandEncoder {
    private let buffer: StubCommandBuffer
    private let type: MTLDispatchType
    private var state: StubPipeline?
    private var arguments: [Int: UnsafeMutableRawPointer] = [:]
    private var isEnded = false

    init(_ buffer: StubCommandBuffer, _ type: MTLDispatchType) { (self.buffer, self.type) = (buffer, type) }

    deinit { precondition(isEnded, "an encoder is released without endEncoding") }

    func setComputePipelineState(_ state: any MTLComputePipelineState) { self.state = state as? StubPipeline }

    func setBuffer(_ buffer: (any MTLBuffer)?, offset: Int, index: Int) {
        guard let buffer else { return arguments[index] = nil }
        precondition(offset >= 0 && offset < buffer.length, "an offset behind the buffer")
        arguments[index] = buffer.contents() + offset
        self.buffer.kept.append(buffer)
    }

    func setBytes(_ bytes: UnsafeRawPointer, length: Int, index: Int) {
        precondition(length <= 4096, "setBytes takes at most 4 KB")
        let copy = StubBuffer(length: length)
        copy.contents().copyMemory(from: bytes, byteCount: length)
        arguments[index] = copy.contents()
        buffer.kept.append(copy)
    }

    func dispatchThreadgroups(_ threadgroupsPerGrid: MTLSize, threadsPerThreadgroup: MTLSize) {
        guard let state else { preconditionFailure("a dispatch without a pipeline") }
        let missing = state.kernel.arguments.filter { arguments[$0] == nil }
        precondition(missing.isEmpty, "\(state.kernel.name) lacks its arguments \(missing)")
        if type == .serial { buffer.stages.append([]) }
        buffer.stages[buffer.stages.count - 1].append(
            StubDispatch(
                kernel: state.kernel, constants: state.constants, width: state.threadExecutionWidth,
                arguments: arguments, groups: threadgroupsPerGrid, threads: threadsPerThreadgroup))
        buffer.kept.append(state)
    }

    func memoryBarrier(scope: MTLBarrierScope) { buffer.stages.append([]) }

    func endEncoding() { isEnded = true }
}
