import LeapModel

/// Texts that are read, besides what is generated.
extension EngineCore {
    /// Begins to read texts; what is wrong with them is reported as their end.
    func read(_ group: ScoringGroup) {
        guard let model else { return group.finish(throwing: .unloaded) }
        readings.add(group, model: model, contextSize: contextSize)
    }

    /// Computes one batch of texts, a small one while generations wait for their next token.
    func stepReadings(shouldStop: () -> Bool) {
        guard let executor, !readings.isEmpty else { return }
        // The queue is taken out while it computes: making room for it looks at the rest of the engine.
        var queue = readings
        queue.step(
            executor, cache: cache, counters: counters, isShared: !active.isEmpty, makeRoom: { makeRoom(rows: $0) },
            shouldStop: shouldStop)
        readings = queue
    }
}
