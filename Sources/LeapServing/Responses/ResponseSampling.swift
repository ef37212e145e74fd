import LeapCore
import LeapJSON

/// The fields of a response's request that say how the reply is generated: some have other names than in chat completions.
struct ResponseSampling: Sendable {
    let fields: SamplingFields
    /// Fields inside of others that have no effect.
    let ignored: [String]
    /// Whether the oldest turns are left out where the context is full.
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
        if let maxTokens { renamed["max_tokens"] = maxTokens }
        var reasoning = RequestFields(try fields.object("reasoning") ?? [:])
        effort = try reasoning.string("effort").flatMap { $0.isEmpty ? nil : $0 }
        if let effort { renamed["reasoning_effort"] = .string(effort) }
        var text = RequestFields(try fields.object("text") ?? [:])
        var shown: JSONValue = .object(["type": "text"])
        if text.value("format") != "", var format = try text.object("format"), !format.isEmpty {
            shown = .object(format)
            if format["type"] == "json_schema" {
                format = ["type": "json_schema", "json_schema": .object(format)]
            }
            renamed["response_format"] = .object(format)
        }
        format = shown
        for name in [
            "temperature", "top_p", "tool_choice", "parallel_tool_calls", "seed", "top_k", "min_p", "stop", "grammar",
            "regex", "presence_penalty", "frequency_penalty",
        ] {
            if let value = fields.value(name) { renamed[name] = value }
        }
        var leftOut: [String] = []
        for (index, value) in (try fields.array("include") ?? []).enumerated() {
            guard let name = value.string else {
                throw .invalid("'include[\(index)]' is \(value.kind); expected a string", "include[\(index)]")
            }
            if name == Self.logprobs {
                renamed["logprobs"] = .bool(true)
            } else {
                leftOut.append("include[\(index)]")
            }
        }
        let count = try fields.integer("top_logprobs", in: 0...20)
        if let count, renamed["logprobs"] != nil { renamed["top_logprobs"] = .integer(Int64(count)) }
        topLogprobs = renamed["logprobs"] == nil ? 0 : count ?? 0
        trims = try Self.trims(&fields)
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

    private static func trims(_ fields: inout RequestFields) throws(APIError) -> Bool {
        switch try fields.string("truncation") {
        case nil, "", "disabled": return false
        case "auto": return true
        case let other?:
            throw .invalid(
                "'truncation' is '\(HeaderText.safe(other))'; expected 'auto' or 'disabled'", "truncation")
        }
    }
}
