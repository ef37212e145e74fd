import LeapChat

/// The order of replies that a request is, in whatever protocol it came.
struct ReplyOrder: Sendable {
    /// The model's name; nil where the client names none.
    var model: String?
    /// The messages to reply to.
    var messages: [ChatMessage]
    /// The places of each message's parts in the client's body, by which errors name them; none where the parts were
    /// checked as they came.
    var places: [String] = []
    /// The tools, with the places of their schemas in the client's body.
    var tools = ToolList()
    /// The options of each reply.
    var options: [GenerationOptions]
    /// True if replies are sent piece by piece.
    var isStream = false
    /// The places in the client's body of what has no effect.
    var ignored: [String] = []

    /// The places of messages that stand in `messages`.
    static func places(of messages: [ChatMessage]) -> [String] {
        messages.indices.map { "messages[\($0)].content" }
    }

    /// True if the log probabilities of each piece are sent with it.
    var tracesLogprobs: Bool { isStream && options[0].further.logprobs }
}
