import Foundation
import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// One item of a realtime session's conversation.
struct RealtimeItem: Sendable {
    let id: String
    /// The message for the model.
    var message: ChatMessage
    var status = "completed"
    /// The text of a reply with the times of its sound; nil for all other items.
    var spoken: SpokenText?
    /// The transcript of a sound.
    var transcript: String?

    init(id: String = Identifier.make("item_"), _ message: ChatMessage, status: String = "completed") {
        self.id = id
        self.message = message
        self.status = status
    }

    /// The bytes that the item takes in memory, about.
    var byteCount: Int {
        message.media.reduce(256 + message.text.utf8.count) { $0 + $1.data.count }
            + (message.functionCalls ?? []).reduce(0) { $0 + $1.name.utf8.count + 1024 }
    }

    /// Returns the place of the parts of a client's item.
    func partsPlace(_ place: String) -> String { place + (message.role == .tool ? ".output" : ".content") }

    // MARK: From the client

    /// Reads an item of the client's.
    ///
    /// - Throws: ``APIError`` that names the member at fault.
    init(_ value: JSONValue, _ place: String) throws {
        guard let object = value.object else {
            throw APIError.invalid("'\(place)' is \(value.kind); expected an item", place)
        }
        var fields = RequestFields(object)
        let id = try fields.string("id") ?? Identifier.make("item_")
        guard (1...64).contains(id.utf8.count) else {
            throw APIError.invalid("'\(place).id' has \(id.utf8.count) bytes; expected 1 to 64", "\(place).id")
        }
        self.id = id
        switch try fields.string("type") ?? "message" {
        case "message": message = try Self.message(object, place)
        case "function_call":
            var entry = OpenAI.ToolCall(object)
            entry.id = (object["call_id"] ?? object["id"])?.string
            let call = try RequestFields.read(place) { [entry] in try LeapFunctionCall(entry, place: $0) }
            message = ChatMessage(role: .assistant, content: [], functionCalls: [call])
        case "function_call_output":
            guard let output = object["output"] else {
                throw APIError.invalid("'\(place).output' is missing", "\(place).output")
            }
            message = ChatMessage(
                role: .tool, content: try ResultParts.content(output, at: "\(place).output"),
                toolCallId: try fields.string("call_id"))
        case let other:
            throw APIError.invalid(
                "'\(place).type' is '\(HeaderText.safe(other))'; expected message, function_call or function_call_output",
                "\(place).type")
        }
    }

    private static func message(_ object: JSONObject, _ place: String) throws -> ChatMessage {
        guard let role = object["role"]?.string.flatMap(ChatMessageRole.init(rawValue:)), role != .tool else {
            throw APIError.invalid("'\(place).role' has to be user, assistant or system", "\(place).role")
        }
        guard let parts = object["content"]?.array, parts.count <= 256 else {
            throw APIError.invalid("'\(place).content' has to be an array of at most 256 parts", "\(place).content")
        }
        return ChatMessage(
            role: role,
            content: try parts.enumerated().map { try part($1, role, "\(place).content[\($0)]") })
    }

    private static func part(
        _ value: JSONValue, _ role: ChatMessageRole, _ place: String
    ) throws -> ChatMessageContent {
        switch value["type"]?.string {
        case "input_text" where role != .assistant, "output_text" where role == .assistant, "text" where role != .tool:
            guard let text = value["text"]?.string else { throw missing("\(place).text", "a string") }
            return .text(text)
        case "output_audio" where role == .assistant, "audio" where role == .assistant:
            // What was spoken elsewhere is told by its text.
            guard let text = value["transcript"]?.string else { throw missing("\(place).transcript", "a string") }
            return .text(text)
        case "input_audio" where role == .user:
            guard let audio = value["audio"]?.string.flatMap({ Data(base64Encoded: $0) }), audio.count > 1 else {
                throw missing("\(place).audio", "Base64 of 16-bit samples")
            }
            return .fromFloatSamples(PCM16.samples(audio), sampleRate: PCM16.sampleRate)
        case "input_image" where role == .user:
            return try RequestFields.read(place) { try ChatMessageContent(json: value, place: $0) }
        case let other:
            throw APIError.invalid(
                "'\(place).type' is \(other.map { "'\(HeaderText.safe($0))'" } ?? "missing"), which is no part of what \(role.rawValue) says",
                "\(place).type")
        }
    }

    private static func missing(_ place: String, _ expected: String) -> APIError {
        .invalid("'\(place)' is missing; expected \(expected)", place)
    }

    // MARK: To the client

    /// The item as the protocol shows it, without the bytes of sounds and pictures.
    var json: JSONValue {
        var object: JSONObject = ["id": .string(id), "object": "realtime.item", "status": .string(status)]
        if let call = message.functionCalls?.first {
            object["type"] = "function_call"
            object["name"] = .string(call.name)
            object["call_id"] = .string(call.id ?? id)
            object["arguments"] = .string(call.argumentsJSON)
        } else if message.role == .tool {
            object["type"] = "function_call_output"
            object["call_id"] = message.toolCallId.map { .string($0) } ?? .null
            object["output"] = .string(message.text)
        } else {
            object["type"] = "message"
            object["role"] = .string(message.role.rawValue)
            object["content"] = .array(content)
        }
        return .object(object)
    }

    private var content: [JSONValue] {
        let isReply = message.role == .assistant
        if let spoken { return [spoken.content] }
        return message.content.map { part in
            switch part {
            case .text(let text):
                .object(["type": isReply ? "output_text" : "input_text", "text": .string(text)])
            case .audio:
                .object(["type": "input_audio", "transcript": transcript.map { .string($0) } ?? .null])
            case .image: .object(["type": "input_image"])
            case .video: .object(["type": "video"])
            }
        }
    }
}
