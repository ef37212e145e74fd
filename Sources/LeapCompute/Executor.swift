package import LeapModel
package import LeapTokenizer

/// Runs steps of one model: the seam between what schedules and what computes.
///
/// A step is the whole graph for a batch, not one operation. Which of the layers run where is the executor's own
/// business. What a row of a batch gives does not depend on the batch it is in.
///
/// Used by one thread at a time.
package protocol Executor: AnyObject {
    /// Logits of one position.
    var vocabularySize: Int { get }
    /// Makes the pages of its sequences.
    var memory: any StateMemory { get }

    /// The layers whose outputs the following passes keep, in ascending order; none as a rule.
    var capturedLayers: [Int] { get set }
    /// The outputs of these layers in the latest pass, `[positions of all segments][layers · width]`, valid until the
    /// next call; nil where it kept none.
    var capturedStreams: Rows? { get }

    /// True if the following passes keep the vectors behind the last norm of the positions that something is wanted of;
    /// false as a rule.
    var keepsVectors: Bool { get set }
    /// These vectors of the latest pass, `[wanted positions of all segments][width]`, valid until the next call; nil
    /// where it kept none.
    var keptVectors: Rows? { get }

    /// Runs the layers that predict further tokens; nil where it was made without such.
    var draftLayers: (any DraftStepExecutor)? { get }

    /// An empty sequence.
    func makeSequence(limit: Int) -> SequenceState

    /// Computes a batch and adds its positions to their sequences.
    ///
    /// - Parameters:
    ///   - segments: at most one for each sequence, token ids inside of the vocabulary; of a model that is not causal,
    ///     whole texts in empty sequences.
    ///   - shouldContinue: asked before each layer; when it says no, the sequences hold what they held before, or up to
    ///     63 tokens less (see ``SequenceState/abandon(_:)``).
    /// - Returns: what was wanted of each segment, in the order of the batch, valid until the next call; nil if it was
    ///   stopped.
    /// - Throws: ``EngineError`` with code `contextExceeded` or `outOfMemory`; the sequences are as after a stop.
    func run(_ segments: [BatchSegment], shouldContinue: () -> Bool) throws(EngineError) -> [Rows]?

    /// The logits of vectors behind the last layer, valid until the next call.
    func logits(of vectors: Rows) throws(EngineError) -> Rows

    /// The logits of some tokens for vectors behind the last layer, `[vectors][tokens]`; the same bits as
    /// ``logits(of:)`` has for them.
    func logits(of vectors: Rows, for tokens: [TokenID]) throws(EngineError) -> [[Float]]

    /// Vectors that stand for texts in their final length, a few of them; nil where the model projects none.
    func project(_ vectors: [[Float]]) throws(EngineError) -> [[Float]]?

    /// The scores that the model's classifier makes of vectors that stand for texts, a few of them; nil where it has
    /// none.
    func classify(_ vectors: [[Float]]) throws(EngineError) -> [[Float]]?

    /// The logits of masked words that the model's head makes of the vectors in their places, a few of them; nil where
    /// it has none.
    func maskedWords(_ vectors: [[Float]]) throws(EngineError) -> [[Float]]?

    /// The scores that a decision model's head makes of the vectors at the masks of options; nil where it has none.
    func optionScores(_ vectors: [[Float]]) throws(EngineError) -> [Float]?

    /// For each row the logarithm of the sum of its exponentials.
    func logSumExp(_ rows: Rows) -> [Float]

    /// Scratch memory, which is taken when it is needed and kept for the next batch.
    var scratch: any ScratchMemory { get }
}

/// The scratch memory of an executor, by what a scheduler decides whether to give it up.
package protocol ScratchMemory: AnyObject {
    /// Bytes that are taken.
    var byteCount: Int { get }
    /// Rows of the largest batch since memory was last given back.
    var largestRows: Int { get }
    /// Returns the bytes that a batch of few rows with logits for each is likely to take, by those of the batches
    /// before; 0 before the first one.
    func estimatedByteCount(rows: Int, vocabularySize: Int) -> Int
    /// Gives all of it back.
    func removeAll()
}

extension Executor {
    /// No model that has such a head.
    package func optionScores(_ vectors: [[Float]]) throws(EngineError) -> [Float]? { nil }

    /// Those logits out of all of them.
    package func logits(of vectors: Rows, for tokens: [TokenID]) throws(EngineError) -> [[Float]] {
        let all = try logits(of: vectors)
        return (0..<all.count).map { row in tokens.map { all.row(row)[Int($0)] } }
    }
}
