import LeapCore
import LeapJSON

/// The `input` of OpenAI's responses, as messages.
enum ResponsesInput {
    /// Reads a text, or an array of items.
    ///
    /// - Throws: ``APIError`` that names the item at fault.
    static func messages(_ value: JSONValue?) throws -> [ChatMessage] {
        if let text = value?.string { return [ChatMessage(role: .user, textContent: text)] }
        guard let items = value?.array, !items.isEmpty else {
            throw APIError.invalid(
                "'input' is \(value?.kind ?? "missing"); expected a string or an array of items", "input")
        }
        guard items.count <= ChatRequest.maxMessages else {
            throw APIError.invalid(
                "there are \(items.count) items; at most \(ChatRequest.maxMessages) are taken", "input")
        }
        var messages: [ChatMessage] = []
        for (index, item) in items.enumerated() {
            try RequestFields.read("input[\(index)]") { try add(item, $0, to: &messages) }
        }
        return messages
    }

    private static func add(_ item: JSONValue, _ place: String, to messages: inout [ChatMessage]) throws {
        switch item["type"]?.string ?? "message" {
        case "message": messages.append(try RequestFields.message(item, at: place))
        case "function_call":
            var entry = item.object ?? [:]
            entry["id"] = item["call_id"] ?? item["id"]
            let call = try LeapFunctionCall(json: .object(entry), place: place)
            // Calls of one reply are items of their own here, and one message there.
            if let last = messages.last, last.role == .assistant {
                messages[messages.count - 1].functionCalls = (last.functionCalls ?? []) + [call]
            } else {
                messages.append(ChatMessage(role: .assistant, content: [], functionCalls: [call]))
            }
        case "function_call_output":
            guard let output = item["output"] else {
                throw APIError.invalid("\(place) has no 'output'", place)
            }
            let text = output.string ?? JSONWriter.string(output)
            messages.append(
                ChatMessage(role: .tool, content: [.text(text)], toolCallId: item["call_id"]?.string))
        case "reasoning": break  // What was thought before is no part of the next prompt.
        case let other:
            throw APIError.invalid(
                "type of \(place) is '\(HeaderText.safe(other))'; expected 'message', 'function_call' or 'function_call_output'",
                place)
        }
    }
}
