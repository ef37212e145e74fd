import LeapCompute
import LeapModel
import LeapTokenizer

/// A smaller model that proposes tokens, one after the other.
///
/// It computes what the target model's sequences hold in sequences of its own.
final class DraftModel: StepwiseDrafter {
    private let model: Model
    private let executor: any Executor
    /// The maximum number of positions of a sequence.
    private let contextSize: Int
    private let cache: PrefixCache?
    /// The cost of a token, in tokens of the target model.
    private let cost: Double
    /// The share of right proposals of the latest generation, with which new sessions begin.
    private var acceptance = AcceptanceRate()

    /// - Throws: ``EngineError`` with code `incompatibleModels` where the vocabularies differ, or `outOfMemory`.
    init(
        _ model: Model, for target: Model, device: any Device, contextSize: Int, options: EngineOptions,
        memory: MemoryPool
    ) throws(EngineError) {
        try model.checkVocabulary(matches: target)
        self.model = model
        self.contextSize = min(contextSize, model.contextLimit)
        executor = try device.makeExecutor(
            for: model, keyValueType: options.keyValueType, contextSize: self.contextSize, memory: memory)
        cache =
            options.prefixCacheBytes > 0
            ? PrefixCache(
                memory: executor.memory, maxBytes: options.prefixCacheBytes, maxEntries: options.prefixCacheEntries)
            : nil
        cost = options.draftCost ?? model.readCost.ratio(to: target.readCost)
    }

    func makeSequence() -> DraftSequence {
        DraftSequence(
            executor.makeSequence(limit: contextSize), DraftLength(draftCost: cost, acceptance: acceptance))
    }

    func begin(_ request: GenerationRequest, computed: Int, in sequence: DraftSequence) {
        let prompt = request.prompt
        sequence.begin(prompt, known: cache?.longestPrefix(of: prompt, limit: prompt.count))
    }

    func removePrefixes() { cache?.removeAll() }

    // MARK: Prompts

    /// Computes what the target model computes of prompts in a step, so that proposals need not wait for it.
    func follow(
        _ prompts: [(generation: ActiveGeneration, end: Int)], chunk: Int, isShared: Bool, shouldContinue: () -> Bool
    ) {
        while true {
            var budget = chunk
            var work: [Work] = []
            for (generation, end) in prompts where budget > 0 {
                guard let draft = generation.draft, !draft.isOff else { continue }
                let pending = generation.promptCount - draft.state.count
                let end = min(end, contextSize, draft.state.count + budget)
                guard end > draft.state.count,
                    draft.length.isWorth(pending: pending, reply: generation.proposalRoom)
                else { continue }
                let tokens = generation.tokens(from: draft.state.count, to: end)
                guard tokens.allSatisfy(isKnown) else {
                    draft.turnOff()
                    continue
                }
                work.append((draft, BatchSegment(sequence: draft.state, tokens: tokens, wanted: .none)))
                budget -= tokens.count
            }
            guard !work.isEmpty, run(work, shouldContinue) != nil else { return }
            for (generation, _) in prompts where generation.draft?.state.count == generation.promptCount {
                keep(generation)
            }
            if isShared { return }
        }
    }

    private typealias Work = (draft: DraftSequence, segment: BatchSegment)

    /// Runs a pass; nil where it was stopped or cannot be done, which turns its sequences off.
    private func run(_ work: [Work], _ shouldContinue: () -> Bool) -> [Rows]? {
        do throws(EngineError) {
            return try executor.run(work.map(\.segment), shouldContinue: shouldContinue)
        } catch {
            for (draft, _) in work { draft.turnOff() }
            return nil
        }
    }

    func end(_ generation: ActiveGeneration) {
        guard let draft = generation.draft else { return }
        acceptance = draft.length.acceptance
        keep(generation)
    }

    /// Keeps what a generation's sequence holds for other sessions to begin with.
    private func keep(_ generation: ActiveGeneration) {
        guard let cache, let draft = generation.draft, !draft.isOff, draft.state.count > 0 else { return }
        cache.insert(draft.state.shared(), of: draft.state.tokens)
    }

    // MARK: Proposals

    func step(
        _ proposals: [DraftProposal], shouldContinue: () -> Bool
    ) throws(EngineError) -> [DraftOutput]? {
        let segments = proposals.map { proposal in
            // In the first step there may be more of the text that this model has not computed yet.
            let (state, total) = (proposal.draft.state, proposal.generation.tokenCount)
            let tokens =
                proposal.tokens.last.map { [$0] } ?? proposal.generation.tokens(from: state.count, to: total)
            return BatchSegment(sequence: state, tokens: tokens, wanted: .last)
        }
        return try executor.run(segments, shouldContinue: shouldContinue)?.map { DraftOutput(logits: $0, hidden: nil) }
    }

    func begin(_ generation: ActiveGeneration, limit: Int, sequences: Int) -> DraftProposal? {
        guard let draft = generation.draft, !draft.isOff else { return nil }
        let total = generation.tokenCount
        draft.follow(count: total, token: generation.token)
        let pending = total - draft.state.count
        let room = min(generation.proposalRoom, limit, contextSize - total + 1)
        let count = draft.length.count(limit: room, pending: pending)
        guard count > 0, generation.tokens(from: draft.state.count, to: total).allSatisfy(isKnown) else { return nil }
        draft.length.spend(draft.length.cost(of: count, pending: pending))
        // What is proposed behind it may be wrong.
        draft.state.planCheckpoint(at: total)
        return DraftProposal(generation, draft, count: count)
    }

    /// Prompts may name tokens behind the vocabulary that only the target model has rows for.
    private func isKnown(_ token: TokenID) -> Bool { Int(token) < model.vocabularySize }
}
