#if ModelService
    import Foundation
    import LeapAudio
    import LeapAudioDemoModel
    import LeapBase
    import LeapCore
    import LeapEngine
    import LeapModel
    import LeapSDK
    import LeapTestSupport
    import Testing

    @testable import LeapService
    @testable import LeapServing

    /// Models of the service that speak.
    @Suite(.timeLimit(.minutes(30)))
    struct SpeechTests {
        /// The demo model that hears and speaks, in a service or in this process.
        private static func load(_ bench: ServiceBench?, vocoder: String? = nil) async throws -> any ModelRunner {
            try await ServiceBench.downloader(bench?.place.path).loadSimpleModel(
                model: ModelSource(
                    modelPath: try LeapAudioDemoModel.url.path, mmprojPath: try LeapAudioDemoModel.encoderURL.path,
                    audioDecoderPath: try vocoder ?? LeapAudioDemoModel.vocoderURL.path, modelName: "demo-audio",
                    quantizationId: "Q8_0"),
                forceLocal: bench == nil)
        }

        private static func options(
            _ tokens: Int32 = 60, temperature: Float = 0, extras: String? = nil
        ) -> GenerationOptions {
            GenerationOptions(temperature: temperature, rngSeed: 5, maxTokens: tokens, extras: extras)
        }

        private static func reply(
            _ conversation: any Conversation, _ content: [ChatMessageContent], _ options: GenerationOptions
        ) async throws -> WholeReply {
            try await WholeReply(
                conversation.generateResponse(
                    message: ChatMessage(role: .user, content: content), generationOptions: options))
        }

        private static let spoken: [(name: String, system: String, options: @Sendable () -> GenerationOptions)] = [
            ("in turns", SpeechPrompts.conversation, { options() }),
            (
                "drawn", SpeechPrompts.conversation,
                { options(40, temperature: 0.8, extras: #"{"audioTemperature": 1.3, "audioTopK": 300}"#) }
            ),
            ("read out", SpeechVoice.usMale.prompt, { options(80) }),
            ("order", "Answer.", { options(30, extras: #"{"audioOrder": "interleaved"}"#) }),
            (
                "likelihoods", SpeechPrompts.conversation,
                { options(24, temperature: 0.8, extras: #"{"logprobs":true,"topLogprobs":2}"#) }
            ),
        ]

        @Test(
            "A spoken conversation in the service is the one of this process, event by event and sample for sample",
            arguments: TestLevel.cases(spoken.map(\.name), standard: 3))
        func sameSpeech(_ name: String) async throws {
            let kind = try #require(Self.spoken.first { $0.name == name })
            let bench = try ServiceBench()
            let runners = [try await Self.load(bench), try await Self.load(nil)]
            #expect(runners.map(\.isInService) == [true, false])
            let conversations = runners.map { $0.createConversation(systemPrompt: kind.system) }
            let turns: [[ChatMessageContent]] = [
                name == "read out"
                    ? [.text("The lamp is on.")] : [try .fromWAVData(LeapAudioDemoModel.Recording.lamp.data)],
                [.text("Where is Mia?")], [try .fromWAVData(LeapAudioDemoModel.Recording.sum.data)],
            ]
            var speech = 0
            for content in turns.prefix(TestLevel.rounds(2, all: 3)) {
                let remote = try await Self.reply(conversations[0], content, kind.options())
                #expect(try await remote == Self.reply(conversations[1], content, kind.options()))
                #expect(remote.finish != nil)
                speech += remote.sounds.reduce(0) { $0 + $1.count }
            }
            #expect(speech > 0)
            #expect(conversations[0].history == conversations[1].history)

            // What was said goes on from a history that was JSON meanwhile.
            guard TestLevel.isAll || name == "in turns" else { return }
            let history = try conversations[0].history.dropLast(2).map { try ChatMessage(from: $0.toJSONObject()) }
            let fresh = try await Self.reply(
                runners[0].createConversationFromHistory(history: Array(history)), turns[TestLevel.rounds(1, all: 2)],
                kind.options())
            #expect(fresh.message == conversations[0].history.last)
        }

        @Test("Where speech is turned off, or a schema is followed, the answer is text here and there")
        func silent() async throws {
            let bench = try ServiceBench()
            let runners = [try await Self.load(bench), try await Self.load(nil)]
            let schema = Self.options()
            schema.jsonSchemaConstraint = #"{"enum": ["yes", "no"]}"#
            for options in [Self.options(extras: #"{"audioOrder": "off"}"#), schema] {
                var replies: [WholeReply] = []
                for runner in runners {
                    replies.append(
                        try await Self.reply(
                            runner.createConversation(systemPrompt: SpeechPrompts.conversation),
                            [.text("Is Mia here?")],
                            options))
                }
                #expect(replies[0] == replies[1])
                #expect(replies[0].sounds.isEmpty && !replies[0].pieces.isEmpty)
            }
        }

        @Test(
            "Speech that is stopped ends in the service; what was said is the beginning of all of it, and can be repeated"
        )
        func stopped() async throws {
            let bench = try ServiceBench()
            let runner = try await Self.load(bench)
            let question = ChatMessage(role: .user, textContent: "Where is Mia?")
            // Enough codes of chance that the reply is not over before it is stopped.
            let options = Self.options(
                2000, extras: #"{"audioOrder": "interleaved", "audioTemperature": 100, "audioTopK": 2049}"#
            ).with(keepsInterruptedReply: true)
            let conversation = runner.createConversation()
            var heard: [Float] = []
            for try await response in conversation.generateResponse(message: question, generationOptions: options) {
                guard case .audioSample(let samples, let rate) = response else { continue }
                #expect(rate == 24_000)
                heard += samples
                if heard.count > 3000 { break }
            }
            #expect(try await ServiceBench.eventually { !conversation.isGenerating })
            let client = try #require(await bench.client())
            #expect(try await ServiceBench.eventually { try await client.status().generations == 0 })
            guard case .audio(let file)? = conversation.history.last?.content.last else {
                Issue.record("the message has no sound")
                return
            }
            let kept = try WAVFile(file).samples
            #expect(kept.count >= heard.count)
            #expect(zip(kept, heard).allSatisfy { abs($0 - min(max($1, -1), 1)) < 1e-4 })
            let local = try await Self.load(nil).createConversationFromHistory(history: conversation.history)
            let next = [
                try await Self.reply(conversation, [.text("And then?")], Self.options(12)),
                try await Self.reply(local, [.text("And then?")], Self.options(12)),
            ]
            #expect(next[0].message == next[1].message && next[0].sounds == next[1].sounds)
        }

        @Test("An app that names another audio decoder than the service has loads the model itself")
        func otherDecoder() async throws {
            let bench = try ServiceBench()
            #expect(try await Self.load(bench).isInService)
            let copy = bench.folder + "/vocoder-copy.gguf"
            try FileManager.default.copyItem(atPath: try LeapAudioDemoModel.vocoderURL.path, toPath: copy)
            #expect(try await !Self.load(bench, vocoder: copy).isInService)
        }

        // MARK: What no app of ours sends

        /// Asks for a generation, and sends the files that it lacks.
        private static func end(
            _ request: GenerationRequest, on connection: ServiceConnection, files: [PromptFile] = []
        ) async throws -> FinishedGeneration {
            let id = connection.newID()
            let recipe = RequestRecipe(settings: .standard, functions: [], isReasoningOpen: false, media: files)
            let planned = PlannedRequest(request, recipe: recipe)
            let (stream, continuation) = AsyncStream<ServiceConnection.GenerationNews>.makeStream()
            connection.generate(GenerateRequest(planned, generation: id, session: id)) { continuation.yield($0) }
            var found: FinishedGeneration?
            for await news in stream {
                if case .lacking = news {
                    for file in files { connection.send(ImageFrame(generation: id, file: file.file.data)) }
                }
                if case .finished(let finished) = news { found = finished }
                if case .lost = news { break }
                if found != nil { break }
            }
            connection.send(.release(session: id))
            return try #require(found)
        }

        private static func raw(_ bench: ServiceBench, vocoder: Bool = true) async throws -> ServiceConnection {
            let connection = try #require(await ServiceConnection.open(bench.place, patience: ServiceBench.patience))
            var path = try LeapAudioDemoModel.url.path
            if !vocoder {
                // Without companions beside it.
                let copy = bench.folder + "/alone.gguf"
                try FileManager.default.copyItem(atPath: path, toPath: copy)
                path = copy
            }
            var files = ModelFiles(modelPath: path)
            if vocoder {
                files.multimodalProjectorPath = try LeapAudioDemoModel.encoderURL.path
                files.audioDecoderPath = try LeapAudioDemoModel.vocoderURL.path
            }
            let request = LoadRequest(
                name: nil, files: files,
                options: LiquidInferenceEngineManifestOptions().options)
            let loaded = try await connection.request {
                .load(id: $0, request: request)
            } receive: { message -> LoadedModel? in
                if case .loaded(_, let model) = message { model } else { nil }
            }
            #expect((loaded.speech != nil) == vocoder)
            return connection
        }

        @Test("Speech that cannot be made is refused by its reason, and the connection goes on")
        func refusedRequests() async throws {
            let bench = try ServiceBench()
            let connection = try await Self.raw(bench)
            defer { connection.close() }
            func message(_ change: (inout LeapModel.SpeechRequest) -> Void) async throws -> String {
                var speech = LeapModel.SpeechRequest(order: .interleaved, start: nil, textEnd: nil)
                change(&speech)
                var request = GenerationRequest(prompt: [1], maxTokens: 4)
                request.speech = speech
                let finished = try await Self.end(request, on: connection)
                #expect(finished.reason == (finished.error == nil ? "maxTokens" : "failed"))
                return finished.error?.message ?? ""
            }
            #expect(try await message { $0.order = .interleaved(text: 0, frames: .max) }.contains("1 or more"))
            #expect(try await message { $0.order = .interleaved(text: 1, frames: .min) }.contains("1 or more"))
            #expect(try await message { $0.sampling = [.temperature: -1] }.contains("temperature"))
            #expect(try await message { $0.order = .interleaved(text: .max, frames: .max) } == "")
            #expect(
                try await message {
                    ($0.start, $0.textEnd, $0.order) = (.min, .max, .interleaved(text: 1, frames: 1))
                } == "")

            let silent = try await Self.raw(bench, vocoder: false)
            defer { silent.close() }
            var request = GenerationRequest(prompt: [1], maxTokens: 4)
            request.speech = LeapModel.SpeechRequest(order: .interleaved, start: nil, textEnd: nil)
            #expect(try await Self.end(request, on: silent).reason == "failed")
        }

        @Test("A prompt whose tokens are not those of its spoken replies is refused, and so is a sound in their place")
        func foreignFrames() async throws {
            let bench = try ServiceBench()
            let runner = try await Self.load(bench)
            let conversation = runner.createConversation(systemPrompt: SpeechPrompts.conversation)
            _ = try await Self.reply(conversation, [.text("Where is Mia?")], Self.options(40))
            guard case .audio(let file)? = conversation.history.last?.content.last else {
                Issue.record("the message has no sound")
                return
            }
            let silence = WAVFile.encode([Float](repeating: 0, count: 4000), sampleRate: 24_000, asInt16: true)
            let connection = try await Self.raw(bench)
            defer { connection.close() }
            for (data, medium, words) in [
                (file, Medium.speech, "not those of its spoken replies"), (file, .audio, "not those of its sounds"),
                (silence, .speech, "from another model"), (Data([1, 2, 3]), .speech, "from another model"),
                (file, .image, "takes no images"),
            ] {
                let request = GenerationRequest(prompt: [1, -2, -3, 4], maxTokens: 4)
                let finished = try await Self.end(
                    request, on: connection, files: [PromptFile(medium, MediaFile(data))])
                #expect(finished.reason == "failed")
                #expect(finished.error?.message.contains(words) == true, "\(finished.error?.message ?? "")")
            }
            #expect(!connection.isClosed)
        }

        @Test("An app leaves a service of another version of the protocol alone, and has its model in its own process")
        func otherVersion() async throws {
            for answer in [
                ServiceMessage.hello(version: ServiceProtocol.version - 1),
                .failure(id: nil, error: WireError(LeapServiceException.violation("another version"))),
            ] {
                let folder = try ServiceBench.temporaryFolder()
                defer { try? FileManager.default.removeItem(atPath: folder) }
                let place = ServicePlace(path: folder + "/s")
                let listener = try UnixSocket.listen(place.path)
                defer { UnixSocket.close(listener) }
                let bytes = try WireFrame(answer).bytes
                let service = Task {
                    var accepted: Int32?
                    _ = try await ServiceBench.eventually {
                        accepted = UnixSocket.accept(listener)
                        return accepted != nil
                    }
                    _ = UnixSocket.write(try #require(accepted), bytes[...])
                    return accepted
                }
                let runner = try await ServiceBench.downloader(place.path).loadSimpleModel(
                    model: try ServiceBench.demo(), options: nil)
                #expect(!runner.isInService)
                if let accepted = try await service.value { UnixSocket.close(accepted) }
            }
        }

        @Test("A service that sends damaged speech, or far too much of it, loses its connection")
        func damagedSpeech() async throws {
            let frame = SpeechStep(
                generation: 1, piece: SpeechPiece(frame: nil, place: 0, samples: [.nan]), progress: []
            ).frame
            for bytes in [frame.bytes, [0, 0, 1, 0, WireFrame.Kind.speech.rawValue]] {
                let folder = try ServiceBench.temporaryFolder()
                defer { try? FileManager.default.removeItem(atPath: folder) }
                let place = ServicePlace(path: folder + "/s")
                let listener = try UnixSocket.listen(place.path)
                defer { UnixSocket.close(listener) }
                let greeting = try WireFrame(ServiceMessage.hello(version: ServiceProtocol.version)).bytes
                let service = Task {
                    var accepted: Int32?
                    _ = try await ServiceBench.eventually {
                        accepted = UnixSocket.accept(listener)
                        return accepted != nil
                    }
                    _ = UnixSocket.write(try #require(accepted), (greeting + bytes)[...])
                    return accepted
                }
                let connection = try #require(
                    await ServiceConnection.open(place, patience: ServiceBench.patience))
                #expect(try await ServiceBench.eventually { connection.isClosed })
                if let accepted = try await service.value { UnixSocket.close(accepted) }
            }
        }
    }
#endif
