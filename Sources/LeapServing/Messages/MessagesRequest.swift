import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// A request of Anthropic's Messages API: `POST /v1/messages` and `/v1/messages/count_tokens`
/// (https://docs.anthropic.com/en/api/messages).
struct MessagesRequest: Sendable {
    let model: String?
    let input: MessagesInput
    let tools: ToolList
    let isStream: Bool
    let options: GenerationOptions
    /// Fields without effect, those inside of others included.
    let ignored: [String]

    /// Reads a request's body.
    ///
    /// - Parameter isCount: whether the tokens of the prompt are asked for alone, which takes no limit of the reply.
    /// - Throws: ``APIError`` that names the field at fault.
    init(_ body: [UInt8], isCount: Bool = false) throws {
        var fields = try RequestFields(body)
        model = try fields.string("model")
        try Self.refuseThread(&fields)
        input = try MessagesInput(&fields)
        let entries = (try fields.array("tools") ?? []).map(Self.tool)
        tools = try ToolList(entries)
        fields.leaveOut(tools.leftOut)
        isStream = try fields.bool("stream") ?? false
        guard isCount || fields.value("max_tokens") != nil else {
            throw APIError.invalid("'max_tokens' is missing; expected a whole number, 1 or more", "max_tokens")
        }
        var (renamed, inside) = (JSONObject(), [String]())
        try Self.readSampling(&fields, &renamed)
        try Self.readThinking(&fields, &renamed, &inside)
        try Self.readChoice(&fields, &renamed)
        var inner = RequestFields(renamed)
        let hasFunctions = !tools.functions.isEmpty
        options = try Self.renaming {
            try SamplingFields(&inner, hasFunctions: hasFunctions).options(choice: 0)
        }
        ignored = fields.ignored + input.leftOut + inside + fields.unknownMembers(KnownMembers.messages)
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

    /// An entry of `tools` in the shape of the other protocols' functions; those that Anthropic runs or defines keep
    /// their type and are left out.
    private static func tool(_ entry: JSONValue) -> JSONValue {
        guard var object = entry.object, object["type"] == nil || object["type"] == .null || object["type"] == "custom"
        else { return entry }
        object["type"] = nil
        return .object(object)
    }

    private static func readSampling(_ fields: inout RequestFields, _ renamed: inout JSONObject) throws(APIError) {
        if let limit = try fields.integer("max_tokens", in: 1...Int(Int32.max)) {
            renamed[OpenAI.Key.maxTokens] = .integer(Int64(limit))
        }
        for name in [
            OpenAI.Key.temperature, OpenAI.Key.topP, OpenAI.Key.topK, OpenAI.Key.minP, OpenAI.Key.seed,
            OpenAI.Key.grammar, OpenAI.Key.regex,
        ] {
            if let value = fields.value(name) { renamed[name] = value }
        }
        if let stops = fields.value("stop_sequences") { renamed[OpenAI.Key.stop] = stops }
    }

    /// Reads how much the model thinks, and the format of the answer.
    private static func readThinking(
        _ fields: inout RequestFields, _ renamed: inout JSONObject, _ inside: inout [String]
    ) throws(APIError) {
        var arguments: JSONObject = [:]
        if let members = try fields.object("thinking") {
            var thinking = RequestFields(members)
            switch thinking.value("type")?.string {
            case "enabled", "adaptive": arguments[OpenAI.Key.enableThinking] = .bool(true)
            case "disabled": arguments[OpenAI.Key.enableThinking] = .bool(false)
            case let other:
                throw .invalid(
                    "'thinking.type' is \(other.map { "'\(HeaderText.safe($0))'" } ?? "missing"); expected 'enabled', 'disabled' or 'adaptive'",
                    "thinking.type")
            }
            inside += thinking.ignored.map { "thinking.\($0)" }
        }
        var output = RequestFields(try fields.object("output_config") ?? [:])
        if let effort = try output.string("effort") { arguments[OpenAI.Key.reasoningEffort] = .string(effort) }
        let formats = [try output.object("format"), try fields.object("output_format")]
        if let format = formats.compactMap({ $0 }).first {
            renamed[OpenAI.Key.responseFormat] = .object([
                OpenAI.Key.type: format["type"] ?? .null,
                OpenAI.Key.jsonSchema: .object([OpenAI.Key.schema: format["schema"] ?? .null]),
            ])
        }
        inside += output.ignored.map { "output_config.\($0)" }
        if !arguments.isEmpty { renamed[OpenAI.Key.templateArguments] = .object(arguments) }
    }

    private static func readChoice(_ fields: inout RequestFields, _ renamed: inout JSONObject) throws(APIError) {
        guard let choice = try fields.object("tool_choice") else { return }
        switch choice["type"]?.string {
        case "auto": renamed[OpenAI.Key.toolChoice] = OpenAI.ToolChoice.mode(.auto).json
        case "any": renamed[OpenAI.Key.toolChoice] = OpenAI.ToolChoice.mode(.required).json
        case "none": renamed[OpenAI.Key.toolChoice] = OpenAI.ToolChoice.mode(.none).json
        case "tool":
            guard let name = choice["name"]?.string else {
                throw .invalid("'tool_choice.name' is missing; expected the name of a tool", "tool_choice.name")
            }
            renamed[OpenAI.Key.toolChoice] = OpenAI.ToolChoice.function(name).json
        case let other:
            throw .invalid(
                "'tool_choice.type' is \(other.map { "'\(HeaderText.safe($0))'" } ?? "missing"); expected 'auto', 'any', 'tool' or 'none'",
                "tool_choice.type")
        }
        if let isOff = choice["disable_parallel_tool_use"], isOff != .null {
            guard let isOff = isOff.bool else {
                throw .invalid(
                    "'tool_choice.disable_parallel_tool_use' is \(isOff.kind); expected true or false",
                    "tool_choice.disable_parallel_tool_use")
            }
            renamed[OpenAI.Key.parallelToolCalls] = .bool(!isOff)
        }
    }

    /// Runs what reads fields by the names that they have in other protocols; its errors have those of this one.
    private static func renaming<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch var error as APIError {
            let names = [OpenAI.Key.stop: "stop_sequences", OpenAI.Key.responseFormat: "output_config.format"]
            for (name, own) in names where error.parameter == name {
                error.parameter = own
                error.message = error.message.replacing("'\(name)", with: "'\(own)")
            }
            throw error
        }
    }
}
