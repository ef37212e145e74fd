// swift-format-ignore-file
import Foundation
import LeapOpenAIClient
import LeapSDK
import LeapSDKMacros

// The blocks of the pages in docs/Leaving, one function for each.

func leavingLEAP() async throws {
    let runner = try await Leap.load(model: "LFM2-1.2B", quantization: "Q4_K_M") { fraction, _ in
        print("\(Int(fraction * 100)) %")
    }
    let conversation = runner.createConversation(systemPrompt: "Answer briefly.")
    for try await response in conversation.generateResponse(userTextMessage: "What is the capital of France?") {
        switch onEnum(of: response) {
        case .chunk(let chunk): print(chunk.text, terminator: "")
        case .complete(let completion): print("\n\(completion.stats?.totalTokens ?? 0) tokens")
        default: break
        }
    }
}

func leavingLlamaCpp(path: String) async throws {
    let load = LiquidInferenceEngineOptions(bundlePath: path, cpuThreads: 4, contextSize: 4096)
    let runner = try await Leap.load(url: URL(fileURLWithPath: path), options: load)
    let chain = GenerationOptions(extras: #"{"frequencyPenalty": 0.1, "logitBias": {"42": -5}}"#)
        .with(topK: 40).with(minP: 0.05).with(temperature: 0.7).with(rngSeed: 1).with(maxTokens: 128)
    let conversation = runner.createConversation(systemPrompt: nil)
    for try await response in conversation.generateResponse(userTextMessage: "Hello!", generationOptions: chain) {
        if case .chunk(let text) = response { print(text, terminator: "") }
    }
}

@Generatable("A trip that is suggested")
struct SuggestedTrip: Codable {
    @Guide("Where it leads")
    let place: String

    @Guide("How many days it takes", .range(1...14))
    let days: Int
}

func leavingFoundationModels(modelURL: URL) async throws {
    let runner = try await Leap.load(url: modelURL)
    let session = runner.createConversation(systemPrompt: "You suggest trips.")
    let options = GenerationOptions().with(temperature: 0.5).with(maxTokens: 200)
    for try await value in session.generateValues(
        SuggestedTrip.self, userTextMessage: "A trip by train.", generationOptions: options)
    {
        switch value {
        case .partial(let part): print(part["place"] as? String ?? "…")
        case .complete(let trip): print(trip.place, trip.days)
        }
    }
}

func leavingMLX() async throws {
    let downloader = LeapDownloader()
    let runner = try await downloader.loadModel(
        modelName: "hf:LiquidAI/LFM2-1.2B-GGUF", quantizationType: "Q4_K_M",
        options: LiquidInferenceEngineManifestOptions(cacheOptions: .enabled(path: "prompts"), contextSize: 8192))
    let session = runner.createConversation(systemPrompt: "Answer briefly.")
    for question in ["What are two things to see in Lisbon?", "And where does one eat well?"] {
        for try await response in session.generateResponse(userTextMessage: question) {
            if case .chunk(let text) = response { print(text, terminator: "") }
            if case .complete(let completion) = response { print("\n\(completion.stats?.reusedPromptTokens ?? 0) reused") }
        }
    }
}

func leavingOllama() async throws {
    let client = OpenAiClient(config: OpenAiClientConfig(apiKey: "", baseUrl: "http://localhost:11434/v1"))
    let request = ChatCompletionRequest(model: "LFM2-1.2B:Q4_K_M", messages: [.user("Tell me a joke.")])
    for try await event in client.streamChatCompletion(request: request) {
        if case .delta(let text) = event { print(text, terminator: "") }
    }
}

func leavingOllamaInProcess(models: URL) async throws {
    let downloader = LeapDownloader(config: LeapDownloaderConfig(saveDir: models.path))
    let runner = try await downloader.loadModel(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
    let chat = runner.createConversationFromHistory(history: [
        ChatMessage(role: .system, textContent: "You are a helpful assistant.")
    ])
    for try await response in chat.generateResponse(userTextMessage: "In which city is the Eiffel Tower?") {
        if case .complete(let completion) = response { print(completion.message.text) }
    }
    print(try downloader.listModels().map(\.name))
}

func leavingLocalLLMClient(modelURL: URL, picture: Data) async throws {
    let runner = try await Leap.load(url: modelURL)  // an mmproj-*.gguf beside it is found
    let session = runner.createConversation(systemPrompt: "You are a helpful assistant.")
    let message = ChatMessage(role: .user, content: [.text("What is in this picture?"), .image(picture)])
    for try await response in session.generateResponse(message: message) {
        if case .chunk(let text) = response { print(text, terminator: "") }
    }
}

func leavingAnyLanguageModel(modelURL: URL) async throws {
    let options = LiquidInferenceEngineOptions(cpuThreads: 8, contextSize: 4096)
    let runner = try await Leap.load(url: modelURL, options: options)
    let session = runner.createConversation(systemPrompt: "Translate into Spanish.")
    let sampling = GenerationOptions().with(temperature: 0.8).with(topP: 0.95).with(repetitionPenalty: 1.2)
    for try await response in session.generateResponse(userTextMessage: "Hello, world", generationOptions: sampling) {
        if case .chunk(let text) = response { print(text, terminator: "") }
    }
}
