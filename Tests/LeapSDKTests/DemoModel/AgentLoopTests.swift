import LeapSDK
import Testing

/// The loops that the documents describe, on the demo model, to their end.
struct AgentLoopTests {
    private func run(_ call: LeapFunctionCall) -> String {
        #"{"temperature": 21, "conditions": "sunny"}"#
    }

    @Test("Tool call, own code, tool message, empty user turn, answer")
    func sameConversation() async throws {
        let runner = try await DemoModel.runner.value
        let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
        conversation.registerFunction(.weather)
        var pending = ChatMessage(role: .user, content: [.text("What's the weather in Paris?")])
        var answer = ""
        var rounds = 0
        while rounds < 4 {
            rounds += 1
            answer = ""
            var calls: [LeapFunctionCall] = []
            for try await response in conversation.generateResponse(
                message: pending, generationOptions: DemoModel.greedy)
            {
                switch onEnum(of: response) {
                case .chunk(let c): answer += c.text
                case .functionCalls(let payload): calls.append(contentsOf: payload.functionCalls)
                case .complete, .reasoningChunk, .audioSample: break
                }
            }
            if calls.isEmpty { break }
            #expect(
                calls.map(\.name) == ["get_weather"] && calls[0].arguments["city"] as? String == "Paris"
                    && calls[0].issue == nil)
            for call in calls {
                conversation.appendToHistory(message: ChatMessage(role: .tool, content: [.text(run(call))]))
            }
            pending = ChatMessage(role: .user, content: [.text("")])
        }
        #expect(rounds == 2)
        #expect(answer == "It is sunny in Paris with a temperature of 21 degrees.")
        #expect(conversation.history.map(\.role) == [.system, .user, .assistant, .tool, .assistant])
    }

    @Test("The same with a new conversation from the history each time, as the agent guide has it")
    func newConversations() async throws {
        let runner = try await DemoModel.runner.value
        let first = runner.createConversation(systemPrompt: "You are a helpful assistant.")
        first.registerFunction(.weather)
        var workingConv: any Conversation = first
        var pending = ChatMessage(role: .user, content: [.text("What's the weather in Oslo?")])
        var answer = ""
        while true {
            var toolCalls: [LeapFunctionCall] = []
            answer = ""
            for try await response in workingConv.generateResponse(
                message: pending, generationOptions: DemoModel.greedy)
            {
                switch onEnum(of: response) {
                case .chunk(let c): answer += c.text
                case .functionCalls(let payload): toolCalls.append(contentsOf: payload.functionCalls)
                case .complete: break
                default: break
                }
            }
            if toolCalls.isEmpty { break }
            let toolMessages = toolCalls.map { ChatMessage(role: .tool, content: [.text(run($0))]) }
            let updatedHistory = workingConv.history + toolMessages
            workingConv = workingConv.modelRunner.createConversationFromHistory(history: updatedHistory)
            pending = ChatMessage(role: .user, content: [.text("")])
        }
        #expect(answer == "It is sunny in Oslo with a temperature of 21 degrees.")
        #expect(workingConv.history.map(\.role) == [.system, .user, .assistant, .tool, .assistant])
        #expect(workingConv.functions.map(\.name) == ["get_weather"])
    }

    @Test("A tool message may be the message itself")
    func toolMessage() async throws {
        let runner = try await DemoModel.runner.value
        let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
        conversation.registerFunction(.weather)
        let calls = try await conversation.generateResponse(
            userTextMessage: "What's the weather in Rome?", generationOptions: DemoModel.greedy
        ).collect().calls
        let call = try #require(calls.first)
        let answer = try await conversation.generateResponse(
            message: ChatMessage(role: .tool, content: [.text(run(call))], toolCallId: call.id),
            generationOptions: DemoModel.greedy
        ).collect()
        #expect(answer.text.contains("sunny in Rome"))
    }
}
