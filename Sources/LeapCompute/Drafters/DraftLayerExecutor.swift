package import LeapModel
package import LeapTokenizer

/// Runs layers that predict further tokens behind a model's sequences: see ``DraftLayers``.
///
/// What they need of a sequence is in the model's own state of it; nothing of that changes.
///
/// Used by one thread at a time.
package protocol DraftLayerExecutor: AnyObject {
    /// An empty sequence.
    func makeSequence(limit: Int) -> SequenceState

    /// Computes one step of several chains of drafts.
    ///
    /// - Parameter steps: at most one for each sequence.
    /// - Returns: what each gives, in their order; nil if it was stopped.
    /// - Throws: ``EngineError`` with code `contextExceeded` or `outOfMemory`.
    func run(_ steps: [DraftStep], shouldContinue: () -> Bool) throws(EngineError) -> [DraftOutput]?
}

/// A step of a chain of drafts.
package struct DraftStep {
    /// The model's sequence, which holds all tokens but the newest.
    package let sequence: SequenceState
    /// The newest token of the text, and in later steps the token that was drafted in the step before.
    package let token: TokenID
    /// Drafted tokens up to this one.
    package let offset: Int
    /// ``DraftOutput/hidden`` of the step before; nil in the first, which takes what the sequence has.
    package let hidden: [Float]?

    /// Makes a step.
    package init(sequence: SequenceState, token: TokenID, offset: Int = 0, hidden: [Float]? = nil) {
        (self.sequence, self.token, self.offset, self.hidden) = (sequence, token, offset, hidden)
    }
}

/// The result of a step.
package struct DraftOutput {
    /// The logits of the token behind the step's, one row, valid until the next call.
    package let logits: Rows
    /// The vector that the next step takes.
    package let hidden: [Float]

    /// Makes a result.
    package init(logits: Rows, hidden: [Float]) { (self.logits, self.hidden) = (logits, hidden) }
}

extension Executor {
    /// None, of an executor that runs no such layers.
    package var draftLayers: (any DraftLayerExecutor)? { nil }
}

extension Device {
    /// Prepares for a model without its layers that predict further tokens, as a device does that runs none of these.
    package func makeExecutor(
        for model: Model, draftLayers: DraftLayers?, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any Executor {
        try makeExecutor(for: model, keyValueType: keyValueType, contextSize: contextSize, memory: memory)
    }
}
