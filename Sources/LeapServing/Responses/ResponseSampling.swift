import LeapChat
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
    /// - Parameter allowed: the choice among the tools that `tool_choice` allows; nil where it is of another type.
    /// - Throws: ``APIError`` that names the field at fault.
    init(
        _ fields: inout RequestFields, hasFunctions: Bool, allowed: GenerationExtras.ToolChoice?
    ) throws(APIError) {
        var sampling = try fields.named(Self.names) { fields throws(APIError) in
            try SamplingFields(&fields, hasFunctions: hasFunctions, allowed: allowed)
        }
        maxTokens = fields.value(Self.limit)
        var reasoning = RequestFields(try fields.object("reasoning") ?? [:])
        effort = try reasoning.string("effort").flatMap { $0.isEmpty ? nil : $0 }
        if let effort { try sampling.think(effort: effort, field: OpenAI.Key.reasoningEffort) }
        var text = RequestFields(try fields.object("text") ?? [:])
        var leftOut: [String] = []
        if text.value("format") != "", let members = try text.object("format"), !members.isEmpty {
            format = .object(members)
            leftOut += try sampling.readFormat(members, "text.format", isFlat: true)
        } else {
            format = .object(["type": "text"])
        }
        let includes = try fields.array("include") ?? []
        for (index, value) in includes.enumerated() where value.string != Self.logprobs {
            guard value.string != nil else {
                throw .invalid("'include[\(index)]' is \(value.kind); expected a string", "include[\(index)]")
            }
            leftOut.append("include[\(index)]")
        }
        let count = try fields.integer(OpenAI.Key.topLogprobs, in: 0...20) ?? 0
        topLogprobs = includes.contains(.string(Self.logprobs)) ? count : 0
        if includes.contains(.string(Self.logprobs)) { sampling.reportLogprobs(top: count) }
        trims = try fields.truncates()
        if trims { sampling.trimOldestTurns() }
        self.fields = sampling
        ignored = leftOut + reasoning.ignored.map { "reasoning.\($0)" } + text.ignored.map { "text.\($0)" }
    }

    private static let limit = "max_output_tokens"
    /// The fields of the sampling that have the names of chat completions here; the others are this protocol's own.
    private static let names = FieldNames(
        only: [
            OpenAI.Key.temperature, OpenAI.Key.topP, OpenAI.Key.toolChoice, OpenAI.Key.parallelToolCalls,
            OpenAI.Key.seed, OpenAI.Key.topK, OpenAI.Key.minP, OpenAI.Key.stop, OpenAI.Key.grammar, OpenAI.Key.regex,
            OpenAI.Key.presencePenalty, OpenAI.Key.frequencyPenalty, "reasoning_budget_tokens",
            "thinking_budget_tokens", "thinking_token_budget", "thinking_budget", "reasoning_budget_message",
            OpenAI.Key.templateArguments,
        ], [OpenAI.Key.maxTokens: limit])
}
