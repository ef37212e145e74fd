import Testing

@testable import LeapEngine

/// How much of a prompt goes into a step.
struct PromptSharesTests {
    @Test("Prompts share a step evenly, and what a short one does not need goes to the others")
    func even() {
        #expect(PromptShares.split([4000, 4000], budget: 64, turn: 1) == [32, 32])
        #expect(PromptShares.split([4000, 10, 4000], budget: 64, turn: 1) == [27, 10, 27])
        #expect(PromptShares.split([5, 4000], budget: 512, turn: 3) == [5, 507])
        #expect(PromptShares.split([5, 6], budget: 512, turn: 0) == [5, 6])
        #expect(PromptShares.split([4000], budget: 1, turn: 7) == [1])
        #expect(PromptShares.split([], budget: 64, turn: 1) == [])
    }

    @Test("All of a step is used, nothing more than a prompt needs, and more prompts than tokens take turns")
    func bounds() {
        var random = RandomGenerator(seed: 3)
        for turn in 0..<500 {
            let remaining = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                Int.random(in: 1...100, using: &random)
            }
            let budget = Int.random(in: 1...600, using: &random)
            let shares = PromptShares.split(remaining, budget: budget, turn: turn)
            #expect(shares.reduce(0, +) == min(budget, remaining.reduce(0, +)) || remaining.count > budget)
            #expect(zip(shares, remaining).allSatisfy { $0 >= 0 && $0 <= $1 })
            #expect(shares.count { $0 > 0 } == min(budget, remaining.count))
        }
        var total = [Int](repeating: 0, count: 10)
        for turn in 0..<100 {
            let shares = PromptShares.split([Int](repeating: 50, count: 10), budget: 3, turn: turn)
            total = zip(total, shares).map(+)
        }
        #expect(total == [Int](repeating: 30, count: 10))
    }

    @Test("A step that lasts too long makes the next ones smaller, until they fit")
    func budgetConverges() {
        for (base, token) in [(0.02, 0.0025), (0.005, 0.0001), (0.03, 0.02), (0.2, 0.001)] {
            var budget = StepBudget(limit: 512)
            #expect(budget.tokens(isShared: false) == 512)
            var seconds = 0.0
            for _ in 0..<60 {
                let count = budget.tokens(isShared: true)
                seconds = base + token * Double(count)
                budget.note(promptTokens: count, isShared: true, seconds: seconds)
            }
            let count = budget.tokens(isShared: true)
            let fits = (StepBudget.sharedTarget - base) / token
            #expect(Double(count) <= max(fits * 1.1, Double(StepBudget.minShared)), "\(base), \(token)")
            #expect(Double(count) >= min(fits * 0.8, 512), "\(base), \(token)")
        }
    }

    @Test(
        "What is learnt without others holds for the first shared step; ends of prompts and held-up steps mislead little"
    )
    func budgetLearns() {
        var budget = StepBudget(limit: 512)
        budget.note(promptTokens: 512, isShared: false, seconds: 3)
        #expect(budget.tokens(isShared: true) <= 12 && budget.tokens(isShared: false) == 256)
        for _ in 0..<40 { budget.note(promptTokens: budget.tokens(isShared: false), isShared: false, seconds: 3) }
        #expect(budget.tokens(isShared: false) == StepBudget.minAlone)
        var other = StepBudget(limit: 512)
        for _ in 0..<20 { other.note(promptTokens: other.tokens(isShared: true), isShared: true, seconds: 0.06) }
        let before = other.tokens(isShared: true)
        other.note(promptTokens: 2, isShared: true, seconds: 0.02)
        #expect(other.tokens(isShared: true) == before)
        other.note(promptTokens: before, isShared: true, seconds: 60)
        #expect(other.tokens(isShared: true) >= before / 2)
        // Where a token alone takes longer than a step should, half of the time is the prompts'.
        var slow = StepBudget(limit: 512)
        for _ in 0..<50 { slow.note(promptTokens: 0, isShared: true, seconds: 0.2) }
        for _ in 0..<60 {
            let count = slow.tokens(isShared: true)
            slow.note(promptTokens: count, isShared: true, seconds: 0.2 + 0.01 * Double(count))
        }
        #expect((18...20).contains(slow.tokens(isShared: true)))
        #expect(StepBudget(limit: 4).tokens(isShared: true) == 4)
    }
}
