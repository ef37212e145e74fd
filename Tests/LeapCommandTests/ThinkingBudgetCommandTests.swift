import Foundation
import Testing

/// `--thinking-budget` of `leap run`.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct ThinkingBudgetCommandTests {
    private static let sum = "Anna has 7 apples and gets 5 more. How many apples does Anna have?"

    private struct Line: Decodable {
        let text: String
        let reasoning: String?
    }

    private func answer(_ arguments: String...) throws -> Line {
        let outcome = try LeapProgram.run(
            ["run", "demo", Self.sum, "--temperature", "0", "--max-tokens", "60", "--thinking", "show", "--json"]
                + arguments)
        return try JSONDecoder().decode(Line.self, from: Data(outcome.output.utf8))
    }

    @Test("Thinking ends at the limit, with the text that was asked for, and an answer follows")
    func budget() throws {
        let free = try #require(try answer().reasoning)
        let tight = try answer("--thinking-budget", "1", "--thinking-budget-message", "I answer now.")
        #expect(tight.reasoning?.hasSuffix("I answer now.") == true && !tight.text.contains("think>"))
        #expect(tight.reasoning != free)
        #expect(try answer("--thinking-budget", "1000").reasoning == free)
    }

    @Test("A negative limit is refused, with the option's name")
    func negative() throws {
        let outcome = try LeapProgram.run(["run", "demo", "Hi", "--thinking-budget", "-1"])
        #expect(outcome.status != 0 && outcome.errorLine.contains("--thinking-budget is -1"))
    }
}
