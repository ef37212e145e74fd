import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The tokens that may come next, and those that are proposed, alone.
@Suite(.inTurns)
struct NextTokensTests {
    /// Allows the same tokens at every place, counts how often it is asked, and is complete behind three.
    private struct Choice: TokenConstraint {
        let allowed: [TokenID]
        var accepted = 0

        mutating func computeMask(into mask: inout TokenMask) { for token in allowed { mask[token] = true } }
        mutating func accept(_ token: TokenID) throws { accepted += 1 }
        mutating func forcedTokens() -> [TokenID] { accepted == 1 ? [5, 6] : [] }
        var isComplete: Bool { accepted == 3 }
        var maskWithoutBudget: TokenMask? {
            var mask = TokenMask(count: 10, allowed: false)
            mask[9] = true
            return mask
        }
        var stems: [(token: TokenID, stems: [TokenID])] { [(7, [3, 2]), (2, [4])] }
    }

    private func next(
        _ allowed: [TokenID]? = nil, sampleable: TokenMask? = nil,
        _ change: (inout GenerationRequest) -> Void = { _ in }
    ) -> NextTokens {
        var request = PartsFixture.request(5)
        if let allowed { request.makeConstraint = { Choice(allowed: allowed) } }
        change(&request)
        return NextTokens(request, OutputVocabulary(size: 10, sampleable: sampleable))
    }

    private func tokens(_ mask: TokenMask?) -> [TokenID]? { mask.map { mask in (0..<10).filter { mask[$0] } } }

    @Test("Without a constraint all tokens of the vocabulary may come, and an end not before the least length")
    func vocabulary() throws {
        var free = next()
        #expect(try free.allowed(behind: 0) == nil)
        var sampleable = TokenMask(count: 10, allowed: true)
        sampleable[3] = false
        var some = next(sampleable: sampleable) {
            $0.minTokens = 2
            $0.stopTokens = [1, 2]
        }
        #expect(try tokens(some.allowed(behind: 1)) == [0, 4, 5, 6, 7, 8, 9])
        #expect(try tokens(some.allowed(behind: 2)) == [0, 1, 2, 4, 5, 6, 7, 8, 9])
        #expect(some.isStop(1) && !some.isStop(0) && !some.isComplete && some.forced().isEmpty)
    }

    @Test("A constraint says what may come, but for tokens that cannot be drawn, and which tokens must follow")
    func constraint() throws {
        var sampleable = TokenMask(count: 10, allowed: true)
        sampleable[3] = false
        var next = next([2, 3, 4], sampleable: sampleable)
        for _ in 0..<2 { #expect(try tokens(next.allowed(behind: 0)) == [2, 4]) }
        try next.accept(2)
        #expect(try tokens(next.allowed(behind: 1)) == [2, 4] && next.forced() == [5, 6] && !next.isComplete)
        for token in [5, 6] as [TokenID] { try next.accept(token) }
        #expect(next.isComplete)
        // Of the tokens that must follow, those from one on that cannot be drawn are left to be drawn.
        sampleable[6] = false
        var cut = self.next([2, 4], sampleable: sampleable)
        try cut.accept(2)
        #expect(cut.forced() == [5])
        // An end that is all that is left may come before the least length.
        var ending = self.next([4]) { ($0.minTokens, $0.stopTokens) = (5, [4]) }
        #expect(try tokens(ending.allowed(behind: 0)) == [4])
    }

    @Test("The longest beginning of a token that may not come is as likely as the token, where it may come itself")
    func stems() throws {
        func raised(_ allowed: [TokenID]) throws -> [Float] {
            var next = next(allowed)
            var logits = (0..<10).map { Float($0) }
            let mask = try next.allowed(behind: 0)
            logits.withUnsafeMutableBufferPointer { next.raiseStems($0, mask) }
            return logits
        }
        #expect(try raised([2, 3, 4]) == [0, 1, 2, 7, 4, 5, 6, 7, 8, 9])
        #expect(try raised([2, 4]) == [0, 1, 7, 3, 4, 5, 6, 7, 8, 9])
        // One that is likelier than the token stays so, and a token that may come raises nothing.
        #expect(try raised([4]) == raised([0]) && raised([7, 3]) == (0..<10).map { Float($0) })
    }

    @Test("Where nothing may come, the error says behind how many tokens, each time it is asked")
    func nothing() throws {
        var next = next([])
        for _ in 0..<2 {
            let error = #expect(throws: EngineError.self) { try next.allowed(behind: 3) }
            #expect(error?.code == .constraintFailed && error?.message.contains("after 3 tokens") == true)
        }
    }

    @Test("A token is limited by the budget where the likeliest one of all is another than that of those allowed")
    func budget() throws {
        var next = next([2, 4])
        let allowed = try next.allowed(behind: 0)
        var logits = [Float](repeating: 0, count: 10)
        logits[2] = 1
        logits.withUnsafeBufferPointer { #expect(next.isBudgetLimited($0, allowed)) }
        var all = TokenMask(count: 10, allowed: false)
        all[9] = true
        logits.withUnsafeBufferPointer { #expect(!next.isBudgetLimited($0, all)) }
        logits.withUnsafeBufferPointer { #expect(!self.next().isBudgetLimited($0, nil)) }
    }
}

/// Tokens that are proposed and checked, alone.
@Suite(.inTurns)
struct CheckedProposalsTests {
    private func proposals(_ prompt: [TokenID] = [1, 2, 3, 4, 1, 2, 3]) -> CheckedProposals {
        var request = GenerationRequest(prompt: prompt)
        request.speculation = .lookup
        return CheckedProposals(request, draft: nil)
    }

    @Test(
        "What followed before is proposed within the limit and the room, checked by a pass, and kept as far as it is right"
    )
    func lookup() {
        var proposals = proposals()
        #expect(proposals.choose(limit: 8, room: 2) == [4, 1] && proposals.checkedCount == 0)
        #expect(proposals.choose(limit: 3, room: 8) == [4, 1, 2])
        proposals.advance()
        #expect(proposals.checkedCount == 3 && proposals.acceptedCount(of: [4]) == 1)
        #expect(proposals.settle(by: [4, 1, 9, 2]) == (3, 2) && proposals.checkedCount == 0)
        for token in [4, 1] as [TokenID] { proposals.note(token) }
        #expect(proposals.choose(limit: 8, room: 8).first == 2)
    }

    @Test("A pass that was not computed, or had no room, checks nothing")
    func abandoned() {
        var proposals = proposals()
        _ = proposals.choose(limit: 8, room: 8)
        proposals.abandon()
        proposals.advance()
        #expect(proposals.checkedCount == 0)
        _ = proposals.choose(limit: 8, room: 8)
        proposals.forget()
        proposals.advance()
        #expect(proposals.checkedCount == 0)
        _ = proposals.choose(limit: 8, room: 8)
        proposals.chooseNone()
        proposals.advance()
        #expect(proposals.checkedCount == 0)
    }

    @Test("The draft model's proposal is for one pass")
    func drafted() {
        let parts = PartsFixture()
        let draft = DraftSequence(parts.executor.makeSequence(limit: 64), DraftLength(draftCost: 0))
        var proposals = CheckedProposals(PartsFixture.request(5), draft: draft)
        proposals.take(drafted: [7, 8, 9])
        #expect(proposals.choose(limit: 2, room: 8) == [7, 8] && proposals.choose(limit: 2, room: 8).isEmpty)
        proposals.take(drafted: [7, 8, 9])
        #expect(proposals.choose(limit: 2, room: -1).isEmpty)
    }
}
