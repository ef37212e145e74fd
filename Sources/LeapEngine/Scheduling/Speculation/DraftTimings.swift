/// The costs of drafting and checking on this machine, in tokens that the model computes alone, from the steps so far.
///
/// What is generated does not depend on it: it decides how many tokens are proposed, and never which ones stay.
struct DraftTimings: Sendable {
    /// The weight of the latest step.
    private static let weight = 0.2
    /// The costs of a checked token that are believed: a row takes at least its arithmetic, and at most a step of its
    /// own.
    private static let rowRange = 0.02...1.0
    private static let stepRange = 0.005...4.0

    /// Seconds of a step with one token; 0 before there was one.
    private var alone = 0.0
    private var row = ProposalLength.cost
    private var step: Double

    /// - Parameter stepCost: that of a drafted token, before one was measured.
    init(stepCost: Double) { step = stepCost }

    /// Takes note of a step that decoded.
    ///
    /// - Parameters:
    ///   - rows: the tokens of the step.
    ///   - sequences: the generations whose next token it computed.
    mutating func note(rows: Int, sequences: Int, seconds: Double) {
        guard seconds > 0, rows > 0 else { return }
        if rows == 1 {
            alone += (seconds - alone) * (alone == 0 ? 1 : Self.weight)
        } else if alone > 0 {
            let found = (seconds / alone - 1) / Double(rows - 1)
            row += (min(max(found, Self.rowRange.lowerBound), Self.rowRange.upperBound) - row) * Self.weight
        }
    }

    /// Takes note of drafting.
    ///
    /// - Parameter steps: the tokens that were drafted one after the other.
    mutating func note(steps: Int, seconds: Double) {
        guard seconds > 0, steps > 0, alone > 0 else { return }
        let found = seconds / Double(steps) / alone
        step += (min(max(found, Self.stepRange.lowerBound), Self.stepRange.upperBound) - step) * Self.weight
    }

    /// The cost of a token that is drafted.
    var stepCost: Double { step }

    /// Returns the cost of a token that is checked, of one of several generations that decode together.
    ///
    /// Together they share the reading of the weights already: a token of each costs less, and a further row as much as
    /// before.
    func rowCost(sequences: Int) -> Double {
        let together = Double(max(sequences, 1))
        return min(1, row * together / (1 + row * (together - 1)))
    }
}
