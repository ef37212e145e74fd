import LeapCompute
import LeapModel
import LeapTokenizer

/// Layers that predict further tokens, as a proposer: the model's own, see ``DraftLayers``.
///
/// What they need of the text so far is in the model's sequences, so nothing is kept here but the record of proposals.
final class LayerDraftModel: StepwiseDrafter {
    /// The share of time that they may lose: with the cost of the layers' keys and values, less than 3%.
    private static let allowance = DraftLength.Allowance(start: 1, share: 0.015)

    private let executor: any DraftStepExecutor
    /// The maximum number of tokens that are proposed for a pass.
    private let limit: Int
    /// True if costs are measured; false if they were given.
    let isMeasured: Bool
    private var timings: DraftTimings
    /// The steps of the latest proposals.
    private var steps = 0
    /// The shares of right proposals of the latest generation, with which new sessions begin.
    private var acceptance = AcceptanceRate()
    private var places = PlaceAcceptance()

    /// - Parameters:
    ///   - limit: the maximum number of tokens that are proposed for a pass.
    ///   - stepCost: the cost of a drafted token before one was measured, in tokens of the model.
    ///   - givenCost: that cost where it is not to be measured.
    init(_ executor: any DraftStepExecutor, limit: Int, stepCost: Double, givenCost: Double? = nil) {
        self.executor = executor
        self.limit = limit
        isMeasured = givenCost == nil
        timings = DraftTimings(stepCost: givenCost ?? stepCost)
    }

    var readsMedia: Bool { true }
    var holdsMemory: Bool { false }

    func makeSequence() -> DraftSequence {
        DraftSequence(
            executor.makeSequence(),
            DraftLength(
                draftCost: timings.stepCost, acceptance: acceptance, places: places, allowance: Self.allowance))
    }

    func begin(_ request: GenerationRequest, computed: Int, in sequence: DraftSequence) { sequence.begin() }

    func removePrefixes() {
        // The model's prefixes have what the layers need.
    }

    func follow(
        _ prompts: [(generation: ActiveGeneration, end: Int)], chunk: Int, isShared: Bool, shouldContinue: () -> Bool
    ) {
        // The model's passes keep what the layers need.
    }

    func note(rows: Int, sequences: Int, seconds: Double) {
        if isMeasured { timings.note(rows: rows, sequences: sequences, seconds: seconds) }
    }

    func note(proposingSeconds: Double) {
        if isMeasured { timings.note(steps: steps, seconds: proposingSeconds) }
        steps = 0
    }

    func end(_ generation: ActiveGeneration) {
        guard let draft = generation.draft else { return }
        acceptance = draft.length.acceptance
        if let places = draft.length.places { self.places = places }
    }

    // MARK: Proposals

    func step(
        _ proposals: [DraftProposal], shouldContinue: () -> Bool
    ) throws(EngineError) -> [DraftOutput]? {
        let outputs = try executor.run(proposals.map(\.step), shouldContinue: shouldContinue)
        if outputs != nil { steps += 1 }
        return outputs
    }

    func begin(_ generation: ActiveGeneration, limit: Int, sequences: Int) -> DraftProposal? {
        guard let draft = generation.draft, !draft.isOff, !generation.isSpeaking, !generation.demandsToken else {
            return nil
        }
        // Of tokens that must follow there may be several that the model has not computed yet.
        guard generation.state.count == generation.tokenCount - 1 else { return nil }
        if isMeasured {
            draft.length.set(rowCost: timings.rowCost(sequences: sequences), stepCost: timings.stepCost)
        }
        let count = draft.length.count(limit: min(generation.proposalRoom, limit, self.limit), pending: 1)
        guard count > 0 else { return nil }
        draft.length.spend(draft.length.cost(of: count, pending: 1))
        return DraftProposal(generation, draft, count: count)
    }
}
