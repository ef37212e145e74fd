import LeapJSON
import LeapTemplate

/// Puts messages into an order that a template takes, where it does not take every one.
struct TurnOrder: Sendable, Hashable {
    /// True if neighbouring messages of the user become one.
    var joinsUsers: Bool
    /// True if neighbouring messages of the assistant become one.
    var joinsAnswers: Bool
    /// True if several calls may stand in one message.
    var takesSeveralCalls: Bool
    /// The message that the template needs between the result of a function and a user message.
    var betweenResultAndUser: TemplateCapabilities.BetweenResultAndUser

    init(_ found: TemplateCapabilities) {
        joinsUsers = found.requiresAlternatingTurns
        joinsAnswers = found.requiresSingleAnswers
        takesSeveralCalls = !found.requiresSingleToolCalls
        betweenResultAndUser = found.betweenResultAndUser
    }

    /// The same, but turns alternate.
    var strict: TurnOrder {
        var order = self
        order.joinsUsers = true
        order.joinsAnswers = true
        if betweenResultAndUser == .nothing { order.betweenResultAndUser = .answer }
        return order
    }

    func applied(to messages: [JSONObject]) -> [JSONObject] {
        var result: [JSONObject] = []
        result.reserveCapacity(messages.count)
        for message in messages {
            if let last = result.last, let joined = joined(last, message) {
                result[result.count - 1] = joined
                continue
            }
            if betweenResultAndUser == .answer, message["role"] == "user", result.last?["role"] == "tool" {
                result.append(["role": "assistant", "content": ""])
            }
            result.append(message)
        }
        return result
    }

    /// One message of two neighbours; nil where they stay two.
    private func joined(_ a: JSONObject, _ b: JSONObject) -> JSONObject? {
        let isJoined =
            switch (a["role"]?.string, b["role"]?.string) {
            case ("user", "user"): joinsUsers
            case ("tool", "user"): betweenResultAndUser == .noPlace
            case ("assistant", "assistant"):
                // What was said behind a call has no place in front of it.
                joinsAnswers && (a["tool_calls"] == nil || (b["tool_calls"] != nil && takesSeveralCalls))
            default: false
            }
        guard isJoined else { return nil }
        var message = a
        message["content"] = Self.joined(a["content"], b["content"], isPlain: b["role"] == "user")
        guard b["role"] == "assistant" else { return message }
        for name in ["reasoning_content", "thinking"] where b[name] != nil {
            message[name] = Self.joined(a[name], b[name], isPlain: false)
        }
        if let calls = b["tool_calls"]?.array { message["tool_calls"] = .array((a["tool_calls"]?.array ?? []) + calls) }
        return message
    }

    /// Two texts, a line end between.
    ///
    /// - Parameter isPlain: whether there is one beside an empty text too.
    private static func joined(_ a: JSONValue?, _ b: JSONValue?, isPlain: Bool) -> JSONValue {
        let (a, b) = (a?.string ?? "", b?.string ?? "")
        return .string(!isPlain && (a.isEmpty || b.isEmpty) ? a + b : a + "\n" + b)
    }
}
