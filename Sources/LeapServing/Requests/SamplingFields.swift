import LeapChat
import LeapGrammar
import LeapJSON
import LeapModel
import LeapOpenAIFormat

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
    private var schema: ReplySchema?
    private var enableThinking = false
    /// True if the request asks for thoughts without a limit.
    private var isUnlimited = false
    /// Replies are text where no sound is asked for, whatever the model can do.
    private var extras: GenerationExtras = {
        var extras = GenerationExtras()
        extras.audioOrder = .off
        return extras
    }()

    /// Reads the fields.
    ///
    /// - Parameter allowed: the choice among the tools that `tool_choice` allows; nil where it is of another type.
    /// - Throws: ``APIError`` that names the field at fault.
    init(
        _ fields: inout RequestFields, hasFunctions: Bool, allowed: GenerationExtras.ToolChoice? = nil,
        defaultMaxTokens: Int? = nil
    ) throws(APIError) {
        temperature = try fields.number(OpenAI.Key.temperature, in: 0...100)
        topP = try fields.topP()
        // Negative is off, as 0 is.
        minP = try fields.number(OpenAI.Key.minP, in: -1...1).map { max(0, $0) }
        topK = try fields.integer(OpenAI.Key.topK, in: Int(Int32.min)...Int(Int32.max)).map { max(0, $0) }
        repetitionPenalty = try fields.first(of: [OpenAI.Key.repetitionPenalty, "repeat_penalty"]) {
            (fields, name) throws(APIError) in try fields.repetitionPenalty(name)
        }
        seed = try fields.seed()
        // The last is llama.cpp's name.
        let limit = try fields.first(of: [OpenAI.Key.maxCompletionTokens, OpenAI.Key.maxTokens, "n_predict"]) {
            (fields, name) throws(APIError) in try fields.tokenLimit(name)
        }
        maxTokens = limit.map(\.count) ?? defaultMaxTokens
        for parameter in [SamplingParameter.frequencyPenalty, .presencePenalty] {
            if let value = try fields.number(parameter.key, in: -2...2), value != 0 {
                extras.sampling[parameter] = value
            }
        }
        try readStop(&fields)
        try readTokens(&fields)
        try readForm(&fields)
        if let allowed {
            extras.toolChoice = try Self.checked(allowed, hasFunctions: hasFunctions)
        } else if let choice = fields.value(OpenAI.Key.toolChoice), choice != "" {
            extras.toolChoice = try Self.toolChoice(choice, hasFunctions: hasFunctions)
        } else if hasFunctions {
            extras.toolChoice = .auto
        }
        if try fields.bool(OpenAI.Key.parallelToolCalls) == false, hasFunctions { extras.parallelToolCalls = false }
        try readReasoning(&fields)
    }

    // MARK: What protocols say in other ways

    /// Takes a choice of tools.
    ///
    /// - Parameter isParallel: whether a reply may have several calls; nil by default.
    mutating func choose(
        _ choice: GenerationExtras.ToolChoice, isParallel: Bool? = nil, hasFunctions: Bool
    ) throws(APIError) {
        extras.toolChoice = try Self.checked(choice, hasFunctions: hasFunctions)
        if isParallel == false, hasFunctions { extras.parallelToolCalls = false }
    }

    /// Turns thinking on or off, as the chat template can.
    mutating func think(_ isOn: Bool) {
        extras.templateArguments[OpenAI.Key.enableThinking] = .bool(isOn)
        enableThinking = isOn
    }

    /// Tells the chat template how much the model is to think, in whatever words it has.
    ///
    /// Words that this server knows have a share of the reply, too.
    mutating func tellEffort(_ effort: String) {
        extras.tellEffort(effort)
        if isUnlimited { extras.thinkingShare = nil }
    }

    /// Takes how much the model thinks.
    ///
    /// - Parameter field: the field that says it.
    mutating func think(effort: String, field: String) throws(APIError) {
        guard let level = ThinkingEffort(rawValue: effort) else {
            let known = ThinkingEffort.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("'\(field)' is '\(HeaderText.safe(effort))'; expected \(known)", field)
        }
        enableThinking = level.thinks
        // Some templates tell the model how much.
        tellEffort(effort)
    }

    /// Limits the reply's thoughts.
    ///
    /// - Parameter limit: the number of their tokens.
    mutating func limitThoughts(to limit: ThoughtLimit) {
        extras.thinkingBudget = limit.tokens
        isUnlimited = limit.tokens == nil
        extras.liftsThinkingBudget = isUnlimited ? true : nil
        if isUnlimited { extras.thinkingShare = nil }
    }

    /// Reads the limit of a reply's thoughts by the names that servers have for it.
    private mutating func readBudget(_ fields: inout RequestFields) throws(APIError) {
        // llama.cpp's two, vLLM's, and that of mlx-vlm and FastDeploy; -1 is no limit.
        let names = [
            "reasoning_budget_tokens", "thinking_budget_tokens", "thinking_token_budget", "thinking_budget",
        ]
        let limit = try fields.first(of: names) { (fields, name) throws(APIError) -> ThoughtLimit? in
            guard let value = fields.value(name) else { return nil }
            return try ThoughtLimit(value, at: fields.shown(name), mayLift: true)
        }
        if let limit { limitThoughts(to: limit) }
        let messageName = "reasoning_budget_message"
        // An empty one is none, also where the model's family has one.
        if let message = try fields.string(messageName) {
            let limit = GenerationExtras.maximumBudgetMessage
            let length = message.utf8.count
            guard length <= limit else {
                throw .invalid("'\(messageName)' has \(length) bytes; expected at most \(limit)", messageName)
            }
            extras.thinkingBudgetMessage = message
        }
        // Every chat completion can be controlled.
        _ = try fields.bool("reasoning_control")
    }

    /// Reads the limit among the variables of a template, as SGLang has it.
    private mutating func readTemplateBudget() throws(APIError) {
        guard let value = extras.templateArguments["thinking_budget"], value != .null else { return }
        let place = "\(OpenAI.Key.templateArguments).thinking_budget"
        let limit = try ThoughtLimit(value, at: place, mayLift: true)
        if extras.thinkingBudget == nil { limitThoughts(to: limit) }
    }

    private mutating func readReasoning(_ fields: inout RequestFields) throws(APIError) {
        if let effort = try fields.string(OpenAI.Key.reasoningEffort), !effort.isEmpty {
            try think(effort: effort, field: fields.shown(OpenAI.Key.reasoningEffort))
        }
        for (name, value) in try fields.object(OpenAI.Key.templateArguments)?.members ?? [] {
            extras.templateArguments[name] = value
        }
        if let isOn = extras.templateArguments[OpenAI.Key.enableThinking]?.bool { enableThinking = isOn }
        try readBudget(&fields)
        try readTemplateBudget()
    }

    /// True if a reply may have several calls.
    var allowsParallelCalls: Bool { extras.parallelToolCalls }

    /// The choice of tools; nil where the request has none, and no functions.
    var toolChoice: GenerationExtras.ToolChoice? { extras.toolChoice }

    /// Reads whether log probabilities are reported, from the fields of chat completions.
    mutating func readLogprobs(_ fields: inout RequestFields) throws(APIError) {
        let isOn = try fields.bool(OpenAI.Key.logprobs) ?? false
        let count = try fields.integer(OpenAI.Key.topLogprobs, in: 0...20)
        guard isOn || count ?? 0 == 0 else {
            throw .invalid("'top_logprobs' needs 'logprobs' to be true", OpenAI.Key.topLogprobs)
        }
        if isOn { reportLogprobs(top: count ?? 0) }
    }

    /// Has the log probability of each token reported, and those of so many likely ones.
    mutating func reportLogprobs(top count: Int) {
        extras.logprobs = true
        extras.topLogprobs = count
    }

    /// Reads the fields about single tokens, and about the end that a model itself finds.
    private mutating func readTokens(_ fields: inout RequestFields) throws(APIError) {
        if let bias = fields.value(OpenAI.Key.logitBias), bias != .object([:]), bias != .array([]) {
            guard let read = LogitBias(bias) else {
                throw .invalid("'logit_bias' is \(bias.kind); expected \(LogitBias.expected)", OpenAI.Key.logitBias)
            }
            extras.logitBias = read
        }
        if let count = try fields.integer(OpenAI.Key.minTokens, in: 0...Int(Int32.max)), count > 0 {
            extras.minTokens = count
        }
        if try fields.bool(OpenAI.Key.ignoresEnd) == true { extras.ignoresEnd = true }
        // Prompts are always kept; that one is not cannot be had.
        if try fields.bool("cache_prompt") == false { fields.leaveOut(["cache_prompt"]) }
    }

    /// Reads whether log probabilities are reported, from the field of text completions: the number of likely tokens.
    ///
    /// - Returns: that number; nil where none are.
    mutating func readTextLogprobs(_ fields: inout RequestFields) throws(APIError) -> Int? {
        guard let value = fields.value(OpenAI.Key.logprobs), value != .bool(false) else { return nil }
        let count = value == .bool(true) ? 0 : value.integer
        guard let count, (0...20).contains(count) else {
            throw .invalid("'logprobs' is \(value.kind); expected a whole number from 0 to 20", OpenAI.Key.logprobs)
        }
        reportLogprobs(top: count)
        return count
    }

    private mutating func readStop(_ fields: inout RequestFields) throws(APIError) {
        guard let value = fields.value(OpenAI.Key.stop) else { return }
        let texts = value.string.map { [$0] } ?? value.array?.compactMap(\.string)
        guard let texts, texts.count == value.array?.count ?? 1, texts.count <= 16 else {
            let name = fields.shown(OpenAI.Key.stop)
            throw .invalid("'\(name)' is \(value.kind); expected a string or an array of at most 16 strings", name)
        }
        stop = texts.filter { !$0.isEmpty }
    }

    /// The form of the reply: JSON, a grammar or a regular expression.
    private mutating func readForm(_ fields: inout RequestFields) throws(APIError) {
        // The latter is SGLang's name.
        for name in [OpenAI.Key.grammar, "ebnf"] {
            if let grammar = try fields.string(name), !grammar.isEmpty { extras.grammar = grammar }
        }
        let pattern = try fields.first(of: [OpenAI.Key.regex, "guided_regex"]) {
            (fields, name) throws(APIError) in try fields.string(name)
        }
        if let pattern, !pattern.isEmpty { extras.regex = pattern }
        try readGuided(&fields)
        guard fields.value(OpenAI.Key.responseFormat) != "", let members = try fields.object(OpenAI.Key.responseFormat),
            !members.isEmpty
        else { return }
        fields.leaveOut(try readFormat(members, OpenAI.Key.responseFormat))
    }

    /// Takes the form that a field asks for.
    ///
    /// - Parameters:
    ///   - field: the field, for errors.
    ///   - isFlat: whether the schema's members stand beside the type, rather than in `json_schema`.
    /// - Returns: the places of members without effect.
    mutating func readFormat(
        _ members: JSONObject, _ field: String, isFlat: Bool = false
    ) throws(APIError) -> [String] {
        var format = RequestFields(members)
        var leftOut: [String] = []
        if !(try readValue(of: &format, field)) { leftOut = try readType(of: &format, field, isFlat: isFlat) }
        try checkForms(field)
        return leftOut + format.ignored.map { "\(field).\($0)" }
    }

    /// Takes the form of a type of OpenAI's, whose schema stands beside it.
    ///
    /// - Parameter field: the field, for errors.
    mutating func useFormat(_ members: JSONObject, of field: String) throws(APIError) {
        var format = RequestFields(members)
        _ = try readType(of: &format, field, isFlat: true)
        try checkForms(field)
    }

    /// Reads a form by its type.
    ///
    /// - Returns: the places of members of `json_schema` without effect.
    private mutating func readType(
        of format: inout RequestFields, _ field: String, isFlat: Bool
    ) throws(APIError) -> [String] {
        let type = format.value(OpenAI.Key.type)?.string
        switch type.flatMap({ OpenAI.ResponseFormat.Kind(rawValue: $0) }) {
        // Its schema would be without effect.
        case .text: break
        // As llama.cpp's server and others have it: any object, or one that follows a schema.
        case .jsonObject:
            let value = format.value(OpenAI.Key.schema) ?? Self.anyObject
            schema = try Self.schema(value, "\(field).schema", of: field)
        case .jsonSchema where isFlat:
            Self.readNames(&format)
            try readSchema(format.value(OpenAI.Key.schema), "\(field).schema", of: field)
        case .jsonSchema:
            var inner = RequestFields(format.value(OpenAI.Key.jsonSchema)?.object ?? [:])
            let value = inner.value(OpenAI.Key.schema) ?? format.value(OpenAI.Key.schema)
            try readSchema(value, "\(field).json_schema.schema", of: field)
            Self.readNames(&inner)
            return inner.ignored.map { "\(field).json_schema.\($0)" }
        case nil:
            throw .invalid(
                "'\(field).type' is \(type.map { "'\(HeaderText.safe($0))'" } ?? "missing"); expected 'text', 'json_object' or 'json_schema', or 'json' or 'regex' with a 'value'",
                field)
        }
        return []
    }

    private mutating func readSchema(_ value: JSONValue?, _ place: String, of field: String) throws(APIError) {
        guard let value else { throw .invalid("'\(place)' is missing", field) }
        schema = try Self.schema(value, place, of: field)
    }

    /// A schema is always kept to; what it is called is for the client.
    private static func readNames(_ fields: inout RequestFields) {
        for name in ["name", "description", "strict", "type"] { _ = fields.value(name) }
    }

    private func checkForms(_ field: String) throws(APIError) {
        if extras.grammar != nil || extras.regex != nil, schema != nil {
            throw .invalid("'\(field)' cannot be combined with 'grammar' or 'regex'", field)
        }
    }

    /// The schema of any JSON object.
    static let anyObject = JSONValue.object(["type": "object"])

    /// Lets the reply follow a schema, which is a field's value.
    mutating func useSchema(_ value: JSONValue, of field: String) throws(APIError) {
        schema = try Self.schema(value, field, of: field)
        try checkForms(field)
    }

    /// Returns a schema.
    ///
    /// - Parameters:
    ///   - place: where the schema is, for errors.
    ///   - field: the field at fault.
    /// - Throws: ``APIError`` for what is no schema, also where nothing is generated.
    private static func schema(_ value: JSONValue, _ place: String, of field: String) throws(APIError) -> ReplySchema {
        switch value {
        case .object, .bool: return ReplySchema(value)
        default:
            throw .invalid("'\(place)' is \(value.kind); expected a JSON Schema", field, code: "invalid_schema")
        }
    }

    /// Reads a form as Hugging Face's clients send it: a JSON Schema or a regular expression in `value`.
    ///
    /// - Returns: whether it is one.
    private mutating func readValue(of format: inout RequestFields, _ field: String) throws(APIError) -> Bool {
        let types = ["json", OpenAI.ResponseFormat.Kind.jsonObject.rawValue, "regex"]
        guard let type = format.value(OpenAI.Key.type)?.string, types.contains(type),
            let value = format.value("value")
        else { return false }
        guard type == "regex" else {
            // A schema may come as its text.
            schema = value.string.map { ReplySchema(text: $0) } ?? ReplySchema(value)
            return true
        }
        guard let pattern = value.string else {
            throw .invalid("'\(field).value' is \(value.kind); expected a regular expression", field)
        }
        extras.regex = pattern
        return true
    }

    /// The form as vLLM's clients say it, in fields of their own or in one object of them.
    ///
    /// The first that is there counts.
    private mutating func readGuided(_ fields: inout RequestFields) throws(APIError) {
        var outputs = RequestFields(try fields.object("structured_outputs") ?? [:])
        // The last is llama.cpp's name.
        let json = [fields.value("guided_json"), outputs.value("json"), fields.value(OpenAI.Key.jsonSchema)]
            .compactMap { $0 }.first
        let choices = [fields.value("guided_choice"), outputs.value("choice")].compactMap { $0 }.first
        let grammars = [try fields.string("guided_grammar"), try outputs.string(OpenAI.Key.grammar)]
        let pattern = try outputs.string(OpenAI.Key.regex)
        fields.leaveOut(outputs.ignored.map { "structured_outputs.\($0)" })
        if let json {
            // A schema may come as its text.
            schema = json.string.map { ReplySchema(text: $0) } ?? ReplySchema(json)
        } else if let choices {
            guard let texts = choices.array?.compactMap(\.string), !texts.isEmpty, texts.count == choices.array?.count
            else {
                throw .invalid("'guided_choice' is \(choices.kind); expected an array of strings", "guided_choice")
            }
            let alternatives = texts.map { JSONWriter.string(.string($0)) }
            extras.grammar = "root ::= " + alternatives.joined(separator: " | ")
        } else if let grammar = grammars.compactMap({ $0 }).first(where: { !$0.isEmpty }) {
            extras.grammar = grammar
        } else if let pattern, !pattern.isEmpty {
            extras.regex = pattern
        }
    }

    static func toolChoice(_ value: JSONValue, hasFunctions: Bool) throws(APIError) -> GenerationExtras.ToolChoice {
        func refusal(_ message: String) -> APIError { .invalid(message, OpenAI.Key.toolChoice) }
        guard let choice = GenerationExtras.ToolChoice(openAI: value) else {
            guard value.object != nil else {
                throw refusal(
                    "'tool_choice' is \(value.string.map { "'\(HeaderText.safe($0))'" } ?? value.kind); expected 'auto', 'none', 'required' or a function"
                )
            }
            throw refusal(hasFunctions ? "'tool_choice.function.name' is missing" : demand)
        }
        return try checked(choice, hasFunctions: hasFunctions)
    }

    private static let demand = "'tool_choice' demands a call, but there are no 'tools'"

    /// Refuses a choice that demands a call where there are no functions.
    private static func checked(
        _ choice: GenerationExtras.ToolChoice, hasFunctions: Bool
    ) throws(APIError) -> GenerationExtras.ToolChoice {
        switch choice {
        case .auto, .none: break
        case .required, .function: if !hasFunctions { throw .invalid(demand, OpenAI.Key.toolChoice) }
        }
        return choice
    }

    /// Leaves the oldest turns out where the prompt does not fit.
    mutating func trimOldestTurns() { extras.contextOverflowPolicy = .trimOldestTurns }

    /// Lets the reply go on from a text, which has no form that it could be the beginning of.
    mutating func goOn(from start: String) throws(APIError) {
        guard schema == nil, extras.grammar == nil, extras.regex == nil else {
            throw .invalid(
                "'\(OpenAI.Key.continuesFinalMessage)' cannot be combined with 'response_format', 'grammar' or 'regex'",
                OpenAI.Key.continuesFinalMessage)
        }
        extras.replyStart = start
    }

    /// Lets replies have text and sound in turn.
    mutating func speak() { extras.audioOrder = .interleaved }

    /// The options of one of several replies to the same messages, each with a seed of its own.
    func options(choice: Int) -> GenerationOptions {
        let options = GenerationOptions(
            temperature: temperature.map(Float.init), topP: topP.map(Float.init), minP: minP.map(Float.init),
            repetitionPenalty: repetitionPenalty.map(Float.init), topK: topK.map(Int32.init),
            rngSeed: seed.map { Int64($0) &+ Int64(choice) }, maxTokens: maxTokens.map(Int32.init),
            enableThinking: enableThinking)
        options.schema = schema
        options.further = extras
        options.stopSequences = stop
        return options
    }
}
