/// The division of a step's tokens among the prompts in progress.
enum PromptShares {
    /// Gives each prompt the same number of tokens; what a short one does not need goes to the others.
    ///
    /// Where there are more prompts than tokens, one token each goes to as many as there are tokens for, in turns.
    ///
    /// - Parameters:
    ///   - remaining: the tokens that each prompt still needs, at least 1.
    ///   - budget: the tokens of the step.
    ///   - turn: a number that grows with each step.
    static func split(_ remaining: [Int], budget: Int, turn: Int) -> [Int] {
        var shares = [Int](repeating: 0, count: remaining.count)
        let served = min(remaining.count, budget)
        guard served > 0 else { return shares }
        let order = (0..<served).map { (abs(turn % remaining.count) + $0) % remaining.count }
            .sorted { remaining[$0] < remaining[$1] }
        var left = budget
        for (place, index) in order.enumerated() {
            // Rounded up, as what is left over would go to nobody.
            let share = (left + served - place - 1) / (served - place)
            shares[index] = min(remaining[index], share)
            left -= shares[index]
        }
        return shares
    }

    /// The part of a step that the prompt which began first may have, as a divisor.
    static let oldestPart = 4

    /// Gives a quarter of the step to the prompt that began first, and the rest to those that need least.
    ///
    /// So a short prompt waits for no more than the shorter ones and a quarter of each step, and no prompt waits for
    /// ever: the first to have begun goes on by a quarter of each step at least.
    ///
    /// - Parameters:
    ///   - remaining: the tokens that each prompt still needs, at least 1, in the order in which the prompts began.
    ///   - budget: the tokens of the step.
    ///   - turn: a number that grows by one with each step: of four steps with one token, one is the first prompt's.
    static func shortestFirst(_ remaining: [Int], budget: Int, turn: Int) -> [Int] {
        var shares = [Int](repeating: 0, count: remaining.count)
        guard let oldest = remaining.first, budget > 0 else { return shares }
        let phase = abs(turn % oldestPart)
        shares[0] = min(oldest, budget * (phase + 1) / oldestPart - budget * phase / oldestPart)
        var left = budget - shares[0]
        for index in remaining.indices.sorted(by: { (remaining[$0], $0) < (remaining[$1], $1) }) {
            let share = min(remaining[index] - shares[index], left)
            shares[index] += share
            left -= share
        }
        return shares
    }
}
