import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// The `input` of OpenAI's responses, as messages.
enum ResponsesInput {
    /// Reads a text, or an array of items.
    ///
    /// Items of tools that are no functions, which were run elsewhere, are left out.
    ///
    /// - Parameters:
    ///   - field: the name of what is read.
    ///   - leftOut: gets the places of items and parts that are left out.
    /// - Returns: the messages, and where in the request the parts of each are.
    /// - Throws: ``APIError`` that names the item at fault.
    static func read(
        _ value: JSONValue?, field: String = "input", leftOut: inout [String]
    ) throws -> (messages: [ChatMessage], places: [String]) {
        if let text = value?.string { return ([ChatMessage(role: .user, textContent: text)], [field]) }
        guard let items = value?.array, !items.isEmpty else {
            throw APIError.invalid(
                "'\(field)' is \(value?.kind ?? "missing"); expected a string or an array of items", field)
        }
        guard items.count <= RequestFields.maxMessages else {
            throw APIError.invalid(
                "there are \(items.count) items; at most \(RequestFields.maxMessages) are taken", field)
        }
        var messages: [ChatMessage] = []
        var places: [String] = []
        for (index, item) in items.enumerated() {
            try RequestFields.read("\(field)[\(index)]") { try add(item, $0, to: &messages, &leftOut) }
            let parts = item["output"] == nil ? "content" : "output"
            while places.count < messages.count { places.append("\(field)[\(index)].\(parts)") }
        }
        return (messages, places)
    }

    private static func add(
        _ item: JSONValue, _ place: String, to messages: inout [ChatMessage], _ leftOut: inout [String]
    ) throws {
        switch item["type"]?.string ?? "message" {
        case "message":
            var parts: [String] = []
            messages.append(try RequestFields.message(item, at: place) { parts.append("\($0).type=\($1)") })
            leftOut += parts
        // A custom tool is a function that takes one text.
        case "function_call", "custom_tool_call":
            var entry = OpenAI.ToolCall(item.object ?? [:])
            entry.id = try callID(of: item, place) ?? entry.id
            let call = try LeapFunctionCall(entry, place: place)
            // Calls of one reply are items of their own here, and one message there.
            if let last = messages.last, last.role == .assistant {
                messages[messages.count - 1].functionCalls = (last.functionCalls ?? []) + [call]
            } else {
                messages.append(ChatMessage(role: .assistant, content: [], functionCalls: [call]))
            }
        case "function_call_output", "custom_tool_call_output":
            guard let output = item["output"] else {
                throw APIError.invalid("\(place) has no 'output'", place)
            }
            guard let id = try callID(of: item, place) else {
                throw APIError.invalid("\(place) has no 'call_id': it names the call that this answers", place)
            }
            var parts: [String] = []
            let content = try ResultParts.content(output, at: "\(place).output") { parts.append("\($0).type=\($1)") }
            leftOut += parts
            messages.append(ChatMessage(role: .tool, content: content, toolCallId: id))
        case "reasoning": break  // What was thought before is no part of the next prompt.
        case let other: leftOut.append("\(place).type=\(other)")
        }
    }

    /// Returns the identifier of a call in its item or in that of its result; nil where there is none.
    private static func callID(of item: JSONValue, _ place: String) throws(APIError) -> String? {
        guard let value = item["call_id"] else { return nil }
        guard let id = value.string else {
            throw .invalid("'\(place).call_id' is \(value.kind); expected a string", "\(place).call_id")
        }
        return id
    }
}
