import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// The fields that the chats of all protocols have in common.
extension RequestFields {
    /// The maximum number of messages of a request, and of items and tools that are named.
    static let maxMessages = 10_000

    /// The functions in `tools`; none where the field is missing.
    ///
    /// Tools of other types run where the client's maker runs them: they are left out.
    mutating func tools() throws -> ToolList {
        let tools = try ToolList(array(OpenAI.Key.tools) ?? [])
        leaveOut(tools.leftOut)
        return tools
    }

    /// A reader of a message at a place; it gives the place and the type of each part that is left out.
    typealias MessageReader = (
        _ value: JSONValue, _ place: String, _ leaveOut: @escaping (_ place: String, _ type: String) -> Void
    ) throws -> ChatMessage

    /// The messages in `messages`; none where the field is missing.
    ///
    /// - Parameter read: reads a message of the protocol; OpenAI's by default.
    mutating func messages(
        _ read: MessageReader = { try Self.message($0, at: $1, leaveOut: $2) }
    ) throws -> [ChatMessage] {
        let values = try array(OpenAI.Key.messages) ?? []
        guard values.count <= Self.maxMessages else {
            throw APIError.invalid(
                "there are \(values.count) messages; at most \(Self.maxMessages) are taken",
                OpenAI.Key.messages)
        }
        var leftOut: [String] = []
        let messages = try values.enumerated().map { index, value in
            try read(value, "messages[\(index)]") { leftOut.append("\($0).type=\($1)") }
        }
        leaveOut(leftOut)
        return messages
    }

    /// Returns true if `truncation` asks for the oldest turns to be left out of a prompt that does not fit.
    mutating func truncates() throws(APIError) -> Bool {
        switch try string("truncation") {
        case nil, "", "disabled": return false
        case "auto": return true
        case let other?:
            throw .invalid(
                "'truncation' is '\(HeaderText.safe(other))'; expected 'auto' or 'disabled'", "truncation")
        }
    }

    /// The text that `continue_final_message` asks to go on from, which is taken off the messages; nil where it does
    /// not.
    ///
    /// - Throws: ``APIError`` where the last message is no text of the assistant's.
    mutating func replyStart(takenFrom messages: inout [ChatMessage]) throws(APIError) -> String? {
        let name = OpenAI.Key.continuesFinalMessage
        guard try bool(name) == true else { return nil }
        // Clients of vLLM say with it that no other message begins.
        _ = try bool(OpenAI.Key.addsGenerationPrompt)
        let texts = messages.last?.content.map(\.text) ?? []
        let text = texts.compactMap { $0 }.joined()
        guard let last = messages.last, last.role == .assistant, texts.count == texts.compactMap({ $0 }).count,
            last.functionCalls?.isEmpty ?? true, !text.isEmpty
        else {
            throw .invalid("'\(name)' needs a last message of the assistant with text, and without calls", name)
        }
        messages.removeLast()
        return text
    }

    /// A function that is an entry of `tools`.
    static func function(_ tool: JSONValue, _ index: Int) throws -> LeapFunction {
        let place = "tools[\(index)]"
        if let type = tool[OpenAI.Key.type], type.string != OpenAI.ToolType.function.rawValue {
            throw APIError.invalid("the type of \(place) is not 'function'; there are no other tools here", place)
        }
        if let description = (tool[OpenAI.Key.function] ?? tool)[OpenAI.Key.description], description != .null,
            description.string == nil
        {
            throw APIError.invalid("the description of \(place) is \(description.kind); expected a string", place)
        }
        return try read(place) { try LeapFunction(tool: tool, place: $0, isLenient: true) }
    }

    /// A message at a place of the request.
    ///
    /// - Parameters:
    ///   - names: the names of members that the protocol has beside those of chat completions, and that count first.
    ///   - pictures: those that stand beside the content.
    ///   - leaveOut: gets the place and the type of each part that is left out; nil makes such a part an error.
    static func message(
        _ value: JSONValue, at place: String, names: FieldNames = FieldNames(), pictures: [String] = [],
        leaveOut: ((_ place: String, _ type: String) -> Void)? = nil
    ) throws -> ChatMessage {
        for name in [OpenAI.Key.name, OpenAI.Key.toolCallID, OpenAI.Key.reasoning] {
            guard let member = names[name].flatMap({ value[$0] }) ?? value[name], member != .null, member.string == nil
            else { continue }
            throw APIError.invalid("\(place).\(name) is \(member.kind); expected a string", "\(place).\(name)")
        }
        let role = value[OpenAI.Key.role]?.string.flatMap { ChatMessageRole(openAI: $0) }
        var content: [ChatMessageContent]?
        if role == .tool {
            content = try ResultParts.content(
                value[OpenAI.Key.content] ?? .null, beside: pictures, at: "\(place).content", leaveOut: leaveOut)
        }
        return try read(place) {
            try ChatMessage(json: value, place: $0, pictures: pictures, content: content, leaveOut: leaveOut)
        }
    }

    /// Runs a reader of a place in the request; an error of it names the place as the parameter at fault.
    static func read<T>(_ place: String, _ body: (String) throws -> T) throws -> T {
        do {
            return try body(place)
        } catch let error as LeapSerializationException {
            throw APIError.invalid(error.message, place)
        }
    }
}
