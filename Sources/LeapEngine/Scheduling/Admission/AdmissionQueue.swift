import LeapModel

/// The generations that wait for their turn, or for the beginning of their prompt from disk.
///
/// Turns are given in the order in which generations came. One that reads from disk has its turn: it counts as one that
/// runs.
struct AdmissionQueue {
    private let maxActive: Int
    private let maxQueued: Int
    private var waiting: [WaitingGeneration] = []
    /// Generations whose prefix is read from disk, by session.
    private var loading: [UInt64: WaitingGeneration] = [:]

    /// An empty queue.
    ///
    /// - Parameters:
    ///   - maxActive: the maximum number of generations that have their turn at a time.
    ///   - maxQueued: the maximum number of generations that wait for theirs.
    init(maxActive: Int, maxQueued: Int) {
        self.maxActive = maxActive
        self.maxQueued = maxQueued
    }

    /// The number of generations that wait for their turn, or for the disk.
    var count: Int { waiting.count + loading.count }

    /// True if a prefix is being read from disk.
    var isLoading: Bool { !loading.isEmpty }

    // MARK: Turns

    /// Puts a generation at the end of the queue.
    ///
    /// - Parameter running: the number of other generations that have had their turn.
    /// - Throws: ``EngineError`` with code `queueFull` if it cannot begin at once and no more may wait.
    mutating func append(_ generation: WaitingGeneration, running: Int) throws(EngineError) {
        let beginsAtOnce = waiting.isEmpty && running + loading.count < maxActive
        guard beginsAtOnce || waiting.count < maxQueued else {
            throw .queueFull(active: maxActive, queued: maxQueued)
        }
        waiting.append(generation)
    }

    /// Takes out the generation whose turn it is; nil where none waits, or as many run as may.
    ///
    /// - Parameter running: the number of other generations that have had their turn.
    mutating func next(running: Int) -> WaitingGeneration? {
        guard !waiting.isEmpty, running + loading.count < maxActive else { return nil }
        return waiting.removeFirst()
    }

    /// Takes out the generations that were cancelled while they waited for their turn.
    mutating func removeCancelled() -> [WaitingGeneration] { waiting.extract { $0.task.isCancelled } }

    /// Takes out all generations that wait for their turn, in order.
    mutating func removeWaiting() -> [WaitingGeneration] {
        defer { waiting = [] }
        return waiting
    }

    // MARK: Prefixes from disk

    /// Lets a generation that has its turn wait for the disk.
    mutating func beginLoading(_ generation: WaitingGeneration) { loading[generation.session.id] = generation }

    /// Takes out the generation of a session that waited for the disk; nil where there is none.
    mutating func endLoading(of session: UInt64) -> WaitingGeneration? { loading.removeValue(forKey: session) }

    /// Takes out all generations that wait for the disk.
    mutating func removeLoading() -> [WaitingGeneration] {
        defer { loading = [:] }
        return Array(loading.values)
    }
}
