import Foundation
import LeapDemoModel
import LeapSDK
import LeapTestSupport
import Testing

struct DemoModelTests {
    @Test("Answers questions, tells a story and remembers a name, computing only what is new")
    func chat() async throws {
        let runner = try await DemoModel.runner.value
        let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
        var computed: [Int64] = []
        func ask(_ question: String) async throws -> String {
            let expected = await runner.getPromptTokensSize(
                messages: conversation.history + [ChatMessage(role: .user, textContent: question)], addBosToken: true)
            let responses = try await conversation.generateResponse(
                userTextMessage: question, generationOptions: DemoModel.greedy
            )
            .collect()
            let completion = try #require(responses.completion)
            #expect(completion.finishReason == .stop)
            #expect(completion.fullMessage.text == responses.text)
            let stats = try #require(completion.stats)
            #expect(stats.computedPromptTokens + stats.reusedPromptTokens == Int64(expected))
            #expect(stats.totalTokens == stats.promptTokens + stats.completionTokens)
            #expect(stats.tokenPerSecond > 0)
            computed.append(stats.computedPromptTokens)
            return responses.text
        }
        #expect(try await ask("What is the capital of France?") == "The capital of France is Paris.")
        #expect(try await ask("My name is Anna.").contains("Anna"))
        #expect(try await ask("Tell me a story about a fox.").hasPrefix("Once upon a time there was a "))
        #expect(try await ask("What is my name?") == "Your name is Anna.")
        #expect(computed.dropFirst().allSatisfy { $0 < 30 }, "\(computed)")
        #expect(
            conversation.history.map(\.role) == [.system]
                + Array(repeating: [.user, .assistant], count: 4).flatMap { $0 })
    }

    @Test(
        "Cached tokens are those of a cache that was asked for; what an earlier turn left is counted apart",
        arguments: [false, true])
    func cachedTokens(asksForCache: Bool) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let runner = try await Leap.load(
            url: try DemoModel.file,
            options: LiquidInferenceEngineOptions(
                cacheOptions: asksForCache ? LiquidCacheOptions(path: folder.path, enabled: true) : nil))
        let conversation = runner.createConversation(systemPrompt: nil)
        var last: GenerationStats?
        for question in ["Hello!", "What is the capital of France?"] {
            last = try await conversation.generateResponse(
                userTextMessage: question, generationOptions: DemoModel.greedy
            ).collect().completion?.stats
        }
        let stats = try #require(last)
        #expect(stats.reusedPromptTokens > 0)
        #expect(stats.cachedPromptTokens == (asksForCache ? stats.reusedPromptTokens : 0))
        let read = try JSONDecoder().decode(GenerationStats.self, from: try JSONEncoder().encode(stats))
        #expect(read == stats)
        let old = #"{"promptTokens":1,"completionTokens":2,"totalTokens":3,"tokenPerSecond":4,"cachedPromptTokens":5}"#
        #expect(try JSONDecoder().decode(GenerationStats.self, from: Data(old.utf8)).reusedPromptTokens == 5)
    }

    @Test("Shows its steps on word sums apart from the answer, or inside of it where that is asked for")
    func reasoning() async throws {
        let runner = try await DemoModel.runner.value
        let question = "Tom has 3 apples and gets 4 more. How many apples does Tom have?"
        let apart = try await runner.createConversation(systemPrompt: nil)
            .generateResponse(userTextMessage: question, generationOptions: DemoModel.greedy.with(enableThinking: true))
            .collect()
        #expect(apart.reasoning.contains("3 plus 4 is 7") && apart.text == "Tom has 7 apples.")
        #expect(apart.completion?.message.reasoningContent == apart.reasoning)
        #expect(!apart.text.contains("think"))
        let inline = try await runner.createConversation(systemPrompt: nil)
            .generateResponse(
                userTextMessage: question, generationOptions: DemoModel.greedy.with(inlineThinkingTags: true)
            ).collect()
        #expect(inline.text == "<think>\(apart.reasoning)</think>\(apart.text)")
        #expect(inline.completion?.message.reasoningContent == apart.reasoning)
    }

    @Test("Two conversations on one runner, at the same time, say what each says alone")
    func twoConversations() async throws {
        let runner = try await DemoModel.runner.value
        func say(_ names: [String]) async throws -> [String] {
            let conversation = runner.createConversation(systemPrompt: nil)
            var answers: [String] = []
            for text in ["My name is \(names[0]).", "What is the capital of \(names[1])?", "What is my name?"] {
                answers.append(
                    try await conversation.generateResponse(userTextMessage: text, generationOptions: DemoModel.greedy)
                        .collect().text)
            }
            return answers
        }
        let people = TestLevel.cases(
            [["Anna", "Italy"], ["Ben", "Japan"], ["Clara", "Spain"], ["David", "Egypt"]], standard: 2)
        var alone: [[String]] = []
        for person in people { alone.append(try await say(person)) }
        let together = try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
            for (index, person) in people.enumerated() { group.addTask { (index, try await say(person)) } }
            return try await group.reduce(into: [Int: [String]]()) { $0[$1.0] = $1.1 }
        }
        for (index, answers) in alone.enumerated() {
            #expect(together[index] == answers)
            #expect(answers[2].contains(people[index][0]))
        }
    }

    @Test("Cancelling ends a long reply at once and leaves the conversation usable")
    func cancelling() async throws {
        // A runner of its own: what is counted is this reply's. The reply is so long that its end cannot come first.
        let runner = try await Leap.load(url: LeapDemoModel.url)
        let conversation = runner.createConversation(systemPrompt: nil)
        let endless = GenerationOptions(temperature: 0, extras: #"{"regex": "[a-z ]{3000}"}"#)
        let task = Task { () -> (Int, MessageCompletion?) in
            var (chunks, generated) = (0, 0)
            for try await response in conversation.generateResponse(
                userTextMessage: "Tell me a story.", generationOptions: endless)
            {
                switch response {
                case .chunk: chunks += 1
                case .complete(let completion): return (generated, completion)
                default: break
                }
                if chunks == 3 {
                    generated = runner.statistics.generatedTokens
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            return (generated, nil)
        }
        let (generated, end) = try await task.value
        // One token is the engine's promise, which its own tests hold to; between count and cancellation this thread
        // may have had to wait.
        #expect(generated >= 3 && runner.statistics.generatedTokens <= generated + 32)
        #expect(!conversation.isGenerating && conversation.history.map(\.role) == [.user])
        let completion = try #require(end)
        #expect(completion.finishReason == .interrupted && !completion.message.text.isEmpty)
        conversation.removeLastMessage()
        let next = try await conversation.generateResponse(
            userTextMessage: "What is the capital of France?", generationOptions: DemoModel.greedy
        ).collect()
        #expect(next.completion?.finishReason == .stop && next.text.contains("Paris"))
    }

    @Test("maxTokens ends a reply and says so; the next turn goes on")
    func maxTokens() async throws {
        let runner = try await DemoModel.runner.value
        let conversation = runner.createConversation(systemPrompt: nil)
        let responses = try await conversation.generateResponse(
            userTextMessage: "Tell me a story.", generationOptions: GenerationOptions(temperature: 0, maxTokens: 5)
        ).collect()
        #expect(responses.completion?.finishReason == .exceedContext && responses.completion?.limit == .maxTokens(5))
        #expect(responses.completion?.stats?.completionTokens == 5)
    }

    @Test("The same seed gives the same reply")
    func seed() async throws {
        let runner = try await DemoModel.runner.value
        func story(_ seed: Int64) async throws -> String {
            try await runner.createConversation(systemPrompt: nil).generateResponse(
                userTextMessage: "Tell me a story.",
                generationOptions: GenerationOptions(
                    temperature: 1.5, topP: 1, minP: 0, topK: 0, rngSeed: seed, maxTokens: 30)
            ).collect().text
        }
        #expect(try await story(7) == story(7))
        #expect(try await story(7) != story(8))
    }

    @Test("A context that is too small for the prompt is an error with both numbers")
    func smallContext() async throws {
        let runner = try await Leap.load(
            url: LeapDemoModel.url, options: LiquidInferenceEngineOptions(contextSize: 16, cpuThreads: 1))
        let error = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
            try await runner.createConversation(systemPrompt: "You are a helpful assistant.")
                .generateResponse(userTextMessage: "Tell me a story about a fox.").collect()
        }
        #expect(error?.availableTokens == 16 && error?.neededTokens ?? 0 > 16)
        await runner.unload()
    }

    @Test("Unloading ends what is generated and leaves the history readable")
    func unloading() async throws {
        let runner = try await Leap.load(
            url: LeapDemoModel.url,
            options: LiquidInferenceEngineOptions(contextSize: 4096, cpuThreads: 1, useMmap: false))
        #expect(runner.modelId == "leap-demo-Q8_0")
        let conversation = runner.createConversation(systemPrompt: "Answer briefly.")
        // So long that it is not whole before a busy machine comes to the first piece.
        let endless = ##"{"regex":"(([a-z]{1,8} ){100}){35}"}"##
        var last: MessageResponse?
        for try await response in conversation.generateResponse(
            userTextMessage: "Tell me a story.",
            generationOptions: DemoModel.greedy.with(maxTokens: 4000).with(extras: endless))
        {
            if case .chunk = response { await runner.unload() }
            last = response
        }
        guard case .complete(let completion)? = last else {
            Issue.record("no completion")
            return
        }
        #expect(completion.finishReason == .interrupted)
        #expect(conversation.history.count == 2)
        await #expect(throws: LeapGenerationException.self) {
            try await conversation.generateResponse(userTextMessage: "x").collect()
        }
    }

    @Test("A restored history is answered as the original is")
    func restoring() async throws {
        let runner = try await DemoModel.runner.value
        let conversation = runner.createConversation(systemPrompt: nil)
        _ = try await conversation.generateResponse(
            userTextMessage: "My name is Vera.", generationOptions: DemoModel.greedy
        ).collect()
        let json: String = conversation.exportToJSON()
        let restored = runner.createConversationFromHistory(history: try ChatMessage.messages(fromJSON: json))
        #expect(restored.history == conversation.history)
        let question = "What is my name?"
        let a = try await conversation.generateResponse(userTextMessage: question, generationOptions: DemoModel.greedy)
            .collect().text
        let b = try await restored.generateResponse(userTextMessage: question, generationOptions: DemoModel.greedy)
            .collect().text
        #expect(a == b && a.contains("Vera"))
    }
}
