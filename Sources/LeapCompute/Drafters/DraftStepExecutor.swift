import LeapGGUF
package import LeapModel
package import LeapTokenizer

/// Runs what proposes tokens one after the other behind a model's sequences: see ``DraftLayers`` and
/// ``AssistantDrafter``.
///
/// It reads the model's sequences and leaves them as they are. What a step gives does not depend on those beside it.
///
/// Used by one thread at a time.
package protocol DraftStepExecutor: AnyObject {
    /// A sequence that never holds anything, as nothing of a text is kept.
    func makeSequence() -> SequenceState

    /// Computes one step of several chains of drafts.
    ///
    /// - Parameters:
    ///   - steps: at most one for each sequence.
    ///   - shouldContinue: asked before each layer.
    /// - Returns: what each gives, in their order; nil if it was stopped.
    /// - Throws: ``EngineError`` with code `contextExceeded` or `outOfMemory`.
    func run(_ steps: [DraftStep], shouldContinue: () -> Bool) throws(EngineError) -> [DraftOutput]?
}

/// A step of a chain of drafts: from the token that follows a sequence to what may follow that token.
package struct DraftStep {
    /// The model's sequence, which holds all tokens but the newest.
    package let sequence: SequenceState
    /// The newest token of the text, and in later steps the token that was drafted in the step before.
    package let token: TokenID
    /// Drafted tokens up to this one.
    package let offset: Int
    /// ``DraftOutput/hidden`` of the step before.
    ///
    /// In the first step it is the model's vector behind its last norm at the sequence's last position, or nil where the
    /// sequence itself keeps that vector.
    package let hidden: [Float]?

    /// Makes a step.
    package init(sequence: SequenceState, token: TokenID, offset: Int = 0, hidden: [Float]? = nil) {
        (self.sequence, self.token, self.offset, self.hidden) = (sequence, token, offset, hidden)
    }

    /// Writes ``hidden``; zeros where it is nil or has another length.
    package func read(into target: UnsafeMutablePointer<Float>, length: Int) {
        guard let hidden, hidden.count == length else {
            return target.update(repeating: 0, count: length)
        }
        target.update(from: hidden, count: length)
    }
}

/// The result of a step.
package struct DraftOutput {
    /// The logits of the token behind the step's, one row, valid until the next call.
    package let logits: Rows
    /// The vector that the next step takes; nil of what keeps all that it needs in sequences of its own.
    package let hidden: [Float]?

    /// Makes a result.
    package init(logits: Rows, hidden: [Float]?) { (self.logits, self.hidden) = (logits, hidden) }

    /// Returns the results of steps.
    ///
    /// - Parameters:
    ///   - logits: `[steps][vocabulary]`.
    ///   - hidden: the vectors that the next steps take, `[steps][length]`.
    package static func outputs(logits: Rows, hidden: Rows) -> [DraftOutput] {
        (0..<logits.count).map { row in
            DraftOutput(
                logits: logits.slice(row..<row + 1), hidden: Array(hidden.slice(row..<row + 1).values))
        }
    }
}

extension Executor {
    /// None, of an executor that runs no layers that predict further tokens.
    package var draftLayers: (any DraftStepExecutor)? { nil }

    /// False, of an executor that keeps no vectors.
    package var keepsVectors: Bool {
        get { false }
        set {}
    }

    /// Nothing.
    package var keptVectors: Rows? { nil }
}

extension Device {
    /// Prepares for a model without its layers that predict further tokens, as a device does that runs none of these.
    package func makeExecutor(
        for model: Model, draftLayers: DraftLayers?, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any Executor {
        try makeExecutor(for: model, keyValueType: keyValueType, contextSize: contextSize, memory: memory)
    }

    /// Refuses drafters, as a device does that runs none.
    package func makeAssistantExecutor(
        for drafter: AssistantDrafter, target: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any DraftStepExecutor {
        throw EngineError(
            .unsupportedTask,
            "the drafter \(drafter.file.path) reads the model's keys and values, which this device does not provide: use a draft model that writes text, or 'lookup'",
            field: "draftModel")
    }
}
