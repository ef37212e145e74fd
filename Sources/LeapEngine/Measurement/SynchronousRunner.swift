import LeapTokenizer

/// One sequence run on the calling thread, for measurements and tests.
final class SynchronousRunner {
    let pass: ForwardPass
    let layout: CacheLayout
    private(set) var sequence: SequenceState
    private let contextSize: Int

    init(model: Model, keyValueType: KeyValueType, threads: Int, contextSize: Int) throws(EngineError) {
        layout = CacheLayout(decoder: model.decoder, keyValueType: keyValueType)
        self.contextSize = contextSize
        pass = try ForwardPass(
            model: model, layout: layout, kernels: try Kernels(threads: threads), contextSize: contextSize)
        sequence = SequenceState(layout: layout, limit: contextSize)
    }

    /// Starts over with an empty sequence.
    func reset() { sequence = makeSequence() }

    /// Another empty sequence.
    func makeSequence() -> SequenceState { SequenceState(layout: layout, limit: contextSize) }

    /// Computes the next tokens; the logits are valid until the next run.
    func run(
        _ tokens: ArraySlice<TokenID>, wanted: BatchSegment.Wanted
    ) throws(EngineError) -> UnsafeMutableBufferPointer<Float> {
        try run([BatchSegment(sequence: sequence, tokens: tokens, wanted: wanted)])
    }

    /// Computes a batch of any sequences; the logits are valid until the next run.
    func run(_ batch: [BatchSegment]) throws(EngineError) -> UnsafeMutableBufferPointer<Float> {
        guard let logits = try pass.run(batch) else { throw EngineError(.cancelled, "the pass was stopped") }
        return logits
    }
}
