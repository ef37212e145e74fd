import LeapCompute
import LeapModel
import LeapTokenizer

/// Layers that predict further tokens, as a proposer: the model's own, see ``DraftLayers``.
///
/// What they need of the text so far is in the model's sequences, so nothing is kept here but the record of proposals.
final class LayerDraftModel: Drafter {
    /// The share of time that they may lose: with the cost of the layers' keys and values, less than 3%.
    private static let allowance = DraftLength.Allowance(start: 1, share: 0.015)

    private let executor: any DraftLayerExecutor
    /// The maximum number of tokens that are proposed for a pass.
    private let limit: Int
    /// True if costs are measured; false if they were given.
    private let isMeasured: Bool
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
    init(_ executor: any DraftLayerExecutor, limit: Int, stepCost: Double, givenCost: Double? = nil) {
        self.executor = executor
        self.limit = limit
        isMeasured = givenCost == nil
        timings = DraftTimings(stepCost: givenCost ?? stepCost)
    }

    var readsMedia: Bool { true }
    var holdsMemory: Bool { false }

    func makeSequence() -> DraftSequence {
        DraftSequence(
            executor.makeSequence(limit: 1),
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

    func propose(for generations: [ActiveGeneration], limit: Int, shouldContinue: () -> Bool) {
        var proposals = generations.compactMap { begin($0, limit: limit, sequences: generations.count) }
        var hidden = [[Float]?](repeating: nil, count: proposals.count)
        var waiting = Array(proposals.indices)
        do throws(EngineError) {
            while !waiting.isEmpty {
                let next = waiting.map { index in
                    let (generation, tokens) = (proposals[index].generation, proposals[index].tokens)
                    return DraftStep(
                        sequence: generation.state,
                        token: tokens.last ?? generation.token(generation.tokenCount - 1), offset: tokens.count,
                        hidden: hidden[index])
                }
                guard let outputs = try executor.run(next, shouldContinue: shouldContinue) else { break }
                steps += 1
                for (index, output) in zip(waiting, outputs) {
                    hidden[index] = output.hidden
                    _ = proposals[index].draw(from: output.logits.values)
                }
                // One that drew nothing has fewer tokens than steps.
                waiting = waiting.filter { index in
                    let count = proposals[index].tokens.count
                    return count == next.first.map { $0.offset + 1 } && count < proposals[index].count
                }
            }
        } catch {
            for proposal in proposals { proposal.draft.isOff = true }
            return
        }
        for proposal in proposals { proposal.generation.take(proposal: proposal.tokens) }
    }

    /// Decides how many tokens to propose for a generation; nil for none.
    private func begin(_ generation: ActiveGeneration, limit: Int, sequences: Int) -> DraftProposal? {
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
