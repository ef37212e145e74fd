import LeapCompute
import LeapGGUF
import LeapModel
import LeapTokenizer

/// A proposer of tokens beside a model, as the engine's thread runs it.
///
/// It keeps what it needs of the model's sequences in sequences of its own, and proposes for all generations in shared
/// passes. What it proposes is drawn as the model's tokens are, with copies of their samplers: where both agree, so do
/// the tokens, at any temperature.
protocol Drafter: AnyObject {
    /// The layers of the model whose outputs it reads, in ascending order.
    var sourceLayers: [Int] { get }

    /// True if it reads the vectors behind the model's last norm.
    var readsVectors: Bool { get }

    /// True if it proposes for prompts with pictures and sounds too.
    var readsMedia: Bool { get }

    /// True if it keeps memory of sequences that can be given up.
    var holdsMemory: Bool { get }

    /// True if it proposes where steps with proposals were faster; false where the same output has the same proposals
    /// everywhere.
    var isMeasured: Bool { get }

    /// A sequence that holds nothing.
    func makeSequence() -> DraftSequence

    /// Goes on with a generation's prompt, of which the model's state holds so many tokens.
    func begin(_ request: GenerationRequest, computed: Int, in sequence: DraftSequence)

    /// Gives back what is kept for other sessions.
    func removePrefixes()

    /// Takes note of what a step will compute of prompts; the work may be done beside it.
    ///
    /// - Parameters:
    ///   - prompts: generations, and how many tokens of their prompts will be computed by the step's end.
    ///   - chunk: tokens in a pass.
    ///   - isShared: whether other sessions wait for their next token: there is one pass only then.
    func follow(
        _ prompts: [(generation: ActiveGeneration, end: Int)], chunk: Int, isShared: Bool, shouldContinue: () -> Bool)

    /// Takes what the layers of ``sourceLayers`` put out at segments that the model has computed.
    func absorb(_ computed: [ComputedSegment])

    /// Takes the model's vectors of the positions that were computed for their logits.
    func take(_ vectors: [ComputedVectors])

    /// Proposes tokens for generations that decode.
    ///
    /// - Parameter limit: the maximum number of tokens for each.
    func propose(for generations: [ActiveGeneration], limit: Int, shouldContinue: () -> Bool)

    /// Takes note of how long the latest proposals took.
    func note(proposingSeconds: Double)

    /// Takes note of a step that decoded.
    ///
    /// - Parameters:
    ///   - rows: the tokens of the step, proposals among them.
    ///   - sequences: the generations whose next token it computed.
    ///   - seconds: how long it took.
    func note(rows: Int, sequences: Int, seconds: Double)

    /// Takes note of a generation's end: how its proposals did, and what its sequence holds.
    func end(_ generation: ActiveGeneration)
}

extension Drafter {
    var sourceLayers: [Int] { [] }
    var readsVectors: Bool { false }
    var readsMedia: Bool { false }
    var holdsMemory: Bool { true }
    var isMeasured: Bool { false }
    func absorb(_ computed: [ComputedSegment]) {}
    func take(_ vectors: [ComputedVectors]) {}
    func note(proposingSeconds: Double) {}
    func note(rows: Int, sequences: Int, seconds: Double) {}
}

/// A segment that the model has computed, and what its layers put out there.
struct ComputedSegment {
    let generation: ActiveGeneration
    /// The index of the first token in the sequence.
    let start: Int
    let tokens: ArraySlice<TokenID>
    /// `[tokens][layers · width]`, valid until the next pass.
    let streams: Rows
}

/// The model's vectors of positions that it has computed for their logits.
struct ComputedVectors {
    let generation: ActiveGeneration
    /// The position of the first of them.
    let start: Int
    /// `[positions][width]`, valid until the next pass.
    let vectors: Rows
}

/// A source of a drafter: a model that writes text itself, one that was trained to read what the other's layers put out
/// or keep, or layers of the model in a file apart.
package protocol DraftSource: Sendable {}

extension Model: DraftSource {}
extension BlockDrafter: DraftSource {}
extension AssistantDrafter: DraftSource {}
extension DraftLayerFile: DraftSource {}

/// Files of draft models.
package enum DraftSources {
    /// Loads what a file holds.
    ///
    /// - Parameter preTokenizer: the rule that splits text in place of the one that the file names; see
    ///   ``Model/load(file:ropeScaling:preTokenizer:)``.
    /// - Throws: `GGUFError`, `TokenizerError` or ``EngineError``.
    package static func load(
        path: String, useMmap: Bool = true, preTokenizer: String? = nil
    ) throws -> any DraftSource {
        let file = try GGUFFile.open(path: path, useMmap: useMmap)
        if BlockDrafter.isDrafter(file) { return try BlockDrafter.load(file: file) }
        if AssistantDrafter.isDrafter(file) { return try AssistantDrafter.load(file: file) }
        if DraftLayerFile.isOne(file) { return DraftLayerFile(file: file) }
        return try Model.load(file: file, preTokenizer: preTokenizer)
    }

    /// The number of a model's first layers whose outputs, or whose keys and values, the processor has to have.
    static func readLayerCount(_ source: (any DraftSource)?, of target: Model) -> Int {
        switch source {
        case let drafter as BlockDrafter: drafter.sourceLayers.last.map { $0 + 1 } ?? 0
        case let drafter as AssistantDrafter: drafter.readLayerCount(of: target)
        default: 0
        }
    }

    /// Makes a drafter.
    ///
    /// - Throws: ``EngineError`` with code `incompatibleModels` where it does not fit the model, `unsupportedTask`
    ///   where the device does not run it, or `outOfMemory`.
    static func makeDrafter(
        _ source: any DraftSource, for target: Model, device: any Device, contextSize: Int, options: EngineOptions,
        memory: MemoryPool
    ) throws(EngineError) -> any Drafter {
        switch source {
        case let drafter as BlockDrafter:
            try BlockDraftModel(
                drafter, for: target, device: device, contextSize: contextSize, options: options, memory: memory)
        case let drafter as AssistantDrafter:
            try AssistantDraftModel(
                drafter, for: target, device: device, contextSize: contextSize, options: options, memory: memory)
        case let model as Model:
            try DraftModel(
                model, for: target, device: device, contextSize: contextSize, options: options, memory: memory)
        default: throw .noDraftModel
        }
    }
}
