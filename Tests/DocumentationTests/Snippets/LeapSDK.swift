// swift-format-ignore-file
import Foundation
import LeapSDK
import LeapSDKMacros

// The blocks of the articles of LeapSDK.docc.

func leapSDKSnippets(modelURL: URL) async throws {
    let runner = try await Leap.load(url: modelURL)
    let conversation = runner.createConversation(systemPrompt: "Answer briefly.")
    for try await response in conversation.generateResponse(userTextMessage: "What is the capital of France?") {
        if case .chunk(let text) = response { print(text, terminator: "") }
    }
}

func adapterSnippets(url: URL) async throws {
    let options = LiquidInferenceEngineOptions(
        extras: #"{"adapters": [{"path": "/models/style.gguf"}, {"path": "/models/law.gguf", "scale": 0.5}]}"#)
    let runner = try await Leap.load(url: url, options: options)
    print(runner.adapters.map(\.name))  // ["style", "law"]
    let plain = GenerationOptions().with(extras: #"{"adapters": []}"#)
    let law = GenerationOptions().with(extras: #"{"adapters": [{"name": "law", "scale": 1}]}"#)
    print(plain, law)
}

func precisionSnippets(modelURL: URL) async throws {
    let runner = try await Leap.load(
        url: modelURL,
        options: LiquidInferenceEngineOptions(bundlePath: modelURL.path, extras: #"{"precision": "exact"}"#))
    print(runner.modelId)
}

func loadingModelsSnippets(modelURL: URL) async throws {
    let options = LiquidInferenceEngineOptions(bundlePath: modelURL.path, cpuThreads: 4, contextSize: 8192)
    let runner = try await Leap.load(url: modelURL, options: options)
    print(runner.modelId)

    do {
        _ = try await Leap.load(url: modelURL)
    } catch let error as LeapModelLoadingException {
        print(error.path ?? "", error.localizedDescription)
    }
}

func conversationsSnippets(runner: any ModelRunner) async throws {
    let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
    let options = GenerationOptions().with(temperature: 0.3).with(maxTokens: 256)
    let message = ChatMessage(role: .user, textContent: "Tell me a story about a fox.")
    for try await response in conversation.generateResponse(message: message, generationOptions: options) {
        switch response {
        case .chunk(let text): print(text, terminator: "")
        case .complete(let completion): print("\n\(completion.finishReason), \(completion.stats?.tokenPerSecond ?? 0) tokens a second")
        case .reasoningChunk, .functionCall, .audioSample: break
        }
    }

    let json: String = conversation.exportToJSON()
    let history = try ChatMessage.messages(fromJSON: json)
    let restored = runner.createConversationFromHistory(history: history)
    _ = restored

    let file = URL(fileURLWithPath: "talk.leap")
    try await conversation.save(to: file)
    let taken = try await runner.restoreConversation(from: file)
    print(taken.conversation.history.count, taken.stateTokens, taken.recomputationReason ?? "")

    let careful = GenerationOptions().with(contextOverflowPolicy: .trimOldestTurns)
    for try await response in conversation.generateResponse(userTextMessage: "Go on.", generationOptions: careful) {
        if case .complete(let completion) = response, let trimming = completion.trimming {
            print("left out:", trimming.removedMessages.count, "messages,", trimming.removedTokens, "tokens")
        }
    }

    let task = Task {
        for try await response in conversation.generateResponse(userTextMessage: "Tell me a long story.") {
            if case .chunk(let text) = response { print(text, terminator: "") }
        }
    }
    task.cancel()
    try await task.value
    conversation.removeLastMessage()

    for try await response in conversation.regenerateResponse(generationOptions: options.with(temperature: 0.9)) {
        if case .complete(let completion) = response { print(completion.message.text) }
    }
    let strict = options.with(whileGenerating: .fail)
    _ = strict
}

func callingFunctionsSnippets(runner: any ModelRunner, answer: (LeapFunctionCall) async -> String) async throws {
    let conversation = runner.createConversation(systemPrompt: "You are a helpful assistant.")
    conversation.registerFunction(
        LeapFunction(
            name: "next_trams",
            description: "Departures of the next trams from a stop",
            parameters: [
                LeapFunctionParameter(name: "stop", type: .string(StringType()), description: "Name of the stop")
            ]))

    var message = ChatMessage(role: .user, textContent: "When does a tram leave from the harbour?")
    while true {
        var calls: [LeapFunctionCall] = []
        for try await response in conversation.generateResponse(message: message) {
            switch response {
            case .chunk(let text): print(text, terminator: "")
            case .functionCall(let new): calls += new
            case .reasoningChunk, .audioSample, .complete: break
            }
        }
        if calls.isEmpty { break }
        for call in calls {
            let result = await answer(call)
            conversation.appendToHistory(message: ChatMessage(role: .tool, content: [.text(result)], toolCallId: call.id))
        }
        message = ChatMessage(role: .user, textContent: "")
    }
}

func schemaSnippets(conversation: any Conversation, toolsJSON: String) throws {
    let forecast = try LeapFunction(
        name: "forecast", description: "Forecast of a city",
        parametersSchema: #"""
            {"type": "object", "required": ["city"], "properties": {
                "city": {"type": "string", "minLength": 1},
                "days": {"type": ["integer", "null"], "minimum": 1, "maximum": 7}}}
            """#)
    let tools = try LeapFunction.functions(fromJSON: toolsJSON)
    conversation.registerFunctions([forecast] + tools)
}

func toolChoiceSnippets(conversation: any Conversation) async throws {
    let required = GenerationOptions().with(extras: #"{"toolChoice": "required"}"#)
    for try await response in conversation.generateResponse(userTextMessage: "And from the museum?", generationOptions: required) {
        if case .functionCall(let calls) = response { print(calls) }
    }
}

final class ArrowParser: LeapFunctionCallParser, @unchecked Sendable {
    init() { super.init(toolCallStartToken: "<call>", toolCallEndToken: "</call>") }

    override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        [LeapFunctionCall(name: text, arguments: [:])]
    }
}

func reasoningSnippets(conversation: any Conversation) async throws {
    let question = "Tom has 3 apples and gets 4 more. How many apples does Tom have?"
    let thinking = GenerationOptions().with(enableThinking: true)
    for try await response in conversation.generateResponse(userTextMessage: question, generationOptions: thinking) {
        switch response {
        case .reasoningChunk(let thought): print("(\(thought))", terminator: "")
        case .chunk(let text): print(text, terminator: "")
        case .functionCall, .audioSample, .complete: break
        }
    }
}

@Generatable("A joke and how good it is")
struct Joke: Codable {
    @Guide("The joke itself")
    let text: String

    @Guide("How good it is", .range(1...10))
    let rating: Int
}

func typedReplySnippets(conversation: any Conversation) async throws {
    let joke = try await conversation.generate(Joke.self, userTextMessage: "Tell me a joke about a fox.")
    print(joke.text, joke.rating)

    for try await value in conversation.generateValues(Joke.self, userTextMessage: "Tell me a joke about a cat.") {
        switch value {
        case .partial(let soFar): print(soFar["text"] ?? "")
        case .complete(let joke): print(joke.text, joke.rating)
        }
    }
}

func structuredOutputSnippets(conversation: any Conversation) async throws {
    let schema = #"{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}"#
    let options = GenerationOptions().with(jsonSchema: schema).with(temperature: 0)
    for try await response in conversation.generateResponse(userTextMessage: "Give the facts about Rome as JSON.", generationOptions: options) {
        if case .complete(let completion) = response { print(completion.message.text) }
    }

    let pattern = GenerationOptions().with(extras: #"{"regex": "(yes|no), [0-9]{1,3}%"}"#)
    for try await response in conversation.generateResponse(userTextMessage: "Will it rain? How sure are you?", generationOptions: pattern) {
        if case .complete(let completion) = response { print(completion.message.text) }
    }
}

// MigratingFromLEAP.md

func tokens(of response: MessageResponse) -> Int64? {
    if case .complete(let completion) = response { return completion.stats?.totalTokens }
    return nil
}
