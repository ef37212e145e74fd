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
}
