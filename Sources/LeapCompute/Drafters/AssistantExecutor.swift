import LeapGGUF
package import LeapModel
package import LeapTokenizer

/// Runs a drafter that reads a model's keys and values: see ``AssistantDrafter``.
///
/// It reads the model's sequences and leaves them as they are. What a step gives does not depend on those beside it.
///
/// Used by one thread at a time.
package protocol AssistantExecutor: AnyObject {
    /// A sequence that never holds anything, as nothing of a text is kept.
    func makeSequence() -> SequenceState

    /// Computes steps, at most one for each sequence.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`.
    func run(_ steps: [AssistantStep]) throws(EngineError) -> AssistantOutput
}

/// A step behind a sequence: from the token that follows it to what may follow that token.
package struct AssistantStep {
    /// The model's sequence, which holds at least one position.
    package let sequence: SequenceState
    /// The latest token: at first the one behind the sequence, and then the one that was proposed last.
    package let token: TokenID
    /// The model's vector behind its last norm at the sequence's last position, or the vector of the step before.
    package let vector: ArraySlice<Float>

    package init(sequence: SequenceState, token: TokenID, vector: ArraySlice<Float>) {
        self.sequence = sequence
        self.token = token
        self.vector = vector
    }
}

/// The results of steps, valid until the next call.
package struct AssistantOutput {
    /// `[steps][vocabulary]`.
    package let logits: Rows
    /// The vectors that the next steps take, as long as the model's.
    package let vectors: Rows

    package init(logits: Rows, vectors: Rows) {
        self.logits = logits
        self.vectors = vectors
    }
}

extension Device {
    /// Refuses drafters, as a device does that runs none.
    package func makeAssistantExecutor(
        for drafter: AssistantDrafter, target: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any AssistantExecutor {
        throw EngineError(
            .unsupportedTask,
            "the drafter \(drafter.file.path) reads the model's keys and values, which this device does not provide: use a draft model that writes text, or 'lookup'",
            field: "draftModel")
    }
}

extension Executor {
    /// False, of an executor that keeps no vectors.
    package var keepsVectors: Bool {
        get { false }
        set {}
    }

    /// Nothing.
    package var keptVectors: Rows? { nil }
}
