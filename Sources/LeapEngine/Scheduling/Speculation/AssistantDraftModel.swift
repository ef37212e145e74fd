import LeapCompute
import LeapModel
import LeapTokenizer

/// A drafter that proposes tokens one after the other, from the model's own keys and values.
///
/// It keeps nothing of texts but the model's vector of the latest position: it follows whatever the model's sequence
/// holds, also what came from a kept prefix or a saved conversation.
final class AssistantDraftModel: Drafter {
    private let executor: any AssistantExecutor
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

    /// A proposal in progress, and what its next step takes.
    private struct Work {
        var proposal: DraftProposal
        var step: AssistantStep
    }

    func propose(for generations: [ActiveGeneration], limit: Int, shouldContinue: () -> Bool) {
        var all = generations.compactMap { begin($0, limit: limit) }
        var open = Array(all.indices)
        do throws(EngineError) {
            while !open.isEmpty, shouldContinue() {
                let output = try executor.run(open.map { all[$0].step })
                open = open.enumerated().compactMap { row, index in
                    let step = all[index].step
                    let next = Self.draw(&all[index].proposal, output, row: row, behind: step)
                    all[index].step = next ?? step
                    return next == nil ? nil : index
                }
            }
        } catch {
            for work in all { work.proposal.draft.turnOff() }
            return
        }
        for work in all { work.proposal.generation.take(proposal: work.proposal.tokens) }
    }

    /// Draws the next token of a proposal.
    ///
    /// - Returns: the step behind it; nil where the proposal is complete.
    private static func draw(
        _ proposal: inout DraftProposal, _ output: AssistantOutput, row: Int, behind step: AssistantStep
    ) -> AssistantStep? {
        guard let token = proposal.draw(from: output.logits.slice(row..<row + 1).values),
            proposal.tokens.count < proposal.count
        else { return nil }
        return AssistantStep(
            sequence: step.sequence, token: token, vector: Array(output.vectors.slice(row..<row + 1).values)[...])
    }

    /// Decides how many tokens to propose for a generation; nil for none.
    private func begin(_ generation: ActiveGeneration, limit: Int) -> Work? {
        let (total, computed) = (generation.tokenCount, generation.state.count)
        // Of tokens that must follow there may be several that the model has not computed yet.
        guard let draft = generation.draft, !draft.isOff, !generation.demandsToken, computed == total - 1,
            let vector = draft.vectors?.vector(at: computed - 1)
        else { return nil }
        let token = generation.token(computed)
        let count = draft.length.count(limit: min(generation.proposalRoom, limit), pending: 1)
        // What stands for a frame of speech has no row in the table.
        guard count > 0, token >= 0 else { return nil }
        draft.length.spend(draft.length.cost(of: count, pending: 1))
        return Work(
            proposal: DraftProposal(generation, draft, count: count),
            step: AssistantStep(sequence: generation.state, token: token, vector: vector))
    }
}
