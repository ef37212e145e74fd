import LeapJSON

/// Tells a model of functions in words, where its chat template has no place for them.
///
/// To the system message (or a new one) is added: `List of tools: [` the definitions as JSON `]`, a line end, and the
/// function call parser's ``LeapFunctionCallParserProtocol/instructions``.
enum ToolPreamble {
    static func added(
        to messages: [ChatMessage], functions: [LeapFunction], parser: any LeapFunctionCallParserProtocol
    ) -> [ChatMessage] {
        let list = functions.map { JSONWriter.string($0.definition, style: .python) }.joined(separator: ", ")
        return SystemMessage.appending("List of tools: [\(list)]\n\(parser.instructions)", to: messages)
    }
}

/// Functions that add to the system message.
package enum SystemMessage {
    /// The messages with text on a line of its own at the end of the system message, or in a new one.
    package static func appending(_ text: String, to messages: [ChatMessage]) -> [ChatMessage] {
        var messages = messages
        if messages.first?.role == .system {
            let isEmpty = messages[0].content.allSatisfy { $0.text?.isEmpty == true }
            messages[0].content = (isEmpty ? [] : messages[0].content) + [.text(text)]
        } else {
            messages.insert(ChatMessage(role: .system, textContent: text), at: 0)
        }
        return messages
    }

    /// The messages with the system message at the front of the user's first one, a blank line between.
    static func mergedIntoUser(_ messages: [ChatMessage]) -> [ChatMessage] {
        guard let system = messages.first, system.role == .system else { return messages }
        var messages = Array(messages.dropFirst())
        guard let index = messages.firstIndex(where: { $0.role == .user }) else {
            return [ChatMessage(role: .user, content: system.content)] + messages
        }
        messages[index].content = joined(system.content, messages[index].content)
        return messages
    }

    /// The messages with one system message at most, at the beginning.
    static func gathered(_ messages: [ChatMessage]) -> [ChatMessage] {
        guard messages.dropFirst().contains(where: { $0.role == .system }) else { return messages }
        var all = joined(messages.filter { $0.role == .system })
        all.append(contentsOf: messages.filter { $0.role != .system })
        return all
    }

    /// The messages with the system messages that they begin with put together.
    static func gatheredAtBeginning(_ messages: [ChatMessage]) -> [ChatMessage] {
        let count = messages.prefix { $0.role == .system }.count
        return count < 2 ? messages : joined(Array(messages[..<count])) + messages[count...]
    }

    /// One system message of several, blank lines between; none of none.
    private static func joined(_ messages: [ChatMessage]) -> [ChatMessage] {
        guard var system = messages.first else { return [] }
        for message in messages.dropFirst() { system.content = joined(system.content, message.content) }
        return [system]
    }

    /// The parts of two messages in one, a blank line between texts.
    private static func joined(_ a: [ChatMessageContent], _ b: [ChatMessageContent]) -> [ChatMessageContent] {
        guard a.contains(where: { $0.text?.isEmpty != true }) else { return b }
        guard b.contains(where: { $0.text?.isEmpty != true }) else { return a }
        // Between parts that are texts there is a line end already.
        guard case .text(let text)? = a.last else { return a + b }
        return Array(a.dropLast()) + [.text(text + "\n")] + b
    }
}
