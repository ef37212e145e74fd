import LeapCore
import LeapJSON
import LeapModel

/// A request of OpenAI's chat completions, made from a conversation.
struct CloudRequest {
    private(set) var document: JSONObject

    /// - Throws: ``LeapGenerationException`` for a constraint that the endpoint cannot hold a reply to, and for extras that cannot be read.
    init(_ request: ReplyRequest, model: String, isExtended: Bool) throws {
        let options = request.options
        document = ["model": .string(model), "messages": .array(request.history.map(\.json))]
        document["temperature"] = options.temperature.map { .double(Double($0)) }
        document["top_p"] = options.topP.map { .double(Double($0)) }
        document["seed"] = options.rngSeed.map { .integer($0) }
        document["max_completion_tokens"] = options.maxTokens.map { .integer(Int64($0)) }
        var stops = options.stopSequences
        var ignored: [String] = []
        let extended: [(String, String, JSONValue?)] = [
            ("topK", "top_k", options.topK.map { .integer(Int64($0)) }),
            ("minP", "min_p", options.minP.map { .double(Double($0)) }),
            ("repetitionPenalty", "repetition_penalty", options.repetitionPenalty.map { .double(Double($0)) }),
            (
                "enableThinking", "chat_template_kwargs",
                options.enableThinking ? .object(["enable_thinking": .bool(true)]) : nil
            ),
        ]
        for (name, field, value) in extended where value != nil {
            if isExtended { document[field] = value } else { ignored.append(name) }
        }
        if !request.functions.isEmpty { document["tools"] = .array(request.functions.map(\.tool)) }
        if let schema = options.jsonSchemaConstraint {
            document["response_format"] = .object([
                "type": "json_schema",
                "json_schema": .object(["name": "reply", "strict": .bool(true), "schema": try Self.schema(schema)]),
            ])
        }
        if options.contextOverflowPolicy == .trimOldestTurns { ignored.append("contextOverflowPolicy") }
        // Read as every model reads them, so that what is wrong has the same error.
        let extras = try GenerationExtras.parse(options.extras, over: options.further).extras
        document["tool_choice"] = extras.toolChoice?.json
        stops += extras.stopSequences
        for parameter in [SamplingParameter.frequencyPenalty, .presencePenalty] {
            document[parameter.key] = extras.sampling[parameter].map { .double($0) }
        }
        for (key, value) in [("regex", extras.regex), ("grammar", extras.grammar)] where value != nil {
            guard isExtended else {
                throw LeapGenerationException(
                    "'\(key)' in the extras cannot be enforced by the endpoint of '\(model)': use a JSON Schema, or the model on the device"
                )
            }
            document[key] = value.map { .string($0) }
        }
        if isExtended, !extras.templateArguments.isEmpty {
            var arguments = document["chat_template_kwargs"]?.object ?? [:]
            for (name, value) in extras.templateArguments.members { arguments[name] = value }
            document["chat_template_kwargs"] = .object(arguments)
        }
        for (key, value) in try Self.members(of: options.extras) {
            switch key {
            case "toolChoice", "tool_choice", "stop", "frequencyPenalty", "frequency_penalty", "presencePenalty",
                "presence_penalty", "regex", "grammar":
                break
            case "chatTemplateArguments", "chat_template_kwargs": if !isExtended { ignored.append(key) }
            case "contextOverflow" where value == "fail": break
            default: ignored.append(key)
            }
        }
        if !stops.isEmpty { document["stop"] = .array(stops.map { .string($0) }) }
        if request.functions.isEmpty { document["tool_choice"] = nil }
        if !ignored.isEmpty {
            PrintableLogger(label: "open-leap").warning(
                "\(model): the endpoint does not know \(ignored.joined(separator: ", ")), which has no effect")
        }
    }

    private static func schema(_ text: String) throws -> JSONValue {
        do {
            return try JSONParser.parse(text)
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
