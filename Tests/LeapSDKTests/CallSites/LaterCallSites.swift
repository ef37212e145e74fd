import LeapSDK
import Testing

/// The calls of the pages and apps of versions 0.10.8 and 0.10.9, as far as earlier documents do not have them.
@MainActor
struct LaterCallSites {
    let desk = Desk()

    func configureDownloader(folder: String) -> [LeapDownloaderConfig] {
        [
            LeapDownloaderConfig.with(saveDir: folder),
            LeapDownloaderConfig.with(
                saveDir: folder, validateSha256: true, disableSslValidation: false,
                baseUrl: "https://models.harbour.example", connectTimeoutMillis: 5_000, socketTimeoutMillis: 20_000,
                requestTimeoutMillis: 90_000),
            LeapDownloaderConfig(
                saveDir: folder, validateSha256: true, disableSslValidation: false,
                baseUrl: "https://models.harbour.example", connectTimeoutMillis: 5_000, socketTimeoutMillis: 20_000,
                requestTimeoutMillis: 90_000),
        ]
    }

    func loadWithParameters(file: URL) async throws -> [ModelRunner] {
        let tuned = GenerationTimeParameters(
            samplingParameters: SamplingParameters(temperature: 0), numberOfDecodingThreads: 1)
        return [
            try await Leap.load(url: file, generationTimeParameters: tuned),
            try await Leap.shared.load(
                url: file,
                options: LiquidInferenceEngineOptions(bundlePath: file.path, contextSize: 512),
                generationTimeParameters: tuned,
                autoDetectCompanionFiles: false
            ),
            try await Leap.shared.load(
                url: file, options: LiquidInferenceEngineManifestOptions(contextSize: 512),
                generationTimeParameters: tuned, autoDetectCompanionFiles: true),
        ]
    }

    func orderFully(file: URL, cache: URL) -> LiquidInferenceEngineOptions {
        LiquidInferenceEngineOptions(
            bundlePath: file.path,
            cacheOptions: .enabled(path: cache.path),
            cpuThreads: 2,
            contextSize: 2048,
            nGpuLayers: 0,
            mmProjPath: nil,
            audioDecoderPath: nil,
            chatTemplate: nil,
            audioTokenizerPath: nil,
            audioDecoderUseGpu: false,
            useMmap: true,
            extras: nil
        )
    }

    func orderFullyForManifests() -> [LiquidInferenceEngineManifestOptions] {
        [
            LiquidInferenceEngineManifestOptions(
                cacheOptions: nil, cpuThreads: 2, contextSize: 2048, nGpuLayers: -1, mmProjPath: nil,
                audioDecoderPath: nil, chatTemplate: nil, audioTokenizerPath: nil, audioDecoderUseGpu: false,
                useMmap: nil, extras: nil),
            LiquidInferenceEngineManifestOptions(
                contextSize: 2048, audioDecoderPath: nil, audioDecoderUseGpu: false, audioTokenizerPath: nil),
        ]
    }

    func answerCalls(_ calls: [LeapFunctionCall]) async -> [ChatMessage] {
        await calls.asyncMap { call in
            ChatMessage(role: .tool, content: [.text(await desk.answer(call))])
        }
    }

    func catchSerialization(_ object: [String: Any]) -> String {
        do {
            return try ChatMessage(from: object).content.isEmpty ? "empty" : "a message"
        } catch let error as LeapSerializationError {
            return error.message
        } catch {
            return "other"
        }
    }

    func appendPositionally(conversation: Conversation) -> Int {
        let call = ChatMessage(role: .user, content: [.text("Which berth is ours?")])
        conversation.appendToHistory(call)
        conversation.appendToHistory(ChatMessage(role: .assistant, textContent: "Berth two."))
        return conversation.history.count
    }

    func composeWithoutTry(recording: Data) -> (ChatMessage, GenerationOptions) {
        let options = GenerationOptions()
        options.setResponseFormat(type: Departure.self)
        return (ChatMessage(role: .user, content: [ChatMessageContent.fromWAVData(recording)]), options)
    }

    func keepManifest(_ text: String) throws -> Manifest {
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(text.utf8))
        return try JSONDecoder().decode(Manifest.self, from: try JSONEncoder().encode(manifest))
    }

    @Test("Call sites of versions 0.10.8 and 0.10.9 run")
    func run() async throws {
        let configurations = configureDownloader(folder: "harbour")
        #expect(configurations.map(\.saveDir) == ["harbour", "harbour", "harbour"])
        #expect(configurations[1] == configurations[2])
        #expect(configurations[2].endpoint?.host == "models.harbour.example")
        #expect(configurations[2].requestTimeout == 5 && configurations[2].stallTimeout == 20)
        #expect(configurations[2].totalTimeout == 90 && configurations[0].totalTimeout == nil)

        let file = try DemoModel.file
        // Greedy by the parameters of loading: every reply begins alike, which none does at the usual temperature.
        var replies: Set<String> = []
        for runner in try await loadWithParameters(file: file) {
            let reply = try await runner.createConversation(systemPrompt: nil).generateResponse(
                userTextMessage: "Tell me a story about a fox.",
                generationOptions: GenerationOptions().with(maxTokens: 12)
            ).collect()
            replies.insert(reply.text)
        }
        #expect(replies.count == 1)
        let options = orderFully(file: file, cache: FileManager.default.temporaryDirectory)
        #expect(options.contextSize == 2048 && options.useMmap == true && options.nGpuLayers == 0)
        #expect(orderFullyForManifests().map(\.contextSize) == [2048, 2048])
        #expect(orderFullyForManifests()[0].nGpuLayers == .max)

        let calls = ["a", "b"].map { LeapFunctionCall(name: $0, arguments: [:]) }
        #expect(await answerCalls(calls).map(\.role) == [.tool, .tool])
        #expect(catchSerialization(["role": "nobody", "content": "x"]).contains("nobody"))
        let runner = try await DemoModel.runner.value
        #expect(appendPositionally(conversation: runner.createConversation(systemPrompt: nil)) == 2)
        let (message, format) = composeWithoutTry(recording: Data([1, 2, 3]))
        #expect(format.jsonSchemaConstraint == Departure.jsonSchema())
        #expect(throws: LeapSerializationException.self) { try message.content[0].validate() }
        let manifest = try keepManifest(
            #"{"schema_version":"1.0.0","inference_type":"llama.cpp/text-to-text","load_time_parameters":{"model":"a.gguf","later":[1]}}"#
        )
        #expect(manifest.loadTimeParameters.model == "a.gguf")
        #expect(String(decoding: try manifest.json(), as: UTF8.self).contains("later"))
        #expect(throws: DecodingError.self) { try keepManifest(#"{"schema_version":"9"}"#) }
    }

    @Test("Sound that is none is told by the generation")
    func failure() async throws {
        let (message, _) = composeWithoutTry(recording: Data([1, 2, 3]))
        let conversation = try await DemoModel.runner.value.createConversation(systemPrompt: nil)
        await #expect(throws: LeapException.self) {
            try await conversation.generateResponse(message: message).collect()
        }
    }
}
