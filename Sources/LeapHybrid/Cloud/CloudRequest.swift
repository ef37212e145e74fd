import LeapCore
import LeapJSON
import LeapModel
import LeapOpenAIFormat

/// A request of OpenAI's chat completions, made from a conversation.
struct CloudRequest {
    private(set) var document: JSONObject
    private let model: String
    /// True if the endpoint also has the fields that OpenAI's does not know.
    private let isExtended: Bool
    /// The names of what the endpoint does not know.
    private var ignored: [String] = []

    /// - Throws: ``LeapGenerationException`` for a constraint that the endpoint cannot hold a reply to, and for extras
    ///   that cannot be read.
    init(_ request: ReplyRequest, model: String, isExtended: Bool) throws {
        let options = request.options
        (self.model, self.isExtended) = (model, isExtended)
        document = [OpenAI.Key.model: .string(model), OpenAI.Key.messages: .array(request.history.map(\.json))]
        addProperties(of: options)
        if !request.functions.isEmpty { document[OpenAI.Key.tools] = .array(request.functions.map(\.tool)) }
        if let schema = options.schema {
            document[OpenAI.Key.responseFormat] =
                OpenAI.ResponseFormat.jsonSchema(try Self.schema(schema), name: "reply", isStrict: true).json
        }
        if options.contextOverflowPolicy == .trimOldestTurns { ignored.append("contextOverflowPolicy") }
        // Read as every model reads them, so that what is wrong has the same error.
        let extras = try GenerationExtras.parse(options.extras, over: options.further).extras
        if !request.functions.isEmpty { addToolChoice(extras) }
        for parameter in [SamplingParameter.frequencyPenalty, .presencePenalty] {
            document[parameter.key] = extras.sampling[parameter].map { .double($0) }
        }
        try addGrammar(extras)
        if isExtended, !extras.templateArguments.isEmpty { addTemplateArguments(extras.templateArguments) }
        try noteIgnored(options.extras)
        let stops = options.stopSequences + extras.stopSequences
        if !stops.isEmpty { document[OpenAI.Key.stop] = .array(stops.map { .string($0) }) }
        if !ignored.isEmpty {
            PrintableLogger(label: "open-leap").warning(
                "\(model): the endpoint does not know \(ignored.joined(separator: ", ")), which has no effect")
        }
    }

    /// Adds the options that are properties: the standard's fields, then those that extended endpoints have.
    private mutating func addProperties(of options: GenerationOptions) {
        document[OpenAI.Key.temperature] = options.temperature.map { .double(Double($0)) }
        document[OpenAI.Key.topP] = options.topP.map { .double(Double($0)) }
        document[OpenAI.Key.seed] = options.rngSeed.map { .integer($0) }
        document[OpenAI.Key.maxCompletionTokens] = options.maxTokens.map { .integer(Int64($0)) }
        let extended: [(String, String, JSONValue?)] = [
            ("topK", OpenAI.Key.topK, options.topK.map { .integer(Int64($0)) }),
            ("minP", OpenAI.Key.minP, options.minP.map { .double(Double($0)) }),
            (
                "repetitionPenalty", OpenAI.Key.repetitionPenalty,
                options.repetitionPenalty.map { .double(Double($0)) }
            ),
            ("thinkingBudget", "reasoning_budget_tokens", options.thinkingBudget.map { .integer(Int64($0)) }),
            ("thinkingBudgetMessage", "reasoning_budget_message", options.thinkingBudgetMessage.map { .string($0) }),
            (
                "enableThinking", OpenAI.Key.templateArguments,
                options.enableThinking ? .object([OpenAI.Key.enableThinking: .bool(true)]) : nil
            ),
        ]
        for (name, field, value) in extended where value != nil {
            if isExtended { document[field] = value } else { ignored.append(name) }
        }
    }

    private mutating func addToolChoice(_ extras: GenerationExtras) {
        document[OpenAI.Key.toolChoice] = extras.effectiveToolChoice?.json
        if !extras.parallelToolCalls { document[OpenAI.Key.parallelToolCalls] = .bool(false) }
    }

    /// Adds the constraints of the extras.
    ///
    /// - Throws: ``LeapGenerationException`` where there is one, and the endpoint is not extended.
    private mutating func addGrammar(_ extras: GenerationExtras) throws {
        for (key, value) in [(OpenAI.Key.regex, extras.regex), (OpenAI.Key.grammar, extras.grammar)] where value != nil
        {
            guard isExtended else {
                throw LeapGenerationException(
                    "'\(key)' in the extras cannot be enforced by the endpoint of '\(model)': use a JSON Schema, or the model on the device"
                )
            }
            document[key] = value.map { .string($0) }
        }
    }

    private mutating func addTemplateArguments(_ added: JSONObject) {
        var arguments = document[OpenAI.Key.templateArguments]?.object ?? [:]
        for (name, value) in added.members { arguments[name] = value }
        document[OpenAI.Key.templateArguments] = .object(arguments)
    }

    /// Notes the keys of the extras that have no effect.
    private mutating func noteIgnored(_ extras: String?) throws {
        for (key, value) in try Self.members(of: extras) {
            switch key {
            case "toolChoice", OpenAI.Key.toolChoice, "parallelToolCalls", OpenAI.Key.parallelToolCalls,
                OpenAI.Key.stop, "frequencyPenalty", OpenAI.Key.frequencyPenalty, "presencePenalty",
                OpenAI.Key.presencePenalty, OpenAI.Key.regex, OpenAI.Key.grammar:
                break
            case "chatTemplateArguments", OpenAI.Key.templateArguments: if !isExtended { ignored.append(key) }
            case "contextOverflow" where value == "fail": break
            default: ignored.append(key)
            }
        }
    }

    private static func schema(_ schema: ReplySchema) throws -> JSONValue {
        do {
            return try schema.value()
        } catch {
            throw LeapGeneratableSchematizationException("the JSON Schema is not JSON: \(error)", cause: error)
        }
    }

    /// Returns the members of the JSON object that an app wrote into the extras.
    private static func members(of extras: String?) throws -> [(key: String, value: JSONValue)] {
        guard let extras, !extras.allSatisfy(\.isWhitespace) else { return [] }
        return try JSONParser.parse(extras).object?.members.map { ($0.key, $0.value) } ?? []
    }
}
