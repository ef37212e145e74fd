import LeapBase
import LeapCompute
package import LeapModel

/// The state of a sound that comes in pieces (LFM3-Audio): what vectors to come need of the frames before theirs.
///
/// Used by one thread at a time, with passes of one encoder.
package final class AudioState {
    /// The latest keys, values and inputs of the layers.
    let sequence: SequenceState
    /// Those of the latest vector, of which the next one is made too, and those of vectors to come.
    var frames: [Float] = []
    /// Frames of the latest vector; 0 before there is one.
    fileprivate(set) var usedCount = 0
    /// True when the sound is over.
    package fileprivate(set) var isFinished = false

    fileprivate init(sequence: SequenceState) { self.sequence = sequence }
}

extension AudioPass {
    /// Vectors that go through the layers at a time.
    private static let blockLength = 64

    /// The state of a sound of which nothing came yet.
    ///
    /// - Precondition: the encoder's kind is ``AudioEncoder/Kind/causal``.
    package func makeState() -> AudioState {
        AudioState(sequence: pass.layout.makeSequence(limit: Int(Int32.max)))
    }

    /// Encodes the frames of a sound that follow those before.
    ///
    /// - Parameters:
    ///   - spectrum: may be empty.
    ///   - isLast: whether the sound ends with them; else frames that are too few for a vector wait for the next call.
    /// - Returns: the vectors that are complete, `[][outputLength]`: the same bits for any pieces.
    /// - Throws: ``EngineError`` with code `outOfMemory`; no more can be encoded with the state.
    /// - Precondition: the encoder's kind is ``AudioEncoder/Kind/causal``, and the sound is not finished.
    package func encode(_ spectrum: AudioSpectrum, isLast: Bool, of state: AudioState) throws(EngineError) -> [Float] {
        guard case .causal(let layers) = encoder.layers else { throw .readsNo(.audio) }
        precondition(!state.isFinished, "a sound that goes on")
        check(spectrum)
        do {
            return try run(layers, spectrum, isLast: isLast, of: state, throughAdapter: true) { true } ?? []
        } catch {
            pass.workspace.removeAll()
            throw error
        }
    }

    /// - Returns: nil if it was stopped, after which the state is of no use.
    func run(
        _ layers: CausalAudioLayers, _ spectrum: AudioSpectrum, isLast: Bool, of state: AudioState,
        throughAdapter: Bool, _ shouldContinue: () -> Bool
    ) throws(EngineError) -> [Float]? {
        let (bands, factor) = (encoder.form.bandCount, ConvolutionSubsampling.factor)
        // A whole sound is not copied.
        if state.frames.isEmpty { state.frames = spectrum.values } else { state.frames += spectrum.values }
        let held = state.frames.count / bands
        let count =
            isLast
            ? ConvolutionSubsampling.vectorCount(frames: held - state.usedCount) : (held - state.usedCount) / factor
        var vectors: [Float] = []
        for start in stride(from: 0, to: count, by: Self.blockLength) {
            let end = min(count, start + Self.blockLength)
            let first = state.usedCount + factor * start
            let context = min(factor, first)
            let frames = first - context..<min(held, state.usedCount + factor * end)
            let block = state.frames[frames.lowerBound * bands..<frames.upperBound * bands]
            guard
                let out = try run(
                    layers, block, after: context / factor, of: state, throughAdapter: throughAdapter, shouldContinue)
            else { return nil }
            vectors += out
        }
        if isLast {
            state.isFinished = true
            state.frames = []
        } else if count > 0 {
            state.frames.removeFirst((state.usedCount + factor * (count - 1)) * bands)
            state.usedCount = factor
        }
        return vectors
    }

    /// The first vectors of the layers.
    private struct Embedded: InputVectors {
        let rows: Rows
        /// The position of the first one.
        let start: Int

        func vector(at position: Int) -> UnsafePointer<Float> { UnsafePointer(rows.row(position - start)) }
    }

    /// Runs a block.
    ///
    /// - Parameters:
    ///   - values: its frames, with those of the vector before it.
    ///   - skipped: vectors of the frames that are not of the block.
    private func run(
        _ layers: CausalAudioLayers, _ values: ArraySlice<Float>, after skipped: Int, of state: AudioState,
        throughAdapter: Bool, _ shouldContinue: () -> Bool
    ) throws(EngineError) -> [Float]? {
        let sequence = state.sequence
        // Before anything is taken: it may give buffers back.
        pass.workspace.beginBatch(rows: Self.blockLength)
        defer { pass.release([.spectrum, .patches]) }
        let frames = try rows(values)
        guard
            let embedded = try encoder.subsampling.run(
                frames, from: skipped, into: .patches, pass, shouldContinue: shouldContinue)
        else { return nil }
        let segment = BatchSegment(
            sequence: sequence,
            inputs: .vectors(embedded.count, Embedded(rows: embedded, start: sequence.count)), wanted: .all,
            output: .hidden)
        var vectors: [Float] = []
        let isDone = try pass.compute([segment], isScratchBegun: true, shouldContinue: shouldContinue) {
            (rows) throws(EngineError) in
            let out = throughAdapter ? try encoder.adapter.project(rows, pass) : rows
            vectors = Array(out.values)
        }
        sequence.releasePages(before: sequence.count - layers.window)
        return isDone ? vectors : nil
    }
}
