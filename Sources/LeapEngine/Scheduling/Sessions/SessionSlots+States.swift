import LeapCompute
import LeapModel

/// The states of sessions that nothing is generated in: cut, and on their way to and from files.
extension SessionSlots {
    /// Returns the slot of a session that nothing is generated in, which is used now.
    ///
    /// - Throws: ``EngineError`` with code `busy`.
    private func useIdle(_ session: Session) throws(EngineError) -> Slot {
        let slot = use(session)
        guard !slot.isBusy else { throw .busy }
        return slot
    }

    /// Cuts a session's sequence.
    ///
    /// - Returns: the number of tokens that are left, which may be less than `count`.
    /// - Throws: ``EngineError`` with code `busy`.
    func truncate(_ session: Session, to count: Int) throws(EngineError) -> Int {
        let kept = try useIdle(session).state.truncate(to: count)
        session.update(tokenCount: kept)
        return kept
    }

    /// Returns the state of a session; nil where it holds nothing.
    ///
    /// Its pages are shared: what the session computes later is written into copies.
    ///
    /// - Throws: ``EngineError`` with code `busy`.
    func snapshot(_ session: Session) throws(EngineError) -> SequenceSnapshot? {
        guard let slot = self[session.id] else { return nil }
        guard !slot.isBusy else { throw .busy }
        let state = slot.state
        let shared = state.shared()
        guard shared.count > 0 else { return nil }
        return SequenceSnapshot(
            tokens: Array(state.tokens.prefix(shared.count)), adapters: state.adapterKey, prefix: SharedPrefix(shared))
    }

    /// Lets a session go on from a state.
    ///
    /// - Parameters:
    ///   - memory: takes memory from other parts where there is too little.
    ///   - rows: the number of generations that run, at least 1.
    /// - Throws: ``EngineError`` with code `busy`, `contextExceeded` or `outOfMemory`.
    func restore(
        _ snapshot: SequenceSnapshot, in session: Session, _ memory: MemoryReclaimer, rows: Int
    ) throws(EngineError) {
        let count = snapshot.tokens.count
        guard count <= contextSize else { throw .contextExceeded(needed: count, available: contextSize) }
        let slot = try useIdle(session)
        slot.state.truncate(to: 0)
        slot.begin()
        defer { slot.endComputing() }
        try memory.makingRoom(rows: rows) { () throws(EngineError) in
            try slot.state.restore(snapshot.prefix.match, of: snapshot.tokens, adapters: snapshot.adapters)
        }
        session.update(tokenCount: count)
    }
}
