/// The number of tokens that a draft model proposes, from the cost of proposals and the share of them that was right.
///
/// Costs are counted in tokens that the target model computes alone. Those of draft models are not measured: the same
/// output has the same proposals everywhere. What proposals may lose is limited by an account: it starts with a few
/// tokens, gains a small share of each token of the output and all that proposals save, and pays for them. A draft model
/// that is always wrong is thereby asked rarely, and then not at all.
struct DraftLength: Sendable {
    /// The maximum number of tokens in a proposal.
    static let limit = ProposalLength.limit
    /// The balance with which the account starts.
    static let start = 2.5
    /// The account's gain with each token of the output.
    static let share = 0.025
    /// The account's maximum: what was saved before is not lost again at length.
    static let maxBalance = 12.0
    /// Proposals that are not expected to be faster by so much are tries.
    static let minSpeed = 1.03
    /// The maximum length that is assumed of a reply before it is written.
    static let assumedReply = 256
    /// The weight of what was learnt in the next generation.
    static let kept = 0.9

    /// The share of time that proposals may lose.
    struct Allowance: Sendable {
        /// The balance with which the account starts, and each generation begins at least.
        var start = DraftLength.start
        /// The account's gain with each token of the output.
        var share = DraftLength.share
    }

    /// The cost of a token that the draft model computes alone.
    private(set) var draftCost: Double
    /// The cost of each token that it proposes besides the first.
    private(set) var nextCost: Double
    /// The cost of a token that the target model checks.
    private var rowCost = ProposalLength.cost
    private let allowance: Allowance
    private(set) var acceptance: AcceptanceRate
    /// The shares of right proposals by place; nil where all places count as one.
    private(set) var places: PlaceAcceptance?
    private var balance: Double

    /// - Parameters:
    ///   - draftCost: the cost of a token that the draft model computes alone, of one that the target model does.
    ///   - nextCost: that of each that it proposes besides the first; nil where it computes them one after the other.
    ///   - acceptance: how often proposals were right elsewhere.
    ///   - places: the same of each place; nil where all count as one.
    init(
        draftCost: Double, nextCost: Double? = nil, acceptance: AcceptanceRate = AcceptanceRate(),
        places: PlaceAcceptance? = nil, allowance: Allowance = Allowance()
    ) {
        self.draftCost = draftCost
        self.nextCost = nextCost ?? draftCost
        self.acceptance = acceptance
        self.places = places
        self.allowance = allowance
        balance = allowance.start
    }

    /// Takes costs that were measured.
    ///
    /// - Parameters:
    ///   - row: of a token that is checked.
    ///   - step: of a token that is proposed.
    mutating func set(rowCost row: Double, stepCost step: Double) { (rowCost, draftCost, nextCost) = (row, step, step) }

    /// Returns the cost of a proposal besides the pass that there is anyway.
    ///
    /// - Parameter pending: tokens that the draft model has to compute before the first that it proposes, at least 1.
    func cost(of count: Int, pending: Int) -> Double {
        guard count > 0 else { return 0 }
        return Double(count) * rowCost + catchingUp(pending) + Double(count - 1) * nextCost
    }

    /// Returns the cost of computing some tokens in one pass of the draft model.
    private func catchingUp(_ pending: Int) -> Double { draftCost * (1 + ProposalLength.cost * Double(pending - 1)) }

    /// The number of tokens with which the output is expected to come fastest, and how many times as fast as without.
    private var best: (count: Int, speed: Double) {
        var best = (count: 0, speed: 1.0)
        var expected = 1.0
        var tokens = 1.0
        for count in 1...Self.limit {
            expected *= places?.share(of: count - 1, overall: acceptance.share) ?? acceptance.share
            tokens += expected
            let speed = tokens / (1 + cost(of: count, pending: 1))
            if speed > best.speed { best = (count, speed) }
        }
        return best
    }

    /// True if proposals are expected to be worth their cost.
    var pays: Bool { best.speed >= Self.minSpeed }

    /// Returns true if it is worth computing some tokens of a prompt with the draft model, for a reply of so many
    /// tokens.
    func isWorth(pending: Int, reply: Int) -> Bool {
        let speed = best.speed
        guard speed >= Self.minSpeed else { return false }
        return catchingUp(pending) <= Double(min(reply, Self.assumedReply)) * (1 - 1 / speed)
    }

    /// The number of tokens to propose now, of at most `limit`; 0 where the account does not allow any.
    func count(limit: Int, pending: Int) -> Int {
        var count = min(pays ? best.count : 1, limit)
        while count > 0, cost(of: count, pending: pending) > balance { count -= 1 }
        return max(count, 0)
    }

    /// Takes note of a token of the output.
    mutating func noteToken() { balance = min(balance + allowance.share, Self.maxBalance) }

    /// Pays for proposing.
    mutating func spend(_ cost: Double) { balance -= cost }

    /// Takes note of how many of the proposed tokens were right.
    mutating func note(proposed: Int, accepted: Int) {
        balance = min(balance + Double(accepted), Self.maxBalance)
        acceptance.note(proposed: proposed, accepted: accepted)
        places?.note(proposed: proposed, accepted: accepted)
    }

    /// Begins another generation: what was learnt counts less, so that a draft model is tried again after a while.
    mutating func begin() {
        acceptance.fade(Self.kept)
        places?.fade(Self.kept)
        balance = max(balance, allowance.start)
    }
}
