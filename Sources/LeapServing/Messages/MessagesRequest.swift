import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// A request of Anthropic's Messages API: `POST /v1/messages` and `/v1/messages/count_tokens`
/// (https://docs.anthropic.com/en/api/messages).
struct MessagesRequest: Sendable {
    var order: ReplyOrder

    /// Reads a request's body.
    ///
    /// - Parameter isCount: whether the tokens of the prompt are asked for alone, which takes no limit of the reply.
    /// - Throws: ``APIError`` that names the field at fault.
    init(_ body: RequestBody, isCount: Bool = false) throws {
        var fields = try RequestFields(body)
        let model = try fields.string("model")
        try Self.refuseThread(&fields)
        let input = try MessagesInput(&fields)
        let entries = (try fields.array("tools") ?? []).map { ToolEntry(anthropic: $0) }
        let tools = try ToolList(entries)
        fields.leaveOut(tools.leftOut)
        let isStream = try fields.bool("stream") ?? false
        guard isCount || fields.value("max_tokens") != nil else {
            throw APIError.invalid("'max_tokens' is missing; expected a whole number, 1 or more", "max_tokens")
        }
        let hasFunctions = !tools.functions.isEmpty
        var sampling = try Self.sampling(&fields, hasFunctions: hasFunctions)
        let inside = try Self.readThinking(&fields, &sampling)
        try Self.readChoice(&fields, &sampling, hasFunctions: hasFunctions)
        order = ReplyOrder(
            model: model, messages: input.messages, places: input.places, tools: tools,
            options: [sampling.options(choice: 0)], isStream: isStream,
            ignored: fields.ignored + input.leftOut + inside + fields.unknownMembers(KnownMembers.messages))
    }

    /// The fields of the sampling that this protocol has; the last three are this server's own.
    private static let names = FieldNames(
        only: [
            OpenAI.Key.maxTokens, OpenAI.Key.temperature, OpenAI.Key.topP, OpenAI.Key.topK, OpenAI.Key.minP,
            OpenAI.Key.seed, OpenAI.Key.grammar, OpenAI.Key.regex,
        ], [OpenAI.Key.stop: "stop_sequences"])

    private static func sampling(_ fields: inout RequestFields, hasFunctions: Bool) throws(APIError) -> SamplingFields {
        // There is no word for no limit here.
        _ = try fields.integer("max_tokens", in: 1...Int(Int32.max))
        return try fields.named(names) { fields throws(APIError) in
            try SamplingFields(&fields, hasFunctions: hasFunctions)
        }
    }

    /// Refuses a conversation that the server is to keep, in the words by which Anthropic's packages know to send all
    /// of it.
    private static func refuseThread(_ fields: inout RequestFields) throws(APIError) {
        guard fields.value("thread") != nil else { return }
        var error = APIError.invalid(
            "'thread' is not kept here: send all messages, tools and the system prompt", "thread")
        error.details = ["error_code": "thread_unsupported_request", "unsupported": .array(["thread"])]
        throw error
    }

    /// Reads how much the model thinks, and the format of the answer.
    ///
    /// - Returns: the members without effect.
    private static func readThinking(
        _ fields: inout RequestFields, _ sampling: inout SamplingFields
    ) throws(APIError) -> [String] {
        var inside: [String] = []
        var budget: ThoughtLimit?
        if let members = try fields.object("thinking") {
            var thinking = RequestFields(members)
            switch thinking.value("type")?.string {
            case "enabled", "adaptive":
                sampling.think(true)
                if let value = thinking.value("budget_tokens") {
                    budget = try ThoughtLimit(value, at: "thinking.budget_tokens")
                }
            case "disabled": sampling.think(false)
            case let other:
                throw .invalid(
                    "'thinking.type' is \(other.map { "'\(HeaderText.safe($0))'" } ?? "missing"); expected 'enabled', 'disabled' or 'adaptive'",
                    "thinking.type")
            }
            inside += thinking.ignored.map { "thinking.\($0)" }
        }
        var output = RequestFields(try fields.object("output_config") ?? [:])
        if let effort = try output.string("effort") { sampling.tellEffort(effort) }
        if let budget { sampling.limitThoughts(to: budget) }
        let formats = [try output.object("format"), try fields.object("output_format")]
        if let format = formats.compactMap({ $0 }).first {
            try sampling.useFormat(format, of: "output_config.format")
        }
        return inside + output.ignored.map { "output_config.\($0)" }
    }

    private static func readChoice(
        _ fields: inout RequestFields, _ sampling: inout SamplingFields, hasFunctions: Bool
    ) throws(APIError) {
        guard let members = try fields.object("tool_choice") else { return }
        let choice: GenerationExtras.ToolChoice
        switch members["type"]?.string {
        case "auto": choice = .auto
        case "any": choice = .required
        case "none": choice = .none
        case "tool":
            guard let name = members["name"]?.string else {
                throw .invalid("'tool_choice.name' is missing; expected the name of a tool", "tool_choice.name")
            }
            choice = .function(name)
        case let other:
            throw .invalid(
                "'tool_choice.type' is \(other.map { "'\(HeaderText.safe($0))'" } ?? "missing"); expected 'auto', 'any', 'tool' or 'none'",
                "tool_choice.type")
        }
        let isOff = members["disable_parallel_tool_use"] ?? .null
        guard isOff == .null || isOff.bool != nil else {
            throw .invalid(
                "'tool_choice.disable_parallel_tool_use' is \(isOff.kind); expected true or false",
                "tool_choice.disable_parallel_tool_use")
        }
        try sampling.choose(choice, isParallel: isOff.bool.map { !$0 }, hasFunctions: hasFunctions)
    }
}

extension ToolEntry {
    /// Reads an entry as Anthropic's clients send it.
    ///
    /// A function has the type `custom`, or none. Tools that Anthropic runs or defines have other types.
    fileprivate init(anthropic entry: JSONValue) {
        guard var definition = entry.object, [nil, .null, "custom"].contains(definition["type"]) else {
            self.init(entry)
            return
        }
        definition["type"] = nil
        self.init(untyped: .object(definition))
    }
}
