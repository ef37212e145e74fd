#if ModelService
    import Foundation
    import LeapBase
    import LeapCore
    import LeapDemoModel
    import LeapSDK
    import LeapServing
    import LeapTestSupport
    import Testing

    @testable import LeapService

    @Suite(.timeLimit(.minutes(30)))
    struct SessionTests {
        private let short = GenerationOptions(temperature: 0, maxTokens: 4)
        private let long = ServiceBench.long

        private func say(_ text: String, in conversation: any Conversation, _ options: GenerationOptions) async throws {
            _ = try await WholeReply(
                conversation.generateResponse(userTextMessage: text, generationOptions: options))
        }

        @Test("A fourth conversation with state is refused, over all models of an app, until one is released")
        func fourth() async throws {
            let bench = try ServiceBench()
            let runners = [try await bench.load(), try await bench.load()]
            var conversations = [0, 1, 0].map { runners[$0].createConversation() }
            for conversation in conversations { try await say("Hello", in: conversation, short) }
            let fourth = runners[1].createConversation()
            let error = await #expect(throws: LeapServiceException.self) { try await say("Hello", in: fourth, short) }
            #expect(error?.reason == .sessionLimit)
            #expect(fourth.history.isEmpty)
            // Those that there are go on.
            try await say("And now?", in: conversations[0], short)
            #expect(await bench.host.status().sessions == 3)
            conversations.removeLast()
            #expect(try await ServiceBench.eventually { await bench.host.status().sessions == 2 })
            try await say("Hello", in: fourth, short)
            #expect(fourth.history.count == 2)
        }

        @Test(
            "Stopping and cancelling end the generation in the service, keep what there is, and leave the conversation usable"
        )
        func stopping() async throws {
            let bench = try ServiceBench()
            let runner = try await bench.load(options: ServiceBench.longContext)
            let conversation = runner.createConversation()
            for cancels in [false, true] {
                let hasBegun = OneWaySwitch()
                let task = Task {
                    var text = ""
                    for try await response in conversation.generateResponse(
                        userTextMessage: "Go on.", generationOptions: long.with(keepsInterruptedReply: true))
                    {
                        guard case .chunk(let piece) = response else { continue }
                        text += piece
                        guard text.count > 20 else { continue }
                        hasBegun.set()
                        if !cancels { break }
                    }
                }
                #expect(try await ServiceBench.eventually { hasBegun.isSet })
                if cancels { task.cancel() }
                _ = await task.result
                #expect(try await ServiceBench.eventually { !conversation.isGenerating })
                #expect(conversation.history.last?.role == .assistant)
                #expect(conversation.history.last?.text.hasPrefix("a b a b") == true)
                #expect(try await ServiceBench.eventually { await bench.host.status().generations == 0 })
            }
            try await say("Hello", in: conversation, short)
            #expect(conversation.history.count == 6)
        }

        @Test("A handler stops a generation in the service with what there is of it")
        func handler() async throws {
            let bench = try ServiceBench()
            let conversation = try await bench.load(options: ServiceBench.longContext).createConversation()
            let completion: MessageCompletion = await withCheckedContinuation { continuation in
                let pieces = Locked(0)
                let handler = Locked<(any GenerationHandler)?>(nil)
                let started = conversation.generateResponse(
                    message: ChatMessage(role: .user, textContent: "Go on."), generationOptions: long
                ) { response in
                    switch response {
                    case .complete(let completion): continuation.resume(returning: completion)
                    default:
                        let count = pieces.withLock { count in
                            count += 1
                            return count
                        }
                        if count >= 3 { handler.withLock { $0 }?.stop() }
                    }
                }
                handler.withLock { $0 = started }
            }
            #expect(completion.finishReason == .interrupted)
            #expect(completion.stats?.completionTokens ?? 0 > 0)
            #expect(completion.stats?.promptTokens ?? 0 > 0)
        }

        @Test("After unloading a conversation is read-only, and the service keeps the model for others")
        func unload() async throws {
            let bench = try ServiceBench()
            let (first, second) = (try await bench.load(), try await bench.load())
            let conversation = first.createConversation()
            try await say("Hello", in: conversation, short)
            await first.unload()
            #expect(conversation.history.count == 2)
            await #expect(throws: LeapGenerationException.self) { try await say("Hello", in: conversation, short) }
            #expect(conversation.history.count == 2)
            try await say("Hello", in: second.createConversation(), short)
            #expect(try await ServiceBench.eventually { await bench.host.status().sessions <= 1 })
        }

        @Test("Errors of a generation are the same in the service and here", arguments: [false, true])
        func errors(_ forceLocal: Bool) async throws {
            let bench = try ServiceBench()
            let options = LiquidInferenceEngineManifestOptions(contextSize: 128)
            let runner =
                forceLocal ? try await ServiceBench.local(options: options) : try await bench.load(options: options)
            #expect(runner.isInService != forceLocal)
            let long = String(repeating: "word ", count: 400)
            let tooLong = await #expect(throws: LeapGenerationPromptExceedContextLengthException.self) {
                try await say(long, in: runner.createConversation(), short)
            }
            #expect(tooLong?.availableTokens == 128)
            let schema = await #expect(throws: LeapGeneratableSchematizationException.self) {
                try await say(
                    "Hello", in: runner.createConversation(),
                    GenerationOptions(jsonSchemaConstraint: #"{"type":"nothing"}"#))
            }
            #expect(schema != nil)
            await #expect(throws: LeapGenerationException.self) {
                try await say(
                    "Hello", in: runner.createConversation(), GenerationOptions(extras: #"{"adapters":["none"]}"#))
            }
            await #expect(throws: LeapGenerationException.self) {
                try await say(
                    "Hello", in: runner.createConversation(), GenerationOptions(extras: #"{"speculation":"draft"}"#))
            }
            await #expect(throws: LeapGenerationTokenBudgetException.self) {
                try await say(
                    "Hello", in: runner.createConversation(),
                    GenerationOptions(maxTokens: 2, extras: #"{"regex":"[a-z ]{60}"}"#))
            }
        }

        @Test("Vectors and likelihoods of texts are the same, bit for bit")
        func reading() async throws {
            let bench = try ServiceBench()
            let (remote, local) = (try await bench.load(), try await ServiceBench.local())
            let texts = ["A tram.", "Another tram leaves soon.", ""].filter { !$0.isEmpty }
            #expect(try await remote.embed(texts) == local.embed(texts))
            let all = EmbeddingOptions(pooling: .perToken, normalize: false)
            #expect(try await remote.embed(texts, options: all) == local.embed(texts, options: all))
            #expect(
                try await remote.score("leaves soon", after: .text("The tram "), topLogprobs: 2)
                    == local.score("leaves soon", after: .text("The tram "), topLogprobs: 2))
            let messages = [ChatMessage(role: .user, textContent: "Hello")]
            #expect(
                await remote.getPromptTokensSize(messages: messages) == local.getPromptTokensSize(messages: messages))
        }

        @Test("A conversation is saved with its history, and goes on in the service or here")
        func saving() async throws {
            let bench = try ServiceBench()
            let (remote, local) = (try await bench.load(), try await ServiceBench.local())
            let conversation = remote.createConversation()
            try await say("Hello", in: conversation, short)
            let url = URL(fileURLWithPath: bench.folder + "/saved")
            #expect(try await conversation.save(to: url) == 0)
            for runner in [remote, local] {
                let restored = try await runner.restoreConversation(from: url)
                #expect(restored.conversation.history == conversation.history)
                #expect(restored.stateTokens == 0)
                try await say("And now?", in: restored.conversation, short)
                #expect(restored.conversation.history.count == 4)
            }
        }

        @Test("An app that is killed leaves no session and no generation behind")
        func killedApp() async throws {
            let bench = try ServiceBench()
            let model = try LeapDemoModel.url.path
            let child = try #require(try Child(["ask", bench.place.path, model, "100000"]))
            #expect(try await child.line("chunk") != nil)
            #expect(await bench.host.status().sessions == 1)
            child.kill()
            #expect(
                try await ServiceBench.eventually {
                    let status = await bench.host.status()
                    return status.sessions == 0 && status.clients == 0 && status.generations == 0
                })
            // The model stays for the next one.
            #expect(await bench.host.status().models == [model])
        }

        @Test("A service that is killed in the middle of a reply is a typed error; the next load is in this process")
        func killedService() async throws {
            let folder = try ServiceBench.temporaryFolder()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let child = try #require(try Child(["serve", folder + "/s"]))
            #expect(try await child.line("ready") != nil)
            let downloader = ServiceBench.downloader(folder + "/s")
            let runner = try await downloader.loadSimpleModel(
                model: try ServiceBench.demo(), options: ServiceBench.longContext)
            #expect(runner.isInService)
            let conversation = runner.createConversation()
            var pieces = 0
            let error = await #expect(throws: LeapServiceException.self) {
                for try await response in conversation.generateResponse(
                    userTextMessage: "Go on.", generationOptions: long)
                {
                    guard case .chunk = response else { continue }
                    pieces += 1
                    if pieces == 3 { child.kill() }
                }
            }
            #expect(error?.reason == .connectionLost)
            #expect(!conversation.isGenerating)
            // The question stays, as after every error once something was computed.
            #expect(conversation.history.map(\.role) == [.user])
            let again = await #expect(throws: LeapServiceException.self) {
                try await say("Hello?", in: conversation, short)
            }
            #expect(again?.reason == .connectionLost)
            await #expect(throws: LeapServiceException.self) { try await runner.embed("a text") }
            let next = try await downloader.loadSimpleModel(model: try ServiceBench.demo())
            #expect(!next.isInService)
            try await say("Hello?", in: next.createConversationFromHistory(history: conversation.history), short)
            #expect(FileManager.default.fileExists(atPath: folder + "/s"))
        }
    }
#endif
