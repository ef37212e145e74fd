import LeapCompute
import LeapModel
import LeapTokenizer

/// A drafter that proposes a block of tokens in one pass, from what the model's layers put out at the positions before.
///
/// Where the model goes on from a kept state that the drafter has nothing of, its sequence begins there: rotations tell
/// distances only, so that what it proposes then is what it would propose for a text that begins there.
final class BlockDraftModel: Drafter {
    private let drafter: BlockDrafter
    private let executor: any BlockDraftExecutor
    /// The maximum number of positions of a sequence.
    private let contextSize: Int
    private let cache: PrefixCache?
    /// See ``DraftLength``.
    private let costs: (first: Double, next: Double)
    /// The share of right proposals of the latest generation, with which new sessions begin.
    private var acceptance = AcceptanceRate()

    /// - Throws: ``EngineError`` with code `incompatibleModels` where the drafter is not for the model, or
    ///   `unsupportedTask`.
    init(
        _ drafter: BlockDrafter, for target: Model, device: any Device, contextSize: Int, options: EngineOptions,
        memory: MemoryPool
    ) throws(EngineError) {
        try drafter.validate(for: target)
        self.drafter = drafter
        self.contextSize = min(contextSize, drafter.contextLength)
        executor = try device.makeDraftExecutor(
            for: drafter, target: target, keyValueType: options.keyValueType,
            contextSize: self.contextSize + drafter.blockLength, memory: memory)
        cache =
            options.prefixCacheBytes > 0
            ? PrefixCache(
                memory: executor.memory, maxBytes: options.prefixCacheBytes, maxEntries: options.prefixCacheEntries)
            : nil
        let cost = drafter.cost(beside: target)
        costs =
            options.draftCost.map { ($0, $0) } ?? (cost.block, cost.block * ProposalLength.cost + cost.transition)
    }

    var sourceLayers: [Int] { drafter.sourceLayers }

    func makeSequence() -> DraftSequence {
        DraftSequence(
            executor.makeSequence(limit: contextSize + drafter.blockLength),
            DraftLength(draftCost: costs.first, nextCost: costs.next, acceptance: acceptance))
    }

    func begin(_ request: GenerationRequest, computed: Int, in sequence: DraftSequence) {
        sequence.begin(
            request.prompt, computed: computed,
            known: cache?.longestPrefix(of: request.prompt, limit: computed, adapters: request.adapters.key))
    }

    func removePrefixes() { cache?.removeAll() }

    func follow(
        _ prompts: [(generation: ActiveGeneration, end: Int)], chunk: Int, isShared: Bool, shouldContinue: () -> Bool
    ) {
        // What it needs of a prompt comes with the step.
    }

    func end(_ generation: ActiveGeneration) {
        guard let draft = generation.draft else { return }
        acceptance = draft.length.acceptance
        // The model may have computed all tokens, and the next turn goes on behind the last of them.
        draft.follow(count: generation.tokenCount + 1, token: generation.token)
        keep(generation)
    }

    /// Keeps what a generation's sequence holds for other sessions to begin with.
    private func keep(_ generation: ActiveGeneration) {
        guard let cache, let draft = generation.draft, !draft.isOff, draft.start == 0, draft.state.count > 0 else {
            return
        }
        cache.insert(draft.state.shared(), of: draft.state.tokens, adapters: generation.request.adapters.key)
    }

    // MARK: The text so far

    func absorb(_ computed: [ComputedSegment]) {
        let parts = computed.filter(prepare)
        guard !parts.isEmpty else { return }
        let segments = parts.compactMap { part in
            part.generation.draft.map { BatchSegment(sequence: $0.state, tokens: part.tokens, wanted: .none) }
        }
        do throws(EngineError) {
            try executor.absorb(segments, streams: parts.map(\.streams))
        } catch {
            for part in parts { part.generation.draft?.turnOff() }
            return
        }
        for part in parts {
            let promptCount = part.generation.promptCount
            if part.start < promptCount, part.start + part.tokens.count >= promptCount { keep(part.generation) }
        }
    }

    /// Returns true if a segment's sequence takes it in, which then holds what is before the segment.
    private func prepare(_ part: ComputedSegment) -> Bool {
        guard let draft = part.generation.draft, !draft.isOff else { return false }
        draft.follow(count: part.start + 1, token: part.generation.token)
        if draft.end != part.start || draft.state.count + part.tokens.count > contextSize {
            draft.restart(at: part.start)
        }
        guard part.tokens.count <= contextSize else {
            draft.turnOff()
            return false
        }
        return true
    }

    // MARK: Proposals

    func propose(for generations: [ActiveGeneration], limit: Int, shouldContinue: () -> Bool) {
        var proposals = generations.compactMap { begin($0, limit: limit) }
        guard !proposals.isEmpty else { return }
        do throws(EngineError) {
            let blocks = proposals.map { proposal in
                let last = proposal.generation.token(proposal.generation.tokenCount - 1)
                return DraftBlock(
                    sequence: proposal.draft.state, tokens: drafter.block(after: last, proposing: proposal.count),
                    proposals: proposal.count)
            }
            guard let logits = try executor.logits(of: blocks, shouldContinue: shouldContinue) else { return }
            try draw(&proposals, blocks, from: logits)
        } catch {
            for proposal in proposals { proposal.draft.turnOff() }
            return
        }
        for proposal in proposals { proposal.generation.take(proposal: proposal.tokens) }
    }

    /// Draws the tokens of all blocks, one place after the other.
    private func draw(
        _ proposals: inout [DraftProposal], _ blocks: [DraftBlock], from logits: [Rows]
    ) throws(EngineError) {
        for place in 0..<(proposals.map(\.count).max() ?? 0) {
            let open = proposals.indices.filter {
                proposals[$0].tokens.count == place && place < proposals[$0].count
            }
            guard !open.isEmpty else { return }
            let rows = open.map { index in
                (
                    previous: proposals[index].tokens.last ?? blocks[index].tokens[0],
                    logits: logits[index].slice(place..<place + 1)
                )
            }
            try executor.addTransitions(rows)
            for (index, row) in zip(open, rows) { _ = proposals[index].draw(from: row.logits.values) }
        }
    }

    /// Decides how many tokens to propose for a generation; nil for none.
    private func begin(_ generation: ActiveGeneration, limit: Int) -> DraftProposal? {
        guard let draft = generation.draft, !draft.isOff else { return nil }
        let total = generation.tokenCount
        draft.follow(count: total, token: generation.token)
        // Of tokens that must follow there may be several that the model has not computed yet.
        guard draft.end == total - 1 else { return nil }
        let room = min(generation.proposalRoom, limit, drafter.maxProposal)
        let count = draft.length.count(limit: room, pending: 1)
        guard count > 0 else { return nil }
        draft.length.spend(draft.length.cost(of: count, pending: 1))
        return DraftProposal(generation, draft, count: count)
    }
}
