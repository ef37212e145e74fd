import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// A request of OpenAI's chat completions.
struct ChatRequest: Sendable {
    static let maxChoices = 16

    var order: ReplyOrder
    var includesUsage: Bool
    /// The sound that is asked for; nil for none.
    var spoken: SpokenChat?
    /// True if calls are asked for in the shape that they had before tools.
    var hasLegacyCalls: Bool
    /// Earlier replies with sound, by the places of the messages that stand for them.
    var references: [Int: String]

    /// Reads a body.
    ///
    /// - Throws: ``APIError`` that names the field at fault.
    init(_ body: RequestBody) throws {
        var fields = try RequestFields(body)
        let model = try fields.string(OpenAI.Key.model)
        var messages = try fields.messages()
        references = try SpokenChat.references(&fields)
        guard !messages.isEmpty else {
            throw APIError.invalid("'messages' is missing or empty; expected an array of messages", OpenAI.Key.messages)
        }
        hasLegacyCalls = try fields.readLegacyCalls()
        var tools = try fields.tools()
        let choice = fields.unknownMembers([(OpenAI.Key.toolChoice, KnownMembers.toolChoice)])
        let allowed = try fields.readAllowedTools(&tools)
        messages = tools.calling(messages)
        let start = try fields.replyStart(takenFrom: &messages)
        let isStream = try fields.bool(OpenAI.Key.stream) ?? false
        var streaming = RequestFields(try fields.object(OpenAI.Key.streamOptions) ?? [:])
        includesUsage = try streaming.bool(OpenAI.Key.includeUsage) ?? false
        var withoutEffect: [String] = []
        spoken = try SpokenChat.read(&fields, isStream: isStream, ignored: &withoutEffect)
        var sampling = try SamplingFields(&fields, hasFunctions: !tools.callable.isEmpty, allowed: allowed)
        try sampling.readLogprobs(&fields)
        if spoken != nil { sampling.speak() }
        if try fields.truncates() { sampling.trimOldestTurns() }
        if let start { try sampling.goOn(from: start) }
        let count = try fields.integer(OpenAI.Key.choiceCount, in: 1...Self.maxChoices) ?? 1
        order = ReplyOrder(
            model: model, messages: messages, places: ReplyOrder.places(of: messages), tools: tools,
            options: (0..<count).map { sampling.options(choice: $0) }, isStream: isStream,
            ignored: fields.ignored + streaming.ignored.map { "stream_options.\($0)" } + withoutEffect + choice
                + fields.unknownMembers(KnownMembers.chat))
    }
}
