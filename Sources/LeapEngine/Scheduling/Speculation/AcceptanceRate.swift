/// The share of proposals that are right: an estimate from counts, of which older ones fade.
struct AcceptanceRate: Sendable {
    /// The counts that are assumed before anything was proposed: 3.5 of 5 right.
    private static let assumed = (right: 3.5, judged: 5.0)
    /// The maximum number of tokens that have a say.
    private static let memory = 40.0

    private var right = 0.0
    private var judged = 0.0

    /// The share of proposed tokens that are right, of those whose predecessors were.
    var share: Double { (Self.assumed.right + right) / (Self.assumed.judged + judged) }

    /// Takes note of how many of the proposed tokens were right; those behind the first wrong one say nothing.
    mutating func note(proposed: Int, accepted: Int) {
        right += Double(accepted)
        judged += Double(accepted) + (accepted < proposed ? 1 : 0)
        if judged > Self.memory { fade(Self.memory / judged) }
    }

    /// Gives what was counted less weight.
    mutating func fade(_ factor: Double) {
        right *= factor
        judged *= factor
    }
}
