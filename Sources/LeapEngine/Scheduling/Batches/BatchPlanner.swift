import LeapCompute

/// Decides which positions of which generations a step computes.
struct BatchPlanner {
    private var budget: StepBudget
    /// Rotates over the prompts in progress, so that each gets its turn.
    private var turn = 0
    /// The number of prompts that waited for their first token when the last step was planned.
    private var waiting = 1

    /// Nothing measured yet.
    init(_ budget: StepBudget) { self.budget = budget }

    /// Returns the parts of the next step: the next tokens of all generations that decode, and pieces of prompts.
    mutating func plan(_ active: [ActiveGeneration]) -> [BatchPart] {
        let ready = active.filter { !$0.waitsForMedia }
        let decoding = ready.filter { !$0.isPrefilling }
        let prompts = ready.filter(\.isPrefilling)
        let proposals = Drafting.proposalLimit(decoding.count)
        // Tokens that must follow may be many, and are computed in pieces too where others wait.
        let pending = ready.count > 1 ? budget.tokens(besides: decoding.count) : budget.limit
        var chosen = decoding.map {
            BatchPart(generation: $0, segment: $0.nextSegment(budget: pending, proposals: proposals))
        }
        turn &+= 1
        waiting = max(1, prompts.count)
        if !chosen.isEmpty, budget.takesTime(of: chosen.rows, waiting: waiting) { return chosen }
        let limit = budget.tokens(besides: chosen.rows, waiting: waiting)
        let shares = budget.policy.shares(prompts.map(\.remainingPromptTokens), budget: limit, turn: turn)
        for (generation, share) in zip(prompts, shares) where share > 0 {
            chosen.append(.next(of: generation, budget: share))
        }
        return chosen
    }

    /// Returns the number of tokens of prompts in a pass of the draft model.
    ///
    /// - Parameter isShared: true if generations wait for their next token meanwhile.
    func draftChunk(isShared: Bool) -> Int { budget.tokens(isShared: isShared) }

    /// Learns from a step how much the next ones may hold.
    ///
    /// - Parameters:
    ///   - promptTokens: the number of tokens of prompts in it.
    ///   - remaining: the number of them that there were.
    ///   - decodingRows: the number of its tokens of generations that decode.
    ///   - seconds: how long it took.
    mutating func note(promptTokens: Int, of remaining: Int, decodingRows: Int, seconds: Double) {
        budget.note(
            promptTokens: promptTokens, isFilled: promptTokens < remaining, decodingRows: decodingRows,
            waiting: waiting, seconds: seconds)
    }
}
