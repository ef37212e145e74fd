import Foundation
import LeapBase
import LeapCore
import LeapJSON
import LeapSDK

/// The abilities of a model as tools: chat, embed, count tokens, and transcribe where it hears.
struct MCPTools: Sendable {
    let modelName: String
    let all: [MCPTool]

    /// The maximum number of texts of a call.
    private static let maxTexts = 2048

    init(_ runner: any ModelRunner) {
        modelName = runner.modelId
        var tools = [Self.chat(runner), Self.embed(runner), Self.countTokens(runner)]
        if let own = runner as? LiquidInferenceEngineRunner, own.readableParts.audioProblem == nil {
            tools.append(Self.transcribe(runner))
        }
        all = tools
    }

    // MARK: Tools

    private static func chat(_ runner: any ModelRunner) -> MCPTool {
        MCPTool(
            name: "chat", purpose: "Ask the language model on this machine something, and get its answer as text.",
            schema: object(
                [
                    "prompt": text("The prompt."), "system": text("Instructions for the model."),
                    "schema": .object([
                        "type": "object",
                        "description": "A JSON Schema: the answer is then JSON that validates against it.",
                    ]),
                    "max_tokens": number("integer", "Maximum tokens of the answer.", least: 1),
                    "temperature": number("number", "0 for the likeliest answer.", least: 0),
                ], required: ["prompt"])
        ) { arguments in
            let prompt = try Self.string("prompt", arguments)
            let options = GenerationOptions()
            options.temperature = try Self.double("temperature", arguments, in: 0...100).map(Float.init)
            options.maxTokens = try Self.double("max_tokens", arguments, in: 1...Double(Int32.max)).map { Int32($0) }
            if let schema = arguments["schema"], schema != .null { options.schema = ReplySchema(schema) }
            let system = arguments["system"] == nil ? nil : try Self.string("system", arguments)
            let conversation = runner.createConversation(systemPrompt: system)
            return try await Self.answer(
                conversation, ChatMessage(role: .user, textContent: prompt), options,
                isJSON: options.schema != nil)
        }
    }

    private static func embed(_ runner: any ModelRunner) -> MCPTool {
        MCPTool(
            name: "embed",
            purpose: "Turn texts into vectors: similar texts have vectors with a small angle between them.",
            schema: object(
                [
                    "texts": .object([
                        "type": "array", "items": .object(["type": "string"]), "maxItems": .integer(Int64(maxTexts)),
                    ])
                ], required: ["texts"])
        ) { arguments in
            guard let values = arguments["texts"]?.array, values.count <= maxTexts else {
                throw CommandError("\"texts\" has to be an array of at most \(maxTexts) texts")
            }
            let texts = values.compactMap(\.string)
            guard texts.count == values.count else { throw CommandError("\"texts\" has an element that is not text") }
            let vectors = try await runner.embed(texts).map { embedding in
                JSONValue.array(embedding.vector.map { .double(Double($0)) })
            }
            let structured = JSONValue.object(["embeddings": .array(vectors)])
            return MCPTool.Output(text: JSONWriter.string(structured), structured: structured)
        }
    }

    private static func countTokens(_ runner: any ModelRunner) -> MCPTool {
        MCPTool(
            name: "count_tokens", purpose: "Count the tokens that a text has for the model, as a message of a user.",
            schema: object(["text": text("The text.")], required: ["text"])
        ) { arguments in
            let message = ChatMessage(role: .user, textContent: try Self.string("text", arguments))
            let count = await runner.getPromptTokensSize(messages: [message])
            let structured = JSONValue.object(["tokens": .integer(Int64(count))])
            return MCPTool.Output(text: "\(count)", structured: structured)
        }
    }

    private static func transcribe(_ runner: any ModelRunner) -> MCPTool {
        MCPTool(
            name: "transcribe", purpose: "Transcribe the speech in a sound.",
            schema: object(["audio": text("A WAV, FLAC, MP3 or Ogg file in Base64.")], required: ["audio"])
        ) { arguments in
            guard let data = Data(base64Encoded: try Self.string("audio", arguments)) else {
                throw CommandError("\"audio\" is not Base64")
            }
            let sound = ChatMessageContent.audio(data)
            try sound.validate()
            // Silence has no text.
            guard let spoken = AudioArgument.spoken(sound) else { return MCPTool.Output(text: "") }
            let options = GenerationOptions()
            options.temperature = 0
            let conversation = runner.createConversation(systemPrompt: runner.transcriptionPrompt())
            return try await Self.answer(conversation, ChatMessage(role: .user, content: [spoken]), options)
        }
    }

    // MARK: Answers and arguments

    private static func answer(
        _ conversation: any Conversation, _ message: ChatMessage, _ options: GenerationOptions, isJSON: Bool = false
    ) async throws -> MCPTool.Output {
        var text = ""
        for try await response in conversation.generateResponse(message: message, generationOptions: options).throwing {
            if case .chunk(let piece) = response { text += piece }
        }
        try Task.checkCancellation()
        let structured = isJSON ? try? JSONParser.parse(text) : nil
        return MCPTool.Output(text: text, structured: structured?.object == nil ? nil : structured)
    }

    private static func object(_ properties: JSONObject, required: [JSONValue]) -> JSONValue {
        .object([
            "type": "object", "properties": .object(properties), "required": .array(required),
            "additionalProperties": .bool(false),
        ])
    }

    private static func text(_ description: String) -> JSONValue {
        .object(["type": "string", "description": .string(description)])
    }

    private static func number(_ type: String, _ description: String, least: Int64) -> JSONValue {
        .object(["type": .string(type), "description": .string(description), "minimum": .integer(least)])
    }

    private static func string(_ name: String, _ arguments: JSONObject) throws -> String {
        guard let text = arguments[name]?.string else { throw CommandError("\"\(name)\" has to be a text") }
        return text
    }

    private static func double(
        _ name: String, _ arguments: JSONObject, in range: ClosedRange<Double>
    ) throws -> Double? {
        guard let value = arguments[name], value != .null else { return nil }
        guard let number = value.double, range.contains(number) else {
            throw CommandError("\"\(name)\" has to be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
