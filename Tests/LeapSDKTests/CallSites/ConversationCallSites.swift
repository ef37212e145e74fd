import LeapSDK
import Testing

/// Conversations in the forms of version 0.10.
@MainActor
struct ConversationCallSites {
    let desk = Desk()

    func streamSealed(conversation: Conversation) async {
        let question = ChatMessage(role: .user, textContent: "When does the night ferry leave?")
        let settings = GenerationOptions()
            .with(temperature: 0.2)
            .with(minP: 0.1)
            .with(repetitionPenalty: 1.02)
            .with(maxTokens: 24)
        let desk = desk
        let task = Task {
            do {
                for try await response in conversation.generateResponse(
                    message: question,
                    generationOptions: settings
                ) {
                    switch onEnum(of: response) {
                    case .chunk(let c):
                        desk.show(c.text)
                    case .reasoningChunk(let r):
                        print("the desk thinks:", r.reasoning)
                    case .functionCalls(let payload):
                        desk.note(payload.functionCalls)
                    case .audioSample(let audio):
                        desk.play(audio.samples, at: Int(audio.sampleRate))
                    case .complete(let completion):
                        if let stats = completion.stats {
                            print(
                                stats.promptTokens, stats.completionTokens, stats.totalTokens, stats.cachedPromptTokens)
                            print("\(stats.tokenPerSecond) tokens per second")
                        }
                        desk.show(readParts(of: completion.fullMessage))
                    }
                }
            } catch {
                desk.show("The desk is closed: \(error)")
            }
        }
        await task.value
    }

    func readParts(of message: ChatMessage) -> String {
        message.content.compactMap { part -> String? in
            if case let .text(t) = onEnum(of: part) { return t.text }
            return nil
        }.joined()
    }

    func streamSome(conversation: Conversation) async throws -> [LeapFunctionCall] {
        var calls: [LeapFunctionCall] = []
        let question = ChatMessage(role: .user, content: [.text("How high is the water tonight?")])
        for try await response in conversation.generateResponse(message: question) {
            switch onEnum(of: response) {
            case .chunk(let c):
                desk.show(c.text)
            case .functionCalls(let payload):
                calls.append(contentsOf: payload.functionCalls)
            case .complete:
                break
            default:
                break
            }
        }
        return calls
    }

    func continueAfterTools(conversation: Conversation) async throws -> Conversation {
        var current = conversation
        var turn = ChatMessage(role: .user, content: [.text("Is the slipway dry at noon?")])
        for _ in 0..<3 {
            var calls: [LeapFunctionCall] = []
            for try await response in current.generateResponse(
                message: turn, generationOptions: GenerationOptions().with(maxTokens: 24))
            {
                if case .functionCalls(let payload) = onEnum(of: response) { calls += payload.functionCalls }
            }
            if calls.isEmpty { break }
            var results: [ChatMessage] = []
            for call in calls {
                results.append(ChatMessage(role: .tool, content: [.text(await desk.answer(call))]))
            }
            let history = current.history + results
            current = current.modelRunner.createConversationFromHistory(history: history)
            turn = ChatMessage(role: .user, content: [.text("")])
        }
        return current
    }

    func chainGenerationOptions() -> GenerationOptions {
        GenerationOptions()
            .with(temperature: 0.2)
            .with(topP: 0.9)
            .with(topK: 30)
            .with(minP: 0.1)
            .with(repetitionPenalty: 1.02)
            .with(rngSeed: 7)
            .with(maxTokens: 64)
            .with(injectSchemaIntoPrompt: false)
            .with(inlineThinkingTags: false)
            .with(enableThinking: true)
            .with(jsonSchema: Departure.jsonSchema())
    }

    func nameEveryOption() -> GenerationOptions {
        let settings = GenerationOptions(temperature: 0.2, minP: 0.1, repetitionPenalty: 1.02)
        settings.topP = 0.9
        settings.topK = 30
        settings.rngSeed = 7
        settings.maxTokens = 64
        settings.enableThinking = true
        settings.extras = nil
        return settings
    }

    func exportText(conversation: Conversation) -> String {
        let text: String = conversation.exportToJSON()
        return text
    }

    func composeMessages(photo: Data, recording: Data, samples: [Float]) -> [ChatMessage] {
        let berth = ChatMessage(
            role: .user,
            content: [.text("Which berth is free?"), .image(photo)]
        )
        let call = ChatMessage(role: .user, content: [.text("Write down this radio call."), .audio(recording)])
        let live = ChatMessage(
            role: .user,
            content: [
                .text("Which ship is that?"),
                ChatMessageContent.fromFloatSamples(samples, sampleRate: 16000),
            ]
        )
        return [berth, call, live, ChatMessage_withArray(role: .assistant, content: [.text("Berth two.")])]
    }

    func useProtocols(runner: ModelRunner, message: ChatMessage) async -> (Int, String) {
        let conversation: Conversation = runner.createConversation(systemPrompt: "You run the desk of a harbour.")
        conversation.registerFunction(function: tideTable)
        conversation.registerFunctions(functions: [tideTable])
        conversation.registerFunction(tideTable)
        conversation.appendToHistory(message: message)
        conversation.removeLastMessage()
        let resumed: Conversation = runner.createConversationFromHistory(history: conversation.history)
        let flow: SkieSwiftFlow<MessageResponse> = resumed.generateResponse(
            userTextMessage: "Any berth?", generationOptions: GenerationOptions().with(maxTokens: 1))
        do {
            for try await _ in flow {}
        } catch {
            desk.show(error.localizedDescription)
        }
        let tokens = await runner.getPromptTokensSize(messages: conversation.history + [message], addBosToken: true)
        return (tokens + resumed.functions.count, conversation.isGenerating ? "busy" : conversation.modelRunner.modelId)
    }

    @Test("Call sites of version 0.10 run")
    func run() async throws {
        let runner = try await DemoModel.runner.value
        let conversation = runner.createConversation(systemPrompt: "You run the desk of a harbour.")
        await streamSealed(conversation: conversation)
        #expect(!desk.lines.isEmpty && conversation.history.count == 3)
        #expect(exportText(conversation: conversation).hasPrefix(#"[{"role":"system""#))
        conversation.registerFunction(tideTable)
        #expect(try await continueAfterTools(conversation: conversation).history.count >= 5)
        let (tokens, id) = await useProtocols(runner: runner, message: ChatMessage(role: .user, textContent: "Hello"))
        #expect(tokens > 0 && id == runner.modelId)
        #expect(chainGenerationOptions().jsonSchemaConstraint == Departure.jsonSchema())
        #expect(nameEveryOption().topK == 30)
        #expect(
            composeMessages(photo: Data(), recording: Data(), samples: [0, 0.5]).map(\.content.count) == [2, 2, 2, 1])
    }
}
