import LeapCompute
package import LeapModel

/// The encoder's states of sounds that come in pieces; those of sounds that nobody holds any more are dropped.
struct PiecewiseStates {
    private struct Entry {
        weak var sound: PiecewiseSound?
        let state: AudioState
        /// Pieces that were encoded.
        var count = 0
    }

    private var entries: [Entry] = []

    /// Sounds that a state is kept for.
    var count: Int { entries.count }

    /// The state of a sound, and the number of its pieces that were encoded.
    mutating func state(of sound: PiecewiseSound, make: () -> AudioState) -> (state: AudioState, count: Int) {
        removeUnheld()
        if let entry = entries.first(where: { $0.sound === sound }) { return (entry.state, entry.count) }
        let entry = Entry(sound: sound, state: make())
        entries.append(entry)
        return (entry.state, 0)
    }

    /// Notes that a piece of a sound was encoded.
    mutating func advance(_ sound: PiecewiseSound) {
        if let index = entries.firstIndex(where: { $0.sound === sound }) { entries[index].count += 1 }
    }

    /// True if a state is kept of a sound that nobody holds any more.
    var hasUnheld: Bool { entries.contains { $0.sound == nil } }

    /// Drops the states of sounds that nobody holds any more.
    mutating func removeUnheld() { entries.removeAll { $0.sound == nil } }

    /// Drops the state of a sound.
    mutating func remove(_ sound: PiecewiseSound) { entries.removeAll { $0.sound === sound } }
}

extension AudioPass {
    /// Encodes a piece of a sound, or returns the vectors that it keeps.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`, after which the piece can be encoded again, or
    ///   `invalidOption` for a piece whose predecessors were not encoded.
    package func encode(_ piece: AudioPiece) throws(EngineError) -> [Float] {
        if let vectors = piece.vectors { return vectors }
        guard case .causal = encoder.layers else {
            throw EngineError(
                .invalidOption,
                "the audio encoder \(encoder.kind) reads whole sounds only: send the sound in one piece",
                field: "media")
        }
        let (state, count) = states.state(of: piece.sound) { makeState() }
        guard count == piece.index else {
            throw EngineError(
                .invalidOption,
                "piece \(piece.index) of a sound follows \(count) pieces that were encoded: begin the sound again",
                field: "media")
        }
        let (frames, position) = (state.frames, state.sequence.count)
        do {
            let vectors = try encode(piece.spectrum, isLast: piece.isLast, of: state)
            piece.keep(vectors)
            states.advance(piece.sound)
            if piece.isLast { states.remove(piece.sound) }
            return vectors
        } catch {
            if state.sequence.count == position {
                state.frames = frames
            } else {
                states.remove(piece.sound)
            }
            throw error
        }
    }
}
