import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapCore

@Suite(.inTurns)
struct TurnLogTests {
    @Test("A reply's cost is a debug line, and nothing of its text is")
    func replies() async throws {
        let (runner, _) = DemoVocabulary.runner(["a reply that nobody logs"])
        let lines = try await CapturedLog.lines {
            _ = try await runner.createConversation().generateResponse(userTextMessage: "a question").collect()
        }
        let named = lines.filter { $0.hasPrefix("\(runner.modelId): a reply ended (stop): ") }
        #expect(named.contains { $0.contains(" prompt tokens computed, ") && $0.hasSuffix(" generated") })
        #expect(!lines.contains { $0.contains("nobody logs") || $0.contains("a question") })
    }
}
