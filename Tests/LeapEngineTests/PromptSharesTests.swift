import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The part of a prompt that goes into a step.
@Suite(.inTurns)
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

    /// Returns the rows and the time at which steps settle that take `base` seconds, and `token` for each row.
    private func settled(_ budget: inout StepBudget, decoding: Int, base: Double, token: Double) -> (Int, Double) {
        var longest = (rows: 0, seconds: 0.0)
        for round in 0..<120 {
            let rows = decoding + budget.tokens(besides: decoding)
            let seconds = base + token * Double(rows)
            budget.note(promptTokens: rows - decoding, isFilled: true, decodingRows: decoding, seconds: seconds)
            if round >= 60, seconds > longest.seconds { longest = (rows, seconds) }
        }
        return longest
    }

    @Test("A step that lasts too long makes the next ones smaller, until they fit")
    func budgetConverges() {
        for (base, token) in [(0.02, 0.0025), (0.005, 0.0001), (0.03, 0.02), (0.2, 0.001)] {
            var budget = StepBudget(limit: 512)
            #expect(budget.tokens(besides: 0) == 512)
            let (rows, seconds) = settled(&budget, decoding: 1, base: base, token: token)
            // Up to the unit of rows, the longest step is the one that fits, the shortest possible, or the longest
            // allowed.
            let unit = Double(StepBudget.rowUnit) * token
            #expect(seconds <= budget.sharedTarget * 1.25 + unit || rows == 8, "\(base), \(token)")
            #expect(seconds >= budget.sharedTarget - unit || rows >= 505, "\(base), \(token)")
        }
    }

    @Test("A longer shared step takes more of the prompts, and may be longer than one that nobody waits for")
    func longerSteps() {
        var (usual, long) = (StepBudget(limit: 512), StepBudget(limit: 512, sharedTarget: 1))
        let (few, _) = settled(&usual, decoding: 4, base: 0.02, token: 0.004)
        let (many, seconds) = settled(&long, decoding: 4, base: 0.02, token: 0.004)
        #expect(few < 20 && many > 200 && seconds <= 1.3)
        #expect(settled(&long, decoding: 0, base: 0.02, token: 0.004).1 > 0.7)
    }

    @Test("All rows of a shared step together are a multiple of what kernels compute at a time")
    func rowUnit() {
        var budget = StepBudget(limit: 512)
        for decoding in 1...40 {
            let count = budget.tokens(besides: decoding)
            #expect(count >= 1 && ((count + decoding) % 8 == 0 || count == 1), "\(decoding)")
            budget.note(promptTokens: count, isFilled: true, decodingRows: 1, seconds: 0.05)
        }
        #expect(StepBudget(limit: 4).tokens(besides: 1) == 4 && StepBudget(limit: 100).tokens(besides: 0) == 100)
    }

    @Test(
        "What is learnt without others holds for the first shared step; ends of prompts and held-up steps mislead little"
    )
    func budgetLearns() {
        var budget = StepBudget(limit: 512)
        budget.note(promptTokens: 512, isFilled: true, decodingRows: 0, seconds: 3)
        #expect(budget.tokens(besides: 1) <= 12 && budget.tokens(besides: 0) == 256)
        _ = settled(&budget, decoding: 0, base: 0, token: 0.01)
        #expect(budget.tokens(besides: 0) == StepBudget.minAlone)
        var other = StepBudget(limit: 512)
        for _ in 0..<20 { other.note(promptTokens: 15, isFilled: true, decodingRows: 1, seconds: 0.04) }
        let before = other.tokens(besides: 1)
        other.note(promptTokens: 2, isFilled: false, decodingRows: 1, seconds: 0.02)
        #expect(before == 15 && other.tokens(besides: 1) == before)
        other.note(promptTokens: before, isFilled: true, decodingRows: 1, seconds: 60)
        #expect(other.tokens(besides: 1) == 7)
    }

    @Test("Where a token alone takes longer than a step should, half of the time is the prompts'")
    func slowMachine() {
        var slow = StepBudget(limit: 512)
        for _ in 0..<50 { slow.note(promptTokens: 0, isFilled: false, decodingRows: 1, seconds: 0.2) }
        let (rows, seconds) = settled(&slow, decoding: 1, base: 0.19, token: 0.01)
        #expect((16...24).contains(rows) && seconds <= 0.4)
    }

    @Test("What steps of many generations take says nothing of steps of few")
    func rowsApart() {
        var budget = StepBudget(limit: 512)
        for _ in 0..<50 { budget.note(promptTokens: 0, isFilled: false, decodingRows: 16, seconds: 0.2) }
        #expect(budget.sharedSeconds(besides: 1) == budget.sharedTarget)
        #expect(abs(budget.sharedSeconds(besides: 16) - 0.4) < 1e-9)
        #expect(abs(budget.sharedSeconds(besides: 12) - 0.4) < 1e-9)
        // Of more rows at least as much is known as of fewer.
        #expect(abs(budget.sharedSeconds(besides: 100_000) - 0.4) < 1e-9)
        for _ in 0..<50 { budget.note(promptTokens: 0, isFilled: false, decodingRows: 1, seconds: 0.1) }
        #expect(
            abs(budget.sharedSeconds(besides: 1) - 0.2) < 1e-9 && abs(budget.sharedSeconds(besides: 16) - 0.4) < 1e-9)
        for rows in [0, 600, 5_000] {
            budget.note(promptTokens: 0, isFilled: false, decodingRows: rows, seconds: 1)
        }
        #expect(budget.sharedSeconds(besides: 100_000) > 0.3)
    }
}
