import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// Tokens that come whatever the logits are, and the end of thoughts by hand, without a model.
@Suite(.inTurns)
struct ReasoningWatchTests {
    /// Any token, until the thoughts are ended; then two tokens that are demanded.
    private struct Watch: TokenConstraint {
        var queue: [TokenID] = []
        var wasCut = false
        var count = 0

        mutating func computeMask(into mask: inout TokenMask) {
            if let token = queue.first { mask[token] = true } else { mask.setAll(true) }
        }
        mutating func accept(_ token: TokenID) throws {
            if queue.first == token { queue.removeFirst() }
            count += 1
        }
        mutating func forcedTokens() -> [TokenID] { queue }
        let isComplete = false
        var isFree: Bool { queue.isEmpty }
        var demandedToken: TokenID? { queue.first }
        mutating func endReasoning() { (queue, wasCut) = ([3, 4], true) }
        var reasoning: ReasoningCount? { ReasoningCount(tokens: count, wasCut: wasCut) }
    }

    private func next(sampleable: TokenMask? = nil) -> NextTokens {
        var request = PartsFixture.request(5)
        request.watchReasoning = { _ in Watch() }
        return NextTokens(request, OutputVocabulary(size: 10, sampleable: sampleable))
    }

    @Test("Without anything to force no mask is made")
    func free() throws {
        var next = next()
        #expect(try next.allowed(behind: 0) == nil && next.demanded == nil)
        try next.accept(1)
        #expect(next.reasoning == ReasoningCount(tokens: 1, wasCut: false))
    }

    @Test("Ended thoughts demand their tokens, also in place of a mask that was made before")
    func ended() throws {
        var next = next()
        #expect(try next.allowed(behind: 0) == nil)
        next.endReasoning()
        let mask = try #require(try next.allowed(behind: 0))
        #expect(mask[3] && mask.allowedCount == 1 && next.demanded == 3 && next.forced() == [3, 4])
        try next.accept(3)
        try next.accept(4)
        #expect(next.demanded == nil && next.reasoning?.wasCut == true)
        #expect(try next.allowed(behind: 2) == nil)
    }

    @Test("An end that is asked for is taken once")
    func asked() {
        let task = GenerationTask()
        #expect(!task.takeEndOfReasoning())
        task.endReasoning()
        #expect(task.takeEndOfReasoning() && !task.takeEndOfReasoning())
    }
}
