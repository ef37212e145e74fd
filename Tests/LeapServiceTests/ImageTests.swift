import LeapModel

#if ModelService
    import Foundation
    import LeapBase
    import LeapCore
    import LeapEngine
    import LeapSDK
    import Testing

    @testable import LeapService
    @testable import LeapServing

    /// Pictures for models of the service.
    @Suite(.timeLimit(.minutes(30)))
    struct ImageTests {
        private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        private static let model = tests.appendingPathComponent("Fixtures/vision/vision.gguf").path
        private static let projector = tests.appendingPathComponent("Fixtures/vision/mmproj-vision.gguf").path

        private static func picture(_ name: String = "17x9-RGB.png") throws -> ChatMessageContent {
            .image(try Data(contentsOf: tests.appendingPathComponent("LeapVisionTests/Fixtures/\(name)")))
        }

        /// The vision model, in a service or in this process.
        private static func load(
            _ bench: ServiceBench?, mmprojPath: String? = projector,
            options: LiquidInferenceEngineManifestOptions? = nil
        ) async throws -> any ModelRunner {
            try await ServiceBench.downloader(bench?.place.path).loadSimpleModel(
                model: ModelSource(
                    modelPath: model, mmprojPath: mmprojPath, modelName: "vision", quantizationId: "F32"),
                options: options, forceLocal: bench == nil)
        }

        private static func reply(
            _ conversation: any Conversation, _ content: [ChatMessageContent],
            _ options: GenerationOptions = GenerationOptions(temperature: 0, maxTokens: 12)
        ) async throws -> WholeReply {
            try await WholeReply(
                conversation.generateResponse(
                    message: ChatMessage(role: .user, content: content), generationOptions: options))
        }

        @Test("A conversation over pictures in the service says what it says in this process, event by event")
        func sameText() async throws {
            let bench = try ServiceBench()
            let runners = [try await Self.load(bench), try await Self.load(nil)]
            #expect(runners.map(\.isInService) == [true, false])
            let conversations = runners.map { $0.createConversation(systemPrompt: "Look.") }
            let schema = GenerationOptions(
                temperature: 0.7, rngSeed: 5,
                jsonSchemaConstraint:
                    #"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}"#,
                maxTokens: 30)
            let drawn = GenerationOptions(temperature: 0.9, topK: 50, rngSeed: 42, maxTokens: 20)
            let turns: [([ChatMessageContent], GenerationOptions)] = [
                ([try Self.picture(), .text("What is it?")], GenerationOptions(temperature: 0, maxTokens: 12)),
                ([.text("And now?")], drawn),
                (
                    [try Self.picture("17x9-420.jpg"), .text("or"), try Self.picture(), .text("<image> is text")],
                    schema
                ),
                ([try Self.picture("1x1-grey.jpg")], drawn),
            ]
            for (content, options) in turns {
                let replies = [
                    try await Self.reply(conversations[0], content, options),
                    try await Self.reply(conversations[1], content, options),
                ]
                #expect(replies[0] == replies[1])
                #expect(replies[0].finish != nil)
            }
            #expect(conversations[0].history == conversations[1].history)
            let counts = try [runners[0], runners[1]].map {
                try $0.promptTokenCount(messages: [ChatMessage(role: .user, content: [try Self.picture()])])
            }
            #expect(counts[0] == counts[1] && counts[0] > 64)
        }

        @Test("Replies about sounds are those of a model in the app's own process")
        func sounds() async throws {
            let projector = Self.tests.appendingPathComponent("Fixtures/audio/mmproj-audio.gguf").path
            let bench = try ServiceBench()
            var replies: [[WholeReply]] = []
            for bench in [bench, nil] {
                let conversation = try await Self.load(bench, mmprojPath: projector).createConversation()
                var all: [WholeReply] = []
                for count in [20_000, 5000] {
                    let samples = (0..<count).map { Float($0 % 97) / 97 - 0.5 }
                    let sound = ChatMessageContent.fromFloatSamples(samples, sampleRate: 16_000)
                    all.append(try await Self.reply(conversation, [sound, .text("What?")]))
                }
                replies.append(all)
            }
            #expect(replies[0] == replies[1])
            #expect(bench.host.pictures.byteCount == 2 * 44 + 4 * 25_000)
        }

        @Test("Two apps share the model, and a picture that one has sent is not kept twice")
        func shared() async throws {
            let bench = try ServiceBench()
            let options = LiquidInferenceEngineManifestOptions(cacheOptions: .enabled(path: "of the service"))
            let first = try await Self.load(bench, options: options).createConversation()
            let second = try await Self.load(bench, options: options).createConversation()
            let one = try await Self.reply(first, [try Self.picture(), .text("What?")])
            let two = try await Self.reply(second, [try Self.picture(), .text("What?")])
            #expect(one.message == two.message)
            // What the first computed for the picture is there for the second.
            #expect((two.cachedTokens ?? 0) >= 64)
            let count = try #require(try Self.picture().picture).count
            #expect(bench.host.pictures.byteCount == count)
            _ = try await Self.reply(first, [try Self.picture("2x3-L.png"), .text("And?")])
            #expect(
                bench.host.pictures.byteCount == count + (try #require(try Self.picture("2x3-L.png").picture).count))
        }

        @Test("A service that keeps no pictures is sent them again")
        func notKept() async throws {
            var limits = ServiceHost.Limits()
            limits.keptImageBytes = 1
            let bench = try ServiceBench(limits: limits)
            let conversations = [try await Self.load(bench), try await Self.load(nil)].map { $0.createConversation() }
            for question in ["What?", "And now?"] {
                let content: [ChatMessageContent] = [try Self.picture(), .text(question)]
                #expect(
                    try await Self.reply(conversations[0], content) == Self.reply(conversations[1], content))
            }
            #expect(bench.host.pictures.byteCount == 0)
        }

        @Test("Pictures that are too many bytes are refused, and the message is not kept")
        func tooManyBytes() async throws {
            for change in [
                { (limits: inout ServiceHost.Limits) in limits.imageBytesPerGeneration = 10 },
                { (limits: inout ServiceHost.Limits) in limits.pictureBytes = 10 },
            ] {
                var limits = ServiceHost.Limits()
                change(&limits)
                let bench = try ServiceBench(limits: limits)
                let conversation = try await Self.load(bench).createConversation()
                let error = await #expect(throws: LeapServiceException.self) {
                    try await Self.reply(conversation, [try Self.picture(), .text("What?")])
                }
                #expect(error?.reason == .overloaded)
                #expect(conversation.history.isEmpty)
                #expect(try await Self.reply(conversation, [.text("What?")]).finish != nil)
            }
        }

        @Test("A damaged picture is an error in the app, and nothing is sent for it")
        func damaged() async throws {
            let bench = try ServiceBench()
            let conversation = try await Self.load(bench).createConversation()
            var data = try #require(try Self.picture().picture)
            data[45] ^= 1
            await #expect(throws: LeapGenerationException.self) {
                try await Self.reply(conversation, [.image(data), .text("What?")])
            }
            #expect(conversation.history.isEmpty && bench.host.pictures.byteCount == 0)
        }

        @Test("An app that names another projector than the service has loads the model itself")
        func otherProjector() async throws {
            let bench = try ServiceBench()
            #expect(try await Self.load(bench, mmprojPath: Self.projector).isInService)
            #expect(try await Self.load(bench, mmprojPath: nil).isInService)
            let copy = bench.folder + "/mmproj-copy.gguf"
            try FileManager.default.copyItem(atPath: Self.projector, toPath: copy)
            let options = LiquidInferenceEngineManifestOptions(mmProjPath: copy)
            for runner in [
                try await Self.load(bench, mmprojPath: copy),
                try await Self.load(bench, mmprojPath: nil, options: options),
            ] {
                #expect(!runner.isInService)
                #expect(try await Self.reply(runner.createConversation(), [try Self.picture()]).finish != nil)
            }
        }

        // MARK: What no app of ours sends

        /// A connection with the vision model, and what comes for a generation on it.
        private static func raw(
            _ bench: ServiceBench
        ) async throws -> (
            connection: ServiceConnection,
            begin:
                @Sendable (GenerateRequest) -> AsyncStream<
                    ServiceConnection.GenerationNews
                >
        ) {
            let connection = try #require(await ServiceConnection.open(bench.place, patience: ServiceBench.patience))
            var files = ModelFiles(modelPath: model)
            files.multimodalProjectorPath = projector
            let request = LoadRequest(
                name: nil, files: files,
                options: LiquidInferenceEngineManifestOptions().options)
            _ = try await connection.request {
                .load(id: $0, request: request)
            } receive: { message -> LoadedModel? in
                if case .loaded(_, let model) = message { model } else { nil }
            }
            return (
                connection,
                { request in
                    let (stream, continuation) = AsyncStream<ServiceConnection.GenerationNews>.makeStream()
                    connection.generate(request) { continuation.yield($0) }
                    return stream
                }
            )
        }

        private static func request(
            _ generation: UInt32, prompt: [Int32], pictures: [MediaFile]
        ) -> GenerateRequest {
            let recipe = RequestRecipe(
                settings: .standard, functions: [], isReasoningOpen: false,
                media: pictures.map { PromptFile(.image, $0) })
            let planned = PlannedRequest(GenerationRequest(prompt: prompt, maxTokens: 4), recipe: recipe)
            return GenerateRequest(planned, generation: generation, session: generation)
        }

        private static func end(
            _ news: AsyncStream<ServiceConnection.GenerationNews>
        ) async -> FinishedGeneration? {
            for await news in news {
                if case .finished(let finished) = news { return finished }
                if case .lost = news { return nil }
            }
            return nil
        }

        @Test("A prompt whose tokens are not those of its pictures is refused: nobody gets another one's picture")
        func foreignTokens() async throws {
            let bench = try ServiceBench()
            let (connection, begin) = try await Self.raw(bench)
            defer { connection.close() }
            let file = MediaFile(try #require(try Self.picture().picture))
            let prompts: [[Int32]] = [[1, 2, 3], [-1, -2, 3], Array(repeating: -7, count: 64)]
            for (number, prompt) in prompts.enumerated() {
                let id = UInt32(100 + number)
                var news = begin(Self.request(id, prompt: prompt, pictures: [file])).makeAsyncIterator()
                while let next = await news.next() {
                    if case .lacking(let digests) = next {
                        #expect(digests == [Data(file.digest)] && number == 0)
                        connection.send(ImageFrame(generation: id, file: file.data))
                    }
                    guard case .finished(let finished) = next else { continue }
                    #expect(finished.reason == "failed")
                    #expect(finished.error?.message.contains("not those of its pictures") == true)
                    break
                }
            }
            // Negative tokens without any picture.
            let finished = await Self.end(begin(Self.request(200, prompt: [1, -2], pictures: [])))
            #expect(finished?.reason == "failed")
        }

        @Test("A picture that was not asked for ends its generation, and one for no generation is left aside")
        func unaskedPicture() async throws {
            let bench = try ServiceBench()
            let (connection, begin) = try await Self.raw(bench)
            defer { connection.close() }
            connection.send(ImageFrame(generation: 77, file: Data([1, 2, 3])))
            let file = MediaFile(try #require(try Self.picture().picture))
            var finished: FinishedGeneration?
            for await news in begin(Self.request(5, prompt: [1], pictures: [file])) {
                if case .lacking = news { connection.send(ImageFrame(generation: 5, file: Data([1, 2, 3]))) }
                guard case .finished(let end) = news else { continue }
                finished = end
                break
            }
            #expect(finished?.error?.message.contains("not asked for") == true)
            #expect(bench.host.pictures.byteCount == 0)
            #expect(!connection.isClosed)
        }

        @Test("A generation that waits for its pictures can be cancelled, and ends with its connection")
        func cancelledWait() async throws {
            let bench = try ServiceBench()
            let (connection, begin) = try await Self.raw(bench)
            let file = MediaFile(Data([1, 2, 3]))
            let first = begin(Self.request(5, prompt: [1], pictures: [file]))
            connection.send(.cancel(generation: 5))
            #expect(await Self.end(first)?.reason == "cancelled")
            let second = begin(Self.request(6, prompt: [1], pictures: [file]))
            connection.close()
            #expect(await Self.end(second) == nil)
            let client = try #require(await bench.client())
            #expect(try await ServiceBench.eventually { try await client.status().sessions == 0 })
        }

        @Test("Digests that are none, more of them than tokens, and a picture before the greeting are refused")
        func malformed() async throws {
            let bench = try ServiceBench()
            let (connection, begin) = try await Self.raw(bench)
            defer { connection.close() }
            var short = Self.request(5, prompt: [1], pictures: [])
            short.media = [WireMedia(medium: .image, digest: Data([1]))]
            #expect(await Self.end(begin(short))?.error?.message.contains("digests") == true)
            var many = Self.request(6, prompt: [1], pictures: [])
            many.media = Array(
                repeating: WireMedia(medium: .image, digest: Data(repeating: 0, count: 32)), count: 1 << 17)
            #expect(await Self.end(begin(many))?.error?.message.contains("digests") == true)

            let descriptor = try UnixSocket.connect(bench.place.path)
            defer { UnixSocket.close(descriptor) }
            let frame = ImageFrame(generation: 1, file: Data([1])).frame.bytes
            _ = UnixSocket.write(descriptor, frame[...])
            var buffer = [UInt8](repeating: 0, count: 64)
            while true {
                switch UnixSocket.read(descriptor, into: &buffer) {
                case .ended: return
                case .bytes: continue
                case .wouldBlock: try await Task.sleep(for: .milliseconds(5))
                }
            }
        }

        @Test("The store keeps so many bytes, of the pictures that were used last")
        func store() {
            let store = ImageStore(maxBytes: 10)
            let files = (0..<4).map { MediaFile(Data(repeating: UInt8($0), count: 4)) }
            store.keep(files[0])
            store.keep(files[1])
            store.keep(files[1])
            #expect(store.byteCount == 8)
            #expect(store.use(Data(files[0].digest))?.data == files[0].data)
            store.keep(files[2])
            #expect(store.byteCount == 8)
            #expect(store.use(Data(files[1].digest)) == nil)
            #expect(store.use(Data(files[0].digest)) != nil)
            store.keep(MediaFile(Data(repeating: 9, count: 11)))
            #expect(store.byteCount == 8)
        }
    }
#endif
