/// Puts a history into the shape that a format has places for.
///
/// A format that takes everything gets the messages as they are.
struct HistoryShape {
    let traits: PromptTraits

    func applied(to messages: [ChatMessage]) -> [ChatMessage] {
        var messages = messages
        if !traits.takesAnswerFirst { messages = Self.beginningWithUser(messages) }
        let isLate = messages.drop { $0.role == .system }.contains { $0.role == .system }
        if !traits.takesSystem || (isLate && !traits.takesLateSystem) {
            messages = SystemMessage.gathered(messages)
        } else if !traits.takesSeveralSystem {
            messages = SystemMessage.gatheredAtBeginning(messages)
        }
        if traits.takesToolCalls, !traits.takesSeveralCalls { messages = Self.withSingleCalls(messages) }
        return messages
    }

    private static func beginningWithUser(_ messages: [ChatMessage]) -> [ChatMessage] {
        guard let first = messages.firstIndex(where: { $0.role != .system }), messages[first].role == .assistant else {
            return messages
        }
        var messages = messages
        messages.insert(ChatMessage(role: .user, textContent: ""), at: first)
        return messages
    }

    // MARK: Calls

    /// The messages with one call in each, followed by its result.
    private static func withSingleCalls(_ messages: [ChatMessage]) -> [ChatMessage] {
        var result: [ChatMessage] = []
        var rest = messages[...]
        while let message = rest.popFirst() {
            guard message.role == .assistant, let calls = message.functionCalls, calls.count > 1, message.media.isEmpty
            else {
                result.append(message)
                continue
            }
            var results = Array(rest.prefix { $0.role == .tool })
            rest = rest.dropFirst(results.count)
            let ids = Set(calls.compactMap(\.id))
            for (index, call) in calls.enumerated() {
                // What is said and thought before the calls stands before the first.
                var single = index == 0 ? message : ChatMessage(role: .assistant, content: [])
                single.functionCalls = [call]
                result.append(single)
                if let place = answer(to: call, in: results, ids: ids) { result.append(results.remove(at: place)) }
            }
            result += results
        }
        return result
    }

    /// The result of a call: the one with its id, else the first that names no other call.
    private static func answer(to call: LeapFunctionCall, in results: [ChatMessage], ids: Set<String>) -> Int? {
        results.firstIndex { $0.toolCallId != nil && $0.toolCallId == call.id }
            ?? results.firstIndex { $0.toolCallId.map { !ids.contains($0) } ?? true }
    }
}
