import Foundation
import LeapBase
import LeapEngine
import LeapModel
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// The history of a conversation after generations that went wrong, were stopped, or are repeated.
@Suite(.inTurns)
struct HistoryTests {
    private struct FailingFormatter: PromptFormatter {
        let origin = "failing"
        let traits = PromptTraits(takesTools: true, takesToolCalls: false, takesReasoning: false)
        let turnEnds: [String] = []
        func render(_ context: PromptContext) throws -> String {
            throw LeapGenerationException("the template fails")
        }
    }

    @Test(
        "A message whose generation does not start is not in the history, however often it is tried",
        arguments: ["options", "extras", "image", "audio", "template", "context", "schema", "tool", "functions"])
    func failedStart(cause: String) async throws {
        let builder =
            cause == "template"
            ? PromptBuilder(tokenizer: DemoVocabulary.tokenizer, formatter: FailingFormatter()) : DemoVocabulary.builder
        let (runner, backend) = DemoVocabulary.runner([], contextSize: cause == "context" ? 8 : 4096, builder: builder)
        let conversation = runner.createConversation(systemPrompt: "s")
        var message = ChatMessage(role: .user, textContent: "a question")
        var options = GenerationOptions()
        switch cause {
        case "options": options = options.with(temperature: -1)
        case "extras": options = options.with(extras: "nope")
        case "image": message.content.append(.image(Data([0xFF, 0xD8, 0xFF])))
        case "audio": message.content.append(.audio(data: Data([1]), format: "mp3"))
        case "schema": options = options.with(jsonSchema: "{\"type\":")
        case "tool": message.role = .tool
        case "functions":
            let function = LeapFunction(name: "twice", description: "", parameters: [])
            conversation.registerFunctions(functions: [function, function])
        default: break
        }
        for _ in 0..<3 {
            let stream = conversation.generateResponse(message: message, generationOptions: options)
            await #expect(throws: LeapException.self) { try await stream.collect() }
            #expect(conversation.history.map(\.text) == ["s"])
        }
        #expect(backend.requests.withLock { $0.isEmpty })
    }

