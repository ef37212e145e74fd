import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// The fields of a response's request that say how the reply is generated: some have other names than in chat
/// completions.
struct ResponseSampling: Sendable {
    let fields: SamplingFields
    /// Fields inside of others that have no effect.
    let ignored: [String]
    /// True if the oldest turns are left out where the context is full.
    let trims: Bool
    /// The form of the text as it was asked for.
    let format: JSONValue
    let effort: String?
    let maxTokens: JSONValue?
    let topLogprobs: Int

    /// The value of `include` that asks for log probabilities.
    static let logprobs = "message.output_text.logprobs"

    /// Reads the fields.
    ///
    /// - Throws: ``APIError`` that names the field at fault.
    init(_ fields: inout RequestFields, hasFunctions: Bool) throws(APIError) {
        var renamed: JSONObject = [:]
        maxTokens = fields.value("max_output_tokens")
        if let maxTokens { renamed[OpenAI.Key.maxTokens] = maxTokens }
        var reasoning = RequestFields(try fields.object("reasoning") ?? [:])
        effort = try reasoning.string("effort").flatMap { $0.isEmpty ? nil : $0 }
        if let effort { renamed[OpenAI.Key.reasoningEffort] = .string(effort) }
        var text = RequestFields(try fields.object("text") ?? [:])
        var shown: JSONValue = .object(["type": "text"])
        if text.value("format") != "", var format = try text.object("format"), !format.isEmpty {
            shown = .object(format)
            if let type = format[OpenAI.Key.type], type.string == OpenAI.ResponseFormat.Kind.jsonSchema.rawValue {
                format = [OpenAI.Key.type: type, OpenAI.Key.jsonSchema: .object(format)]
            }
            renamed[OpenAI.Key.responseFormat] = .object(format)
        }
        format = shown
        for name in [
            OpenAI.Key.temperature, OpenAI.Key.topP, OpenAI.Key.toolChoice, OpenAI.Key.parallelToolCalls,
            OpenAI.Key.seed, OpenAI.Key.topK, OpenAI.Key.minP, OpenAI.Key.stop, OpenAI.Key.grammar, OpenAI.Key.regex,
            OpenAI.Key.presencePenalty, OpenAI.Key.frequencyPenalty,
        ] {
            if let value = fields.value(name) { renamed[name] = value }
        }
        var leftOut: [String] = []
        for (index, value) in (try fields.array("include") ?? []).enumerated() {
            guard let name = value.string else {
                throw .invalid("'include[\(index)]' is \(value.kind); expected a string", "include[\(index)]")
            }
            if name == Self.logprobs {
                renamed[OpenAI.Key.logprobs] = .bool(true)
            } else {
                leftOut.append("include[\(index)]")
            }
        }
        let count = try fields.integer(OpenAI.Key.topLogprobs, in: 0...20)
        if let count, renamed[OpenAI.Key.logprobs] != nil { renamed[OpenAI.Key.topLogprobs] = .integer(Int64(count)) }
        topLogprobs = renamed[OpenAI.Key.logprobs] == nil ? 0 : count ?? 0
        trims = try fields.truncates()
        var inner = RequestFields(renamed)
        var sampling = try SamplingFields(&inner, hasFunctions: hasFunctions)
        try sampling.readLogprobs(&inner)
        if trims { sampling.trimOldestTurns() }
        self.fields = sampling
        // The schema's members stand beside the type here.
        ignored =
            leftOut + reasoning.ignored.map { "reasoning.\($0)" } + text.ignored.map { "text.\($0)" }
            + inner.ignored.map { $0.split(separator: ".").last.map { "text.format.\($0)" } ?? $0 }
    }
}
