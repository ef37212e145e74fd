import Foundation
import LeapSDK
import Testing

/// Facts that only a plain import shows: names that are public, and types that are `Sendable`.
struct PublicAPITests {
    @Test("Values of the API may cross between tasks")
    func sendable() {
        func check<T: Sendable>(_ type: T.Type) {}
        check(ChatMessage.self)
        check(MessageResponse.self)
        check(MessageCompletion.self)
        check(LeapFunctionCall.self)
        check(LeapFunction.self)
        check(GenerationOptions.self)
        check(GenerationOptionsCompat.self)
        check(LiquidInferenceEngineOptions.self)
        check(LeapException.self)
        check((any Conversation).self)
        check((any ModelRunner).self)
        check((any GenerationHandler).self)
        check(LFMFunctionCallParser.self)
        check(SkieSwiftFlow<MessageResponse>.self)
    }

    @Test("At least one thread is recommended")
    func threads() {
        #expect(CpuThreadAdvisor.getRecommendedThreadCount() >= 1)
    }

    @Test("Conversation stands for the protocol and for the function of older versions")
    func conversation() async throws {
        let runner = try await DemoModel.runner.value
        let conversation: Conversation = Conversation(
            modelRunner: runner, history: [ChatMessage(role: .system, content: [.text("s")])])
        #expect(conversation.history.count == 1)
        #expect(conversation.modelRunner === runner)
        #expect(runner is LiquidInferenceEngineRunner)
    }
}
