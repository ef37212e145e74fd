import LeapCompute
import LeapModel

/// The states of sessions on their way to and from files.
extension EngineCore {
    /// The state of a session that nothing is generated in; nil where it holds nothing.
    ///
    /// Its pages are shared: what the session computes later is written into copies.
    func snapshot(_ session: Session) throws(EngineError) -> SequenceSnapshot? {
        guard !isUnloaded else { throw .unloaded }
        guard let slot = sessions[session.id] else { return nil }
        guard !slot.isBusy else { throw .busy }
        let state = slot.state
        let shared = state.shared()
        guard shared.count > 0 else { return nil }
        return SequenceSnapshot(
            tokens: Array(state.tokens.prefix(shared.count)), adapters: state.adapterKey, prefix: SharedPrefix(shared))
    }

    /// Lets a session go on from a state.
    func restore(_ snapshot: SequenceSnapshot, in session: Session) throws(EngineError) {
        guard !isUnloaded else { throw .unloaded }
        let count = snapshot.tokens.count
        guard count <= contextSize else { throw .contextExceeded(needed: count, available: contextSize) }
        let slot = sessions.use(session)
        guard !slot.isBusy else { throw .busy }
        slot.state.truncate(to: 0)
        slot.isActive = true
        defer { slot.isActive = false }
        try makingRoom(rows: max(1, active.count)) { () throws(EngineError) in
            try slot.state.restore(snapshot.prefix.match, of: snapshot.tokens, adapters: snapshot.adapters)
        }
        session.update(tokenCount: count)
    }
}
