/// The gain of proposals on this machine: the time of a token in steps with and without them, by the number of
/// generations in a step.
///
/// The costs of a drafter's parts leave out what they have no time for: draws, masks, what several generations take
/// from each other. So whole steps are compared. Of each 256 steps, 8 are for the way that was slower.
/// What is generated does not depend on it.
struct DraftGain: Sendable {
    /// The steps of a try.
    static let tryLength = 8
    /// The steps from the beginning of one try to that of the next.
    static let period = 256
    /// Generations that are told apart; steps of more count as the last.
    private static let maxSequences = 16
    /// The weight that a step keeps with each later one of its way.
    private static let kept = 0.98

    /// Sums over the steps of one way, of which older ones fade.
    private struct Sum {
        var seconds = 0.0
        var tokens = 0.0
        var count = 0

        var secondsPerToken: Double { seconds / max(tokens, 1e-9) }

        mutating func add(tokens: Int, seconds: Double) {
            self.seconds = self.seconds * DraftGain.kept + seconds
            self.tokens = self.tokens * DraftGain.kept + Double(tokens)
            count += 1
        }
    }

    /// The sums of steps with one number of generations.
    private struct Record {
        var with = Sum()
        var without = Sum()
        /// Steps since both ways were known.
        var turn = 0

        var proposes: Bool {
            // Proposals come first: a short reply has the gain of them.
            if with.count < DraftGain.tryLength { return true }
            if without.count < DraftGain.tryLength { return false }
            let pays = with.secondsPerToken < without.secondsPerToken
            return turn % DraftGain.period < DraftGain.period - DraftGain.tryLength ? pays : !pays
        }
    }

    private var records = [Record](repeating: Record(), count: maxSequences)

    private static func index(_ sequences: Int) -> Int { min(max(sequences, 1), maxSequences) - 1 }

    /// Returns true if the next step of so many generations should have proposals.
    func proposes(for sequences: Int) -> Bool { records[Self.index(sequences)].proposes }

    /// Takes note of a step that computed nothing of a prompt.
    ///
    /// - Parameters:
    ///   - tokens: the tokens by which the generations' outputs grew.
    ///   - sequences: the number of generations.
    ///   - proposed: true if they were asked for proposals.
    ///   - seconds: how long the step took, with what proposed and drew.
    mutating func note(tokens: Int, of sequences: Int, proposed: Bool, seconds: Double) {
        guard seconds > 0, tokens > 0 else { return }
        let index = Self.index(sequences)
        if proposed {
            records[index].with.add(tokens: tokens, seconds: seconds)
        } else {
            records[index].without.add(tokens: tokens, seconds: seconds)
        }
        if min(records[index].with.count, records[index].without.count) >= Self.tryLength { records[index].turn += 1 }
    }
}
