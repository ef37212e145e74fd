import Foundation
package import LeapJSON
import LeapOpenAIFormat

extension ChatMessage {
    /// Creates a message from an object in OpenAI's format.
    ///
    /// `content` is a string, null or an array of parts. `tool_calls`, `tool_call_id`, `reasoning_content` and `name`
    /// are supported. The roles `developer` and `function` become `system` and `tool`. Parts with a refusal become
    /// text, and parts with thoughts become `reasoning_content`.
    ///
    /// - Throws: ``LeapSerializationException`` that names the invalid member.
    public init(from json: [String: Any]) throws {
        try self.init(json: JSONValue(any: json))
    }

    /// Returns the message as an object in OpenAI's format, for `JSONSerialization`.
    public func toJSONObject() -> [String: Any] {
        json.foundationObject as? [String: Any] ?? [:]
    }

    /// Makes a message from an object in OpenAI's shape.
    ///
    /// - Parameters:
    ///   - place: says in errors which one of several it is.
    ///   - pictures: those that stand beside the content, each in Base64 or as a `data:` address.
    ///   - content: the content, where it was read already.
    ///   - leaveOut: gets the place and the type of each part that is of no known type and is left out; nil makes such
    ///     a part an error.
    /// - Throws: ``LeapSerializationException`` that names the member at fault.
    package init(
        json: JSONValue, place: String = "the message", pictures: [String] = [], content: [ChatMessageContent]? = nil,
        leaveOut: ((_ place: String, _ type: String) -> Void)? = nil
    ) throws {
        guard let object = json.object else {
            throw LeapSerializationException("\(place) is \(json.kind); expected an object with role and content")
        }
        guard let roleName = object[OpenAI.Key.role]?.string, let role = ChatMessageRole(openAI: roleName) else {
            let found = object[OpenAI.Key.role].map { $0.string.map { "'\($0)'" } ?? $0.kind } ?? "missing"
            throw LeapSerializationException(
                "role of \(place) is \(found); expected 'system', 'user', 'assistant' or 'tool'")
        }
        let calls = try Self.functionCalls(in: object, place: place, leaveOut: leaveOut)
        var read = MessageParts(place: place, leaveOut: leaveOut)
        if let content {
            read.content = content
        } else {
            try read.add(pictures: pictures)
            try read.add(object[OpenAI.Key.content] ?? .null)
            // What a model refused to say it said in its own words.
            if read.content.isEmpty, let refusal = object[OpenAI.Key.refusal]?.string {
                read.content = [.text(refusal)]
            }
        }
        let thoughts = role == .assistant && !read.thoughts.isEmpty ? read.thoughts.joined(separator: "\n") : nil
        self.init(
            role: role,
            content: read.content,
            reasoningContent: (object[OpenAI.Key.reasoning] ?? object[OpenAI.Key.otherReasoning])?.string ?? thoughts,
            functionCalls: calls.isEmpty ? nil : calls,
            toolCallId: object[OpenAI.Key.toolCallID]?.string,
            name: object[OpenAI.Key.name]?.string)
    }

    private static func functionCalls(
        in object: JSONObject, place: String, leaveOut: ((_ place: String, _ type: String) -> Void)?
    ) throws -> [LeapFunctionCall] {
        if let call = object[OpenAI.Key.functionCall], call != .null {
            return [try LeapFunctionCall(json: call, place: "function_call of \(place)")]
        }
        guard let value = object[OpenAI.Key.toolCalls], value != .null else { return [] }
        guard let calls = value.array else {
            throw LeapSerializationException("tool_calls of \(place) is \(value.kind); expected an array")
        }
        return try calls.enumerated().compactMap { index, call in
            // Calls of tools that are no functions ran elsewhere.
            if let leaveOut, let type = call[OpenAI.Key.type]?.string, type != OpenAI.ToolType.function.rawValue,
                call[type]?[OpenAI.Key.name] == nil
            {
                leaveOut("\(place).tool_calls[\(index)]", type)
                return nil
            }
            return try LeapFunctionCall(json: call, place: "tool_calls[\(index)] of \(place)")
        }
    }

    /// The message as an object in OpenAI's shape.
    package var json: JSONValue {
        var message = OpenAI.Message()
        message.role = role.openAI
        let calls = functionCalls ?? []
        if content.isEmpty {
            message.content = calls.isEmpty ? .string("") : .null
        } else if content.count == 1, case .text(let text) = content[0] {
            message.content = .string(text)
        } else {
            message.content = .array(content.map(\.json))
        }
        message.reasoning = reasoningContent
        message.toolCalls = calls.enumerated().map { $1.entry(defaultID: "call_\($0)") }
        message.toolCallID = toolCallId
        message.name = name
        return .object(message.object)
    }

    /// Reads an array of messages in OpenAI's format.
    ///
    /// - Throws: ``LeapSerializationException`` that says which message is invalid and why.
    public static func messages(fromJSON text: String) throws -> [ChatMessage] {
        let value: JSONValue
        do {
            value = try JSONParser.parse(text)
        } catch {
            throw LeapSerializationException("the messages are not JSON: \(error)", cause: error)
        }
        return try messages(value)
    }

    /// Reads an array of messages in OpenAI's format that was parsed already.
    ///
    /// - Throws: ``LeapSerializationException`` that says which message is invalid and why.
    package static func messages(_ value: JSONValue) throws -> [ChatMessage] {
        guard let values = value.array else {
            throw LeapSerializationException("the messages are \(value.kind); expected an array of messages")
        }
        return try values.enumerated().map { try ChatMessage(json: $1, place: "message \($0)") }
    }
}

extension ChatMessage: Codable {
    /// Decodes a message in OpenAI's format.
    public init(from decoder: any Decoder) throws {
        try self.init(json: try JSONValue(from: decoder))
    }

    /// Encodes the message in OpenAI's format.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }
}
