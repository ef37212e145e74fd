import LeapChat
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
        var inner = RequestFields(try fields.object("options") ?? [:])
        // Not positive means no limit.
        if let count = inner.value(Self.limit)?.integer, count <= 0 { inner.replace(Self.limit, with: nil) }
        let names = inner.value(Self.limit) == nil ? FieldNames() : FieldNames([OpenAI.Key.maxTokens: Self.limit])
        var sampling = try inner.named(names) { inner throws(APIError) in
            try SamplingFields(&inner, hasFunctions: hasFunctions)
        }
        switch fields.value("format") {
        // Older clients always send an empty text.
        case nil, "": break
        case "json": try sampling.useSchema(SamplingFields.anyObject, of: "format")
        case .object(let schema): try sampling.useSchema(.object(schema), of: "format")
        case let other?:
            throw APIError.invalid("'format' is \(other.kind); expected 'json' or a JSON Schema", "format")
        }
        switch fields.value("think") {
        case nil, "": break
        case .bool(let isOn): sampling.think(isOn)
        case .string(let effort): try sampling.think(effort: effort, field: "think")
        case .number(let number):
            let limit = try ThoughtLimit(.number(number), at: "think")
            sampling.think(limit.tokens != 0)
            sampling.limitThoughts(to: limit)
        case let other?:
            throw APIError.invalid(
                "'think' is \(other.kind); expected true, false, 'low', 'medium', 'high' or a number of tokens", "think"
            )
        }
        // Ollama leaves the oldest turns out unless a request says otherwise.
        if try fields.bool("truncate") ?? true { sampling.trimOldestTurns() }
        try sampling.readLogprobs(&fields)
        options = sampling.options(choice: 0)
        ignored = inner.ignored.map { "options.\($0)" }
    }

    private static let limit = "num_predict"
}
