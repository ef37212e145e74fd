import LeapCore
import LeapJSON

/// What the chats of all protocols have in common.
extension RequestFields {
    /// The functions in `tools`; none where the field is missing.
    mutating func functions() throws -> [LeapFunction] {
        let functions = try (array("tools") ?? []).enumerated().map { try Self.function($1, $0) }
        do {
            try FunctionRegistry.validate(functions)
        } catch let error as LeapGenerationException {
            throw APIError.invalid(error.message, "tools")
        }
        return functions
    }

    /// The messages in `messages`; none where the field is missing.
    ///
    /// - Parameter convert: makes OpenAI's shape of a message.
    mutating func messages(_ convert: (JSONValue) -> JSONValue = { $0 }) throws -> [ChatMessage] {
        let values = try array("messages") ?? []
        guard values.count <= ChatRequest.maxMessages else {
            throw APIError.invalid(
                "there are \(values.count) messages; at most \(ChatRequest.maxMessages) are taken", "messages")
        }
        return try values.enumerated().map { try Self.message(convert($1), at: "messages[\($0)]") }
    }

    /// A function that is an entry of `tools`.
    static func function(_ tool: JSONValue, _ index: Int) throws -> LeapFunction {
        let place = "tools[\(index)]"
        if let type = tool["type"], type != "function" {
            throw APIError.invalid("the type of \(place) is not 'function'; there are no other tools here", place)
        }
        if let description = (tool["function"] ?? tool)["description"], description != .null, description.string == nil
        {
            throw APIError.invalid("the description of \(place) is \(description.kind); expected a string", place)
        }
        return try read(place) { try LeapFunction(tool: tool, place: $0) }
    }

    /// A message at a place of the request.
    static func message(_ value: JSONValue, at place: String) throws -> ChatMessage {
        for name in ["name", "tool_call_id", "reasoning_content"] {
            guard let member = value[name], member != .null, member.string == nil else { continue }
            throw APIError.invalid("\(place).\(name) is \(member.kind); expected a string", "\(place).\(name)")
        }
        return try read(place) { try ChatMessage(json: value, place: $0) }
    }

    /// Reads what is at a place of the request; an error names the place as the parameter at fault.
    static func read<T>(_ place: String, _ body: (String) throws -> T) throws -> T {
        do {
            return try body(place)
        } catch let error as LeapSerializationException {
            throw APIError.invalid(error.message, place)
        }
    }
}
