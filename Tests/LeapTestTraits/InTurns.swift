import LeapTestSupport
package import Testing

/// Tests that make engines, or servers that misbehave: a few at a time.
package struct InTurns: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true
    private let turns: TestTurns

    fileprivate init(_ turns: TestTurns) { self.turns = turns }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await turns.run(function)
    }
}

extension Trait where Self == InTurns {
    /// In turns with all that compute.
    package static var inTurns: Self { Self(.shared) }
    /// In turns with all that talk with servers.
    package static var inServerTurns: Self { Self(.servers) }
}