    @Test("The engine's refusal takes the message out again too; a callback's error comes after that")
    func refusedByEngine() async throws {
        let (runner, _) = DemoVocabulary.runner([.init(ending: .refused), .init(ending: .refused), "fine"])
        let conversation = runner.createConversation(systemPrompt: nil)
        await #expect(throws: LeapGenerationException.self) {
            try await conversation.generateResponse(userTextMessage: "a").collect()
        }
        #expect(conversation.history.isEmpty)
        let reason = await withCheckedContinuation { continuation in
            conversation.generateResponse(message: ChatMessage(role: .user, textContent: "a")) { response in
                #expect(conversation.history.isEmpty)
                if case .complete(let completion) = response { continuation.resume(returning: completion.finishReason) }
            }
        }
        #expect(reason == .error)
        _ = try await conversation.generateResponse(userTextMessage: "a").collect()
        #expect(conversation.history.map(\.text) == ["a", "fine"])
    }

    @Test("A message is kept whatever it holds; a generation says which one it cannot go on from, until it is removed")
    func unreadableMessage() async throws {
        let (runner, _) = DemoVocabulary.runner(["fine"])
        let conversation = runner.createConversation(systemPrompt: nil)
        for message in [
            ChatMessage(role: .user, content: [.image(Data([0xFF, 0xD8, 0xFF]))]),
            ChatMessage(role: .tool, textContent: "{}"),
        ] {
            conversation.appendToHistory(message: message)
            #expect(conversation.history == [message])
            let error = await #expect(throws: LeapGenerationException.self) {
                try await conversation.generateResponse(userTextMessage: "a").collect()
            }
            #expect(error?.message.hasPrefix("message 0 ") == true, "\(error?.message ?? "")")
            #expect(conversation.history == [message])
            conversation.removeLastMessage()
        }
        #expect(try await conversation.generateResponse(userTextMessage: "a").collect().text == "fine")
    }

    @Test("A model that came with an encoder says that it is not used, instead of asking for it")
    func encoder() async throws {
        var files = ModelFiles(modelPath: "/scripted.gguf")
        files.multimodalProjectorPath = "/models/mmproj-x.gguf"
        let backend = ScriptedBackend([], tokenizer: DemoVocabulary.tokenizer)
        let runner = LiquidInferenceEngineRunner(
            files: files, backend: backend, builder: DemoVocabulary.builder, sampling: .greedy)
        let message = ChatMessage(role: .user, content: [.image(Data([0xFF, 0xD8, 0xFF]))])
        let error = await #expect(throws: LeapGenerationException.self) {
            try await runner.createConversation().generateResponse(message: message).collect()
        }
        #expect(error?.message.contains("mmproj-x.gguf") == true && error?.message.contains("load") == false)
        #expect(throws: LeapGenerationException.self) { try runner.promptTokenCount(messages: [message]) }
    }

    @Test(
        "After an interrupted reply, removing the last message leaves no question without an answer",
        arguments: [0, 2],
        [false, true])
    func cleanUp(tokens: Int, isKept: Bool) async throws {
        let (runner, backend) = DemoVocabulary.runner([
            "first", .init(text: "a long reply that goes on", isStepped: true), "second",
        ])
        let conversation = runner.createConversation(systemPrompt: "s")
        _ = try await conversation.generateResponse(userTextMessage: "one").collect()
        let before = conversation.history
        let handled = backend.handledTokens.withLock { $0 }
        let handler = conversation.generateResponse(
            message: ChatMessage(role: .user, textContent: "two"),
            generationOptions: GenerationOptions().with(keepsInterruptedReply: isKept)
        ) { _ in }
        while backend.requests.withLock({ $0.count }) < 2 { await Task.yield() }
        for token in 0..<tokens {
            backend.step()
            while backend.handledTokens.withLock({ $0 }) <= handled + token { await Task.yield() }
        }
        handler?.stop()
        #expect(conversation.history.count == before.count + (tokens > 0 && isKept ? 2 : 1))
        conversation.removeLastMessage()
        #expect(conversation.history == before)
        #expect(try await conversation.generateResponse(userTextMessage: "two").collect().text == "second")
        conversation.removeLastMessage()
        #expect(conversation.history.last?.text == "two", "of a whole reply, only the reply goes")
    }

    @Test(
        "An interrupted answer to a function's result takes only itself away, also where it is empty",
        arguments: [0, 1], [false, true])
    func cleanUpAfterResult(tokens: Int, isKept: Bool) async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: "a long reply", isStepped: true), "sunny"])
        let history = [
            ChatMessage(role: .user, textContent: "?"),
            ChatMessage(
                role: .assistant, content: [],
                functionCalls: [LeapFunctionCall(name: "f", arguments: [:] as [String: Any?])]),
            ChatMessage(role: .tool, textContent: "{}"),
        ]
        let conversation = runner.createConversationFromHistory(history: history)
        let handler = conversation.generateResponse(
            message: ChatMessage(role: .user, textContent: ""),
            generationOptions: GenerationOptions().with(keepsInterruptedReply: isKept)
        ) { _ in }
        while backend.requests.withLock({ $0.isEmpty }) { await Task.yield() }
        if tokens > 0 { backend.step() }
        while backend.handledTokens.withLock({ $0 }) < tokens { await Task.yield() }
        handler?.stop()
        #expect(conversation.history.count == 3 + (isKept ? tokens : 0))
        conversation.removeLastMessage()
        #expect(conversation.history == history)
        #expect(try await conversation.generateResponse(userTextMessage: "").collect().text == "sunny")
        conversation.removeLastMessage()
        conversation.removeLastMessage()
        #expect(conversation.history == Array(history.prefix(2)), "without an interruption, one message at a time")
    }

    @Test("What is added after an empty interrupted reply is the last message, and goes alone")
    func addedAfterInterruption() async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: "x", waitsForStart: true)])
        let conversation = runner.createConversation(systemPrompt: nil)
        let handler = conversation.generateResponse(message: ChatMessage(role: .user, textContent: "a")) { _ in }
        while backend.requests.withLock({ $0.isEmpty }) { await Task.yield() }
        handler?.stop()
        conversation.appendToHistory(message: ChatMessage(role: .assistant, textContent: "b"))
        conversation.removeLastMessage()
        #expect(conversation.history.map(\.text) == ["a"])
    }

    @Test("The last reply is generated again in its place; where that cannot start, the old one stays")
    func regenerate() async throws {
        let (runner, backend) = DemoVocabulary.runner(["one", "two", "three"])
        let conversation = runner.createConversation(systemPrompt: nil)
        _ = try await conversation.generateResponse(userTextMessage: "a").collect()
        #expect(try await conversation.regenerateResponse().collect().text == "two")
        #expect(conversation.history.map(\.text) == ["a", "two"])
        let prompts = backend.requests.withLock { $0.map { DemoVocabulary.tokenizer.decode($0.prompt) } }
        #expect(prompts[0] == prompts[1])
        await #expect(throws: LeapGenerationException.self) {
            try await conversation.regenerateResponse(generationOptions: GenerationOptions(topP: 2)).collect()
        }
        #expect(conversation.history.map(\.text) == ["a", "two"])
        conversation.removeLastMessage()
        #expect(try await conversation.regenerateResponse().collect().text == "three", "a question alone is answered")
        #expect(conversation.history.map(\.text) == ["a", "three"])
    }

    @Test("A second generation is an error where that is asked for, and leaves the history alone")
    func secondGeneration() async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: "x", waitsForStart: true)])
        let conversation = runner.createConversation(systemPrompt: nil)
        let stream = conversation.generateResponse(userTextMessage: "a")
        let options = GenerationOptions().with(whileGenerating: .fail)
        let error = await #expect(throws: LeapGenerationException.self) {
            try await conversation.generateResponse(userTextMessage: "b", generationOptions: options).collect()
        }
        #expect(error?.message.contains("another generation") == true)
        let reason = await withCheckedContinuation { continuation in
            let message = ChatMessage(role: .user, textContent: "c")
            let handler = conversation.generateResponse(message: message, generationOptions: options) {
                if case .complete(let completion) = $0 { continuation.resume(returning: completion.finishReason) }
            }
            #expect(handler == nil)
        }
        #expect(reason == .error && conversation.history.map(\.text) == ["a"])
        while backend.requests.withLock({ $0.isEmpty }) { await Task.yield() }
        backend.step()
        #expect(try await stream.collect().text == "x")
    }

    @Test("A runner says how many tokens its context holds, and why it cannot count")
    func counting() async throws {
        let (scripted, _) = DemoVocabulary.runner([], contextSize: 77)
        let runner: any ModelRunner = scripted
        #expect(runner.contextSize == 77)
        let messages = [ChatMessage(role: .user, textContent: "Hi")]
        #expect(
            try runner.promptTokenCount(messages: messages) == (await runner.getPromptTokensSize(messages: messages)))
        await runner.unload()
        #expect(await runner.getPromptTokensSize(messages: messages) == 0)
        #expect(throws: LeapGenerationException.self) { try runner.promptTokenCount(messages: messages) }
    }
}
