import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct ByteBudgetTests {
    @Test("Bodies together have as many bytes as they may, and those of a request are free when it is over")
    func limit() throws {
        let budget = ByteBudget(10)
        var first: ByteBudget.Share? = budget.share()
        try first?.take(4)
        try first?.take(4)
        let second = budget.share()
        let error = #expect(throws: APIError.self) { try second.take(3) }
        #expect(error?.status == 429 && error?.retryAfter == 1)
        #expect(throws: APIError.self) { try second.take(.max) }
        try second.take(2)
        first = nil
        try second.take(8)
        #expect(throws: APIError.self) { try second.take(1) }
    }
}
