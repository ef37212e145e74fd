import LeapCompute
import LeapModel

/// What is given up where memory is short, and in which order.
extension EngineCore {
    /// Repeats a step that takes memory until it succeeds or nothing is left to give up.
    ///
    /// - Parameter rows: those of the batch that the memory is for; larger scratch memory than it needs is given up.
    /// - Throws: what the step throws.
    func makingRoom<R>(rows: Int, _ body: () throws(EngineError) -> R) throws(EngineError) -> R {
        while true {
            do throws(EngineError) {
                return try body()
            } catch {
                guard error.code == .outOfMemory, makeRoom(rows: rows) else { throw error }
            }
        }
    }

    /// Gives up what costs least to do without: scratch memory that is larger than needed, what a draft model holds, kept prefixes, pages that wait to be written, and
    /// the state of sessions that nothing is generated in, each time those that were not used for longest.
    ///
    /// - Returns: false where nothing is left.
    func makeRoom(rows: Int) -> Bool {
        if let scratch = executor?.scratch, scratch.largestRows > rows {
            scratch.removeAll()
            return true
        }
        if let encoder, encoder.holdsMemory {
            encoder.releaseMemory()
            return true
        }
        if let speech, !active.contains(where: \.isSpeaking), speech.holdsMemory {
            speech.releaseMemory()
            return true
        }
        if releaseDrafts() { return true }
        if let cache, cache.removeOldest() {
            noteCache()
            return true
        }
        return store?.dropWaiting() == true || sessions.releaseLeastRecentlyUsed()
    }

    // MARK: Prompts

    /// Takes the memory for a whole prompt, and leaves as much as the next token of every generation takes for scratch.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`; the state holds what it held.
    func reservePrompt(_ count: Int, in state: SequenceState) throws(EngineError) {
        let missing = state.reserveByteCount(count - state.count)
        do throws(EngineError) {
            let rows = active.count + 1
            try makingRoom(rows: rows) { () throws(EngineError) in
                try state.reserve(count - state.count)
                try checkScratch(rows: rows)
            }
        } catch {
            state.releaseReserve()
            guard error.code == .outOfMemory, error.field == MemoryPool.limitName else { throw error }
            throw memory.refusal("a prompt of \(count) tokens", needed: missing)
        }
    }

    /// - Throws: ``EngineError`` with code `outOfMemory` if a batch of so many rows would not get its scratch memory.
    private func checkScratch(rows: Int) throws(EngineError) {
        guard let executor else { return }
        let scratch = executor.scratch
        let needed =
            scratch.estimatedByteCount(rows: rows, vocabularySize: executor.vocabularySize) - scratch.byteCount
        guard needed > memory.available else { return }
        throw memory.refusal("the computation", needed: needed)
    }

    // MARK: Steps

    /// Takes the memory for a segment's positions; where there is none, the generation that holds most of it ends.
    ///
    /// - Returns: whether this generation goes on.
    func reserve(_ work: Work, rows: Int) -> Bool {
        let (generation, added) = (work.generation, work.segment.count)
        while true {
            do throws(EngineError) {
                try makingRoom(rows: rows) { () throws(EngineError) in try generation.state.reserve(added) }
                return true
            } catch {
                generation.state.releaseReserve()
                guard error.code == .outOfMemory, endLargest(besides: generation, error) else {
                    generation.finish(.failed(error))
                    return false
                }
            }
        }
    }

    /// Ends the generation that holds more memory than any other, so that one which needs little is not ended for its sake.
    ///
    /// - Returns: false if that is the given one.
    func endLargest(besides generation: ActiveGeneration, _ error: EngineError) -> Bool {
        let others = active.filter { !$0.task.isFinished && $0.state !== generation.state }
        guard let largest = others.max(by: { $0.state.pages.count < $1.state.pages.count }),
            largest.state.pages.count > generation.state.pages.count
        else { return false }
        largest.finish(.failed(error))
        largest.state.releaseMemory()
        largest.session.update(tokenCount: 0)
        return true
    }
}
