import LeapGGUF
package import LeapModel
package import LeapTokenizer

/// Runs a drafter that proposes blocks of tokens: see ``BlockDrafter``.
///
/// Its sequences hold what it needs of the text so far. What a sequence gets does not depend on those beside it.
///
/// Used by one thread at a time.
package protocol BlockDraftExecutor: AnyObject {
    /// Makes the pages of its sequences.
    var memory: any StateMemory { get }

    /// An empty sequence.
    func makeSequence(limit: Int) -> SequenceState

    /// Adds positions to sequences.
    ///
    /// - Parameters:
    ///   - segments: their tokens, at most one segment for each sequence.
    ///   - streams: for each segment what the model's layers put out at its positions, `[positions][layers · width]`.
    /// - Throws: ``EngineError`` with code `contextExceeded` or `outOfMemory`; the sequences hold what they held
    ///   before.
    func absorb(_ segments: [BatchSegment], streams: [Rows]) throws(EngineError)

    /// The logits of blocks that follow sequences, each of which then holds what it held before.
    ///
    /// - Returns: those of the last positions of each block, as many as it proposes, valid until the next call; nil if
    ///   it was stopped.
    /// - Throws: as ``absorb(_:streams:)``.
    func logits(of blocks: [DraftBlock], shouldContinue: () -> Bool) throws(EngineError) -> [Rows]?

    /// Adds to rows of logits what follows from the token before each.
    func addTransitions(_ rows: [(previous: TokenID, logits: Rows)]) throws(EngineError)
}

/// A block that follows a sequence.
package struct DraftBlock {
    package let sequence: SequenceState
    package let tokens: [TokenID]
    /// The number of positions that propose a token; they are the last ones.
    package let proposals: Int

    package init(sequence: SequenceState, tokens: [TokenID], proposals: Int) {
        self.sequence = sequence
        self.tokens = tokens
        self.proposals = proposals
    }
}

extension Device {
    /// Refuses drafters, as a device does that runs none.
    package func makeDraftExecutor(
        for drafter: BlockDrafter, target: Model, keyValueType: KeyValueType, contextSize: Int, memory: MemoryPool
    ) throws(EngineError) -> any BlockDraftExecutor {
        throw EngineError(
            .unsupportedTask,
            "the drafter \(drafter.file.path) needs the outputs of layers, which this device does not provide: use a draft model that writes text, or 'lookup'",
            field: "draftModel")
    }
}

extension Executor {
    /// None, of an executor that keeps no outputs of layers.
    package var capturedLayers: [Int] {
        get { [] }
        set {}
    }

    /// Nothing.
    package var capturedStreams: Rows? { nil }
}
