import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// A request of OpenAI's chat completions.
struct ChatRequest: Sendable {
    static let maxChoices = 16

    var model: String?
    var messages: [ChatMessage]
    var tools: ToolList
    var options: [GenerationOptions]
    var isStream: Bool
    var includesUsage: Bool
    /// The sound that is asked for; nil for none.
    var spoken: SpokenChat?
    /// True if calls are asked for in the shape that they had before tools.
    var hasLegacyCalls: Bool
    /// Earlier replies with sound, by the places of the messages that stand for them.
    var references: [Int: String]
    /// Fields that have no effect.
    var ignored: [String]

    /// True if each chunk has the log probabilities of its tokens.
    var tracesLogprobs: Bool { isStream && options[0].further.logprobs }

    /// The functions that the model may call.
    var functions: [LeapFunction] { tools.callable }

    /// Reads a body.
    ///
    /// - Throws: ``APIError`` that names the field at fault.
    init(_ body: [UInt8]) throws {
        var fields = try RequestFields(body)
        model = try fields.string(OpenAI.Key.model)
        messages = try fields.messages()
        references = try SpokenChat.references(&fields)
        guard !messages.isEmpty else {
            throw APIError.invalid("'messages' is missing or empty; expected an array of messages", OpenAI.Key.messages)
        }
        hasLegacyCalls = try fields.readLegacyCalls()
        tools = try fields.tools()
        let choice = fields.unknownMembers([(OpenAI.Key.toolChoice, KnownMembers.toolChoice)])
        _ = try fields.readAllowedTools(&tools)
        messages = tools.calling(messages)
        let start = try fields.replyStart(takenFrom: &messages)
        isStream = try fields.bool(OpenAI.Key.stream) ?? false
        var streaming = RequestFields(try fields.object(OpenAI.Key.streamOptions) ?? [:])
        includesUsage = try streaming.bool(OpenAI.Key.includeUsage) ?? false
        var withoutEffect: [String] = []
        spoken = try SpokenChat.read(&fields, isStream: isStream, ignored: &withoutEffect)
        var sampling = try SamplingFields(&fields, hasFunctions: !tools.callable.isEmpty)
        try sampling.readLogprobs(&fields)
        if spoken != nil { sampling.speak() }
        if try fields.truncates() { sampling.trimOldestTurns() }
        if let start { try sampling.goOn(from: start) }
        let count = try fields.integer(OpenAI.Key.choiceCount, in: 1...Self.maxChoices) ?? 1
        options = (0..<count).map { sampling.options(choice: $0) }
        ignored = fields.ignored + streaming.ignored.map { "stream_options.\($0)" } + withoutEffect
        ignored += choice + fields.unknownMembers(KnownMembers.chat)
    }
}
