import LeapTestSupport
import Testing

/// Tests that make engines: a few at a time.
struct InTurns: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await TestTurns.shared.run(function)
    }
}

extension Trait where Self == InTurns {
    static var inTurns: Self { Self() }
}
