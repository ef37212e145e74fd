import LeapBase

/// What an engine has done since it was started, and what it is doing.
package struct EngineStatistics: Sendable, Hashable {
    /// The tokens of all generations, also of those in progress.
    package var tokens = GenerationProgress()
    /// Generations that began.
    package var generations = 0
    /// Generations that have not ended.
    package var activeGenerations = 0
    /// Generations that wait: for others to end, or for their prefix from disk.
    package var queuedGenerations = 0
    /// Generations that were refused as too many waited.
    package var refusedGenerations = 0
    /// Bytes of keys, values and convolution inputs of all sequences, of kept prefixes and of scratch memory.
    package var memoryBytes = 0

    /// Nothing yet.
    package init() {}
}

/// The figures of an engine, read from any thread.
final class EngineCounters: Sendable {
    private let state = Locked(EngineStatistics())
    private let memory: MemoryPool

    init(memory: MemoryPool) { self.memory = memory }

    var statistics: EngineStatistics {
        var statistics = state.withLock { $0 }
        statistics.memoryBytes = memory.used
        return statistics
    }

    func begin() {
        state.withLock { state in
            state.generations += 1
            state.activeGenerations += 1
        }
    }

    /// Counts a generation for which there is no place in the queue.
    func refuse() { state.withLock { $0.refusedGenerations += 1 } }

    /// Notes how many generations wait.
    func setQueued(_ count: Int) { state.withLock { $0.queuedGenerations = count } }

    func end() { state.withLock { $0.activeGenerations -= 1 } }

    /// Counts what a generation has worked on since it was counted last.
    func add(_ progress: GenerationProgress, since last: GenerationProgress) {
        guard progress != last else { return }
        state.withLock { state in
            state.tokens.promptTokens += progress.promptTokens - last.promptTokens
            state.tokens.cachedPromptTokens += progress.cachedPromptTokens - last.cachedPromptTokens
            state.tokens.completionTokens += progress.completionTokens - last.completionTokens
            state.tokens.draftedTokens += progress.draftedTokens - last.draftedTokens
            state.tokens.acceptedTokens += progress.acceptedTokens - last.acceptedTokens
        }
    }
}
