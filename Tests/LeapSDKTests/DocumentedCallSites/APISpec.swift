// swift-format-ignore-file
// The snippets stand as they are in the document "API Spec" (0.7.0).
import Foundation
import LeapDemoModel
import LeapSDK
import Testing

@MainActor
final class APISpecCallSites {
    func load(bundleURL: URL) async throws {
        let options = LiquidInferenceEngineOptions(
        bundlePath: bundleURL.path,
        cpuThreads: 6,
        contextSize: 8192
        )
        let runner = try await Leap.load(url: bundleURL, options: options)
        _ = runner
    }

    func lowLevel(runner: ModelRunner, conversation: Conversation, options: GenerationOptions) {
        let handler = runner.generateResponse(
        conversation: conversation,
        generationOptions: options,
        onResponseCallback: { message in
        // Handle MessageResponse values here
        _ = message
        },
        onErrorCallback: { error in
        // Handle LeapError
        _ = error
        }
        )

        // Stop generation early if needed
        handler.stop()
    }

    func streaming(conversation: Conversation) async {
        let user = ChatMessage(role: .user, content: [.text("Hello! What can you do?")])

        let task = Task {
        do {
        for try await response in conversation.generateResponse(
        message: user,
        generationOptions: GenerationOptions(temperature: 0.7)
        ) {
        switch response {
        case .chunk(let delta):
        print(delta, terminator: "")
        case .reasoningChunk(let thought):
        print("Reasoning:", thought)
        case .functionCall(let calls):
        handleFunctionCalls(calls)
        case .audioSample(let samples, let sampleRate):
        audioRenderer.enqueue(samples, sampleRate: sampleRate)
        case .complete(let completion):
        let text = completion.message.content.compactMap { item in
        if case .text(let value) = item { return value }
        return nil
        }.joined()
        print("\nComplete:", text)
        if let stats = completion.stats {
        print("Prompt tokens: \(stats.promptTokens), completions: \(stats.completionTokens)")
        }
        }
        }
        } catch {
        print("Generation failed: \(error)")
        }
        }
        await task.value
    }

    func callback(conversation: Conversation, user: ChatMessage) {
        let handler = conversation.generateResponse(message: user) { response in
        updateUI(with: response)
        }

        // Later
        handler?.stop()
    }

    func structured(conversation: Conversation, user: ChatMessage) async throws {
        var options = GenerationOptions(temperature: 0.6, topP: 0.9)
        try options.setResponseFormat(type: CityFact.self)
        options = options.with(maxTokens: 64)

        for try await response in conversation.generateResponse(
        message: user,
        generationOptions: options
        ) {
        // Handle structured output
        _ = response
        }
    }

    func puttingItTogether(bundleURL: URL) async throws {
        let runner = try await Leap.load(url: bundleURL)
        let conversation = runner.createConversation(systemPrompt: "You are a travel assistant.")

        conversation.registerFunction(weatherFunction)

        var options = GenerationOptions(temperature: 0.8)
        try options.setResponseFormat(type: TripRecommendation.self)
        options = options.with(maxTokens: 64)

        let userMessage = ChatMessage(
        role: .user,
        content: [.text("Plan a 3-day trip to Kyoto with food highlights")]
        )

        for try await response in conversation.generateResponse(
        message: userMessage,
        generationOptions: options
        ) {
        process(response)
        }
    }

    func exports(conversation: Conversation) throws {
        let payload: [[String: Any]] = try conversation.exportToJSON()
        let data = try JSONSerialization.data(withJSONObject: payload, options: [])

        // Round-trip a single message
        let json: [String: Any] = ["role": "user", "content": "Hello"]
        let message = try ChatMessage(from: json)
        _ = (data, message)
    }

    func parsers() {
        var options = GenerationOptions()
        options.functionCallParser = HermesFunctionCallParser()
        options.functionCallParser = nil
        options = GenerationOptions(
            temperature: nil, topP: nil, minP: nil, repetitionPenalty: nil, jsonSchemaConstraint: nil,
            functionCallParser: LFMFunctionCallParser())
        _ = options
    }

    func wrappers() {
        let types: [LeapFunctionParameterType] = [
            .string(StringType(enumValues: ["a"])), .number(NumberType()), .integer(IntegerType(description: "x", enumValues: [1])),
            .boolean(BooleanType()), .array(ArrayType(itemType: .string(StringType()))),
            .object(ObjectType(properties: ["a": .null(NullType())], required: [])),
        ]
        _ = types
    }
}

struct APISpecTests {
    @Test("The API spec's code runs")
    @MainActor
    func run() async throws {
        let sites = APISpecCallSites()
        try await sites.load(bundleURL: LeapDemoModel.url)
        let runner = try await DemoModel.runner.value
        let conversation = runner.createConversation(systemPrompt: nil)
        await sites.streaming(conversation: conversation)
        try sites.exports(conversation: conversation)
        #expect(conversation.history.count == 2)
        sites.callback(conversation: conversation, user: ChatMessage(role: .user, textContent: "Hello!"))
        sites.parsers()
        sites.wrappers()
    }
}
