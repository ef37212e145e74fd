import LeapCompute
import LeapModel
import LeapTokenizer

/// A drafter that proposes tokens one after the other, from the model's own keys and values.
///
/// It keeps nothing of texts but the model's vector of the latest position: it follows whatever the model's sequence
/// holds, also what came from a kept prefix or a saved conversation.
final class AssistantDraftModel: StepwiseDrafter {
    private let executor: any DraftStepExecutor
    /// The cost of a token, in tokens of the model.
    private let cost: Double
    /// The share of right proposals of the latest generation, with which new sessions begin.
    private var acceptance = AcceptanceRate()

    /// - Throws: ``EngineError`` with code `incompatibleModels` where the drafter is not for the model, or
    ///   `unsupportedTask`.
    init(
        _ drafter: AssistantDrafter, for target: Model, device: any Device, contextSize: Int, options: EngineOptions,
        memory: MemoryPool
    ) throws(EngineError) {
        try drafter.validate(for: target)
        executor = try device.makeAssistantExecutor(
            for: drafter, target: target, keyValueType: options.keyValueType, contextSize: contextSize, memory: memory)
        cost = options.draftCost ?? drafter.cost(beside: target)
    }

    var readsVectors: Bool { true }
    var holdsMemory: Bool { false }

    func makeSequence() -> DraftSequence {
        DraftSequence(executor.makeSequence(), DraftLength(draftCost: cost, acceptance: acceptance))
    }

    func begin(_ request: GenerationRequest, computed: Int, in sequence: DraftSequence) {
        sequence.begin()
        sequence.vectors = nil
    }

    func removePrefixes() {
        // It keeps none.
    }

    func follow(
        _ prompts: [(generation: ActiveGeneration, end: Int)], chunk: Int, isShared: Bool, shouldContinue: () -> Bool
    ) {
        // What it needs of a prompt is what the model keeps of it.
    }

    func take(_ vectors: [ComputedVectors]) {
        for computed in vectors where computed.generation.draft?.isOff == false {
            computed.generation.draft?.vectors = DraftVectors(computed)
        }
    }

    func end(_ generation: ActiveGeneration) {
        guard let draft = generation.draft else { return }
        acceptance = draft.length.acceptance
        draft.vectors = nil
    }

    // MARK: Proposals

    func begin(_ generation: ActiveGeneration, limit: Int, sequences: Int) -> DraftProposal? {
        let (total, computed) = (generation.tokenCount, generation.state.count)
        // Of tokens that must follow there may be several that the model has not computed yet.
        guard let draft = generation.draft, !draft.isOff, !generation.demandsToken, computed == total - 1,
            let vector = draft.vectors?.vector(at: computed - 1)
        else { return nil }
        let count = draft.length.count(limit: min(generation.proposalRoom, limit), pending: 1)
        // What stands for a frame of speech has no row in the table.
        guard count > 0, generation.token(computed) >= 0 else { return nil }
        draft.length.spend(draft.length.cost(of: count, pending: 1))
        return DraftProposal(generation, draft, count: count, hidden: Array(vector))
    }

    func step(
        _ proposals: [DraftProposal], shouldContinue: () -> Bool
    ) throws(EngineError) -> [DraftOutput]? {
        try executor.run(proposals.map(\.step), shouldContinue: shouldContinue)
    }
}
