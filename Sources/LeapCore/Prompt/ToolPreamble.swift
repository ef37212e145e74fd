import LeapJSON

/// Tells a model of functions in words, where its chat template has no place for them.
///
/// To the system message (or a new one) is added: `List of tools: [` the definitions as JSON `]`, a line end, and the function call
/// parser's ``LeapFunctionCallParserProtocol/instructions``.
enum ToolPreamble {
    static func added(
        to messages: [ChatMessage], functions: [LeapFunction], parser: any LeapFunctionCallParserProtocol
    ) -> [ChatMessage] {
        let list = functions.map { JSONWriter.string($0.definition, style: .python) }.joined(separator: ", ")
        return SystemMessage.appending("List of tools: [\(list)]\n\(parser.instructions)", to: messages)
    }
}

/// Adds to the system message.
enum SystemMessage {
    /// The messages with text on a line of its own at the end of the system message, or in a new one.
    static func appending(_ text: String, to messages: [ChatMessage]) -> [ChatMessage] {
        var messages = messages
        if messages.first?.role == .system {
            let system = messages[0].content.compactMap(\.text).joined(separator: "\n")
            messages[0].content = [.text(system.isEmpty ? text : system + "\n" + text)]
        } else {
            messages.insert(ChatMessage(role: .system, textContent: text), at: 0)
        }
        return messages
    }

    /// The messages with the system message at the front of the user's first one, a blank line between.
    static func mergedIntoUser(_ messages: [ChatMessage]) -> [ChatMessage] {
        guard let system = messages.first, system.role == .system else { return messages }
        var messages = Array(messages.dropFirst())
        let text = system.content.compactMap(\.text).joined(separator: "\n")
        guard let index = messages.firstIndex(where: { $0.role == .user }) else {
            return [ChatMessage(role: .user, textContent: text)] + messages
        }
        messages[index].content.insert(.text(text + "\n"), at: 0)
        return messages
    }
}
