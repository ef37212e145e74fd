import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// The options of a reply in Ollama's requests: `options`, `format`, `think`, `truncate`, `logprobs`.
struct OllamaOptions: Sendable {
    let options: GenerationOptions
    /// Members of `options` that have no effect.
    let ignored: [String]

    /// Reads the fields.
    ///
    /// - Throws: ``APIError`` that names the field at fault.
    init(_ fields: inout RequestFields, hasFunctions: Bool) throws {
        // The same options under other names; what differs is renamed, the rest is read as OpenAI's.
        var renamed = try fields.object("options") ?? [:]
        if let count = renamed["num_predict"] {
            renamed["num_predict"] = nil
            // Not positive means no limit.
            if (count.integer ?? 1) > 0 { renamed[OpenAI.Key.maxTokens] = count }
        }
        switch fields.value("format") {
        // Older clients always send an empty text.
        case nil, "": break
        case "json": renamed[OpenAI.Key.responseFormat] = OpenAI.ResponseFormat.jsonObject.json
        case .object(let schema):
            renamed[OpenAI.Key.responseFormat] = OpenAI.ResponseFormat.jsonSchema(.object(schema)).json
        case let other?:
            throw APIError.invalid("'format' is \(other.kind); expected 'json' or a JSON Schema", "format")
        }
        switch fields.value("think") {
        case nil, "": break
        case .bool(let isOn): renamed[OpenAI.Key.templateArguments] = .object([OpenAI.Key.enableThinking: .bool(isOn)])
        case .string(let effort): renamed[OpenAI.Key.reasoningEffort] = .string(effort)
        case let other?:
            throw APIError.invalid("'think' is \(other.kind); expected true, false, 'low', 'medium' or 'high'", "think")
        }
        var inner = RequestFields(renamed)
        var sampling = try SamplingFields(&inner, hasFunctions: hasFunctions)
        // Ollama leaves the oldest turns out unless a request says otherwise.
        if try fields.bool("truncate") ?? true { sampling.trimOldestTurns() }
        try sampling.readLogprobs(&fields)
        options = sampling.options(choice: 0)
        ignored = inner.ignored.map { "options.\($0)" }
    }
}
