import LeapCore
import LeapJSON

/// The fields of a request that say how a reply is generated.
struct SamplingFields: Sendable {
    private var temperature: Double?
    private var topP: Double?
    private var minP: Double?
    private var topK: Int?
    private var repetitionPenalty: Double?
    private var seed: Int?
    private var maxTokens: Int?
    private var stop: [String] = []
    private var schema: String?
    private var enableThinking = false
    /// Replies are text where no sound is asked for, whatever the model can do.
    private var extras: JSONObject = ["audioOrder": "off"]

    /// Reads the fields.
    ///
    /// - Throws: ``APIError`` that names the field at fault.
    init(_ fields: inout RequestFields, hasFunctions: Bool, defaultMaxTokens: Int? = nil) throws(APIError) {
        temperature = try fields.number("temperature", in: 0...100)
        topP = try fields.number("top_p", in: 0...1)
        minP = try fields.number("min_p", in: 0...1)
        topK = try fields.integer("top_k", in: 0...Int(Int32.max))
        repetitionPenalty = try fields.first(of: ["repetition_penalty", "repeat_penalty"]) {
            (fields, name) throws(APIError) in try fields.number(name, in: 0.01...100)
        }
        seed = try fields.integer("seed", in: .min ... .max)
        maxTokens = try fields.first(of: ["max_completion_tokens", "max_tokens"]) {
            (fields, name) throws(APIError) in try fields.integer(name, in: 1...Int(Int32.max))
        }
        if maxTokens == nil { maxTokens = defaultMaxTokens }
        for name in ["frequency_penalty", "presence_penalty"] {
            if let value = try fields.number(name, in: -2...2), value != 0 { extras[name] = .double(value) }
        }
        try readStop(&fields)
        try readForm(&fields)
        if let choice = fields.value("tool_choice") {
            extras["toolChoice"] = try Self.toolChoice(choice, hasFunctions: hasFunctions)
        } else if hasFunctions {
            // So that what is called is well-formed.
            extras["toolChoice"] = "auto"
        }
        if try fields.bool("parallel_tool_calls") == false, hasFunctions { extras["parallelToolCalls"] = .bool(false) }
        try readReasoning(&fields)
    }

    /// OpenAI's names for how much a model thinks; the first two are for not at all.
    private static let efforts = ["none", "minimal", "low", "medium", "high", "xhigh"]

    private mutating func readReasoning(_ fields: inout RequestFields) throws(APIError) {
        var arguments: JSONObject = [:]
        if let effort = try fields.string("reasoning_effort") {
            guard let level = Self.efforts.firstIndex(of: effort) else {
                throw .invalid(
                    "'reasoning_effort' is '\(HeaderText.safe(effort))'; expected \(Self.efforts.joined(separator: ", "))",
                    "reasoning_effort")
            }
            enableThinking = level > 1
            // Some templates tell the model how much.
            arguments["reasoning_effort"] = .string(effort)
        }
        for (name, value) in try fields.object("chat_template_kwargs")?.members ?? [] { arguments[name] = value }
        if let isOn = arguments["enable_thinking"]?.bool { enableThinking = isOn }
        if !arguments.isEmpty { extras["chatTemplateArguments"] = .object(arguments) }
    }

    /// Whether a reply may have several calls.
    var allowsParallelCalls: Bool { extras["parallelToolCalls"] == nil }

    /// What was said of calls; nil where nothing was, and there are no functions.
    var toolChoice: JSONValue? { extras["toolChoice"] }

    /// Whether log probabilities are reported, as chat completions say it.
    mutating func readLogprobs(_ fields: inout RequestFields) throws(APIError) {
        let isOn = try fields.bool("logprobs") ?? false
        let count = try fields.integer("top_logprobs", in: 0...20)
        guard isOn || count == nil else {
            throw .invalid("'top_logprobs' needs 'logprobs' to be true", "top_logprobs")
        }
        guard isOn else { return }
        extras["logprobs"] = .bool(true)
        extras["topLogprobs"] = .integer(Int64(count ?? 0))
    }

    private mutating func readStop(_ fields: inout RequestFields) throws(APIError) {
        guard let value = fields.value("stop") else { return }
        let texts = value.string.map { [$0] } ?? value.array?.compactMap(\.string)
        guard let texts, texts.count == value.array?.count ?? 1, texts.count <= 16 else {
            throw .invalid("'stop' is \(value.kind); expected a string or an array of at most 16 strings", "stop")
        }
        stop = texts.filter { !$0.isEmpty }
    }

    /// The form of the reply: JSON, a grammar or a regular expression.
    private mutating func readForm(_ fields: inout RequestFields) throws(APIError) {
        if let grammar = try fields.string("grammar") { extras["grammar"] = .string(grammar) }
        let pattern = try fields.first(of: ["regex", "guided_regex"]) {
            (fields, name) throws(APIError) in try fields.string(name)
        }
        if let pattern { extras["regex"] = .string(pattern) }
        guard let format = try fields.object("response_format") else { return }
        switch format["type"]?.string {
        case "text": break
        case "json_object": schema = #"{"type":"object"}"#
        case "json_schema":
            guard let value = format["json_schema"]?.object?["schema"] ?? format["schema"] else {
                throw .invalid("'response_format.json_schema.schema' is missing", "response_format")
            }
            schema = JSONWriter.string(value)
        case let other:
            throw .invalid(
                "'response_format.type' is \(other.map { "'\(HeaderText.safe($0))'" } ?? "missing"); expected 'text', 'json_object' or 'json_schema'",
                "response_format")
        }
        if extras["grammar"] != nil || extras["regex"] != nil, schema != nil {
            throw .invalid("'response_format' cannot be combined with 'grammar' or 'regex'", "response_format")
        }
    }

    static func toolChoice(_ value: JSONValue, hasFunctions: Bool) throws(APIError) -> JSONValue {
        switch value {
        case "none", "auto": return value
        case "required" where hasFunctions: return value
        case .object(let object) where hasFunctions:
            guard let name = object["function"]?.object?["name"]?.string ?? object["name"]?.string else {
                throw .invalid("'tool_choice.function.name' is missing", "tool_choice")
            }
            return .object(["type": "function", "function": .object(["name": .string(name)])])
        case "required", .object:
            throw .invalid("'tool_choice' demands a call, but there are no 'tools'", "tool_choice")
        default:
            throw .invalid(
                "'tool_choice' is \(value.string.map { "'\(HeaderText.safe($0))'" } ?? value.kind); expected 'auto', 'none', 'required' or a function",
                "tool_choice")
        }
    }

    /// Lets replies have text and sound in turn.
    mutating func speak() { extras["audioOrder"] = "interleaved" }

    /// The options of one of several replies to the same messages, each with a seed of its own.
    func options(choice: Int) -> GenerationOptions {
        let options = GenerationOptions(
            temperature: temperature.map(Float.init), topP: topP.map(Float.init), minP: minP.map(Float.init),
            repetitionPenalty: repetitionPenalty.map(Float.init), topK: topK.map(Int32.init),
            rngSeed: seed.map { Int64($0) &+ Int64(choice) }, jsonSchemaConstraint: schema,
            maxTokens: maxTokens.map(Int32.init), enableThinking: enableThinking,
            extras: JSONWriter.string(.object(extras)))
        options.stopSequences = stop
        return options
    }
}
