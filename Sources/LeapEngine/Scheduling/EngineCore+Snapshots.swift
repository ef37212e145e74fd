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
        var count = state.count
        let tail = count % CacheLayout.pageLength == 0 ? nil : state.tailInputs()
        // Without its inputs the end of a sequence is of no use to convolutions; its full pages still are.
        if tail == nil, layout.convolutionReach > 0 { count -= count % CacheLayout.pageLength }
        guard count > 0 else { return nil }
        let pages = (count + CacheLayout.pageLength - 1) / CacheLayout.pageLength
        return SequenceSnapshot(
            tokens: Array(state.tokens.prefix(count)), adapters: state.adapterKey,
            prefix: SharedPrefix(PrefixCache.Match(pages: Array(state.pages.prefix(pages)), count: count, tail: tail)))
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
