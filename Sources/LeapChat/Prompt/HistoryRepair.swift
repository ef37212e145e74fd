/// Histories as agents send them, changed as little as a format demands that refuses them.
///
/// Agents cut off older turns, put results into messages of the user, and go on after calls that were never answered;
/// some formats demand a message of the user, or as many results as calls.
enum HistoryRepair {
    /// The text in the place of a result that never came.
    private static let noResult = "(no result)"

    /// Changed histories to try in the place of one that was refused, the least changed first.
    static func attempts(_ messages: [ChatMessage]) -> [[ChatMessage]] {
        let answered = answering(messages)
        return (answered == messages ? [] : [answered]) + [beginningWithUser(answered)]
    }

    /// The messages with a result for each call.
    private static func answering(_ messages: [ChatMessage]) -> [ChatMessage] {
        var result: [ChatMessage] = []
        var rest = messages[...]
        while let message = rest.popFirst() {
            result.append(message)
            guard message.role == .assistant, let calls = message.functionCalls, !calls.isEmpty else { continue }
            let results = rest.prefix { $0.role == .tool }
            rest = rest.dropFirst(results.count)
            result += results
            let answered = Set(results.compactMap(\.toolCallId))
            // Where results name no calls their number tells.
            let missing =
                answered.isEmpty
                ? Array(calls.dropFirst(results.count)) : calls.filter { $0.id.map { !answered.contains($0) } ?? false }
            result += missing.map {
                var answer = ChatMessage(role: .tool, textContent: noResult)
                answer.toolCallId = $0.id
                answer.name = $0.name
                return answer
            }
        }
        return result
    }

    /// The messages with an empty one of the user behind the system message.
    private static func beginningWithUser(_ messages: [ChatMessage]) -> [ChatMessage] {
        var messages = messages
        let place = messages.firstIndex { $0.role != .system } ?? messages.count
        messages.insert(ChatMessage(role: .user, textContent: ""), at: place)
        return messages
    }
}
