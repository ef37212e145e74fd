/// The number of tokens to propose, from how many were right before.
///
/// A token that is checked costs a part of what a token costs that is computed alone; where too few are right,
/// proposals pause for twice as many tokens after each that was wrong.
struct ProposalLength {
    /// The maximum number of tokens in a proposal.
    static let limit = 16
    /// The maximum number of tokens that a pause lasts.
    static let longestPause = 64
    /// A checked token's share of the time of a token that is computed alone.
    static let cost = 0.25

    private var length = 4
    private var pause = 0
    private var failures = 0

    /// The number of tokens to propose now; 0 during a pause.
    var count: Int { pause > 0 ? 0 : length }

    /// Takes note of a token that came without a proposal.
    mutating func skip() { pause = max(0, pause - 1) }

    /// Takes note of how many of the proposed tokens were right.
    mutating func note(proposed: Int, accepted: Int) {
        if accepted == proposed {
            length = min(2 * length, Self.limit)
        } else {
            length = max(2, min(accepted + 1, Self.limit))
        }
        if Double(accepted) >= Self.cost * Double(proposed) {
            failures = 0
        } else {
            failures += 1
            pause = min(1 << min(failures, 16), Self.longestPause)
        }
    }
}
