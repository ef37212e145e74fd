import Foundation
import LeapJSON
import LeapSDK

/// The result of one generation, as `leap run --json` prints it.
struct RunResult: Encodable {
    private(set) var text = ""
    private(set) var reasoning = ""
    /// The reason for the answer's end, by its name in JSON.
    private(set) var finishCode = GenerationFinishReason.stop.code
    private(set) var stats: Stats?
    /// The figures as the completion has them.
    private(set) var figures: GenerationStats?
    private(set) var calls: [Call] = []
    private(set) var logprobs: [TokenLogprob]?
    private let showsThoughts: Bool

    /// - Parameter showsThoughts: whether the JSON has what the model thought.
    init(showsThoughts: Bool) { self.showsThoughts = showsThoughts }

    /// A call the model asks for, in OpenAI's shape with arguments as an object; `issue` says what does not fit.
    struct Call: Encodable {
        let name: String
        let arguments: JSONValue
        let issue: String?

        init(_ call: LeapFunctionCall) {
            name = call.name
            arguments = .object(call.argumentObject)
            issue = call.issue
        }

        /// The call in one line for people.
        var line: String { "\(name)(\(JSONWriter.string(arguments)))" + (issue.map { "  [\($0)]" } ?? "") }
    }

    struct Stats: Encodable {
        let promptTokens: Int64
        let cachedPromptTokens: Int64
        let completionTokens: Int64
        let totalTokens: Int64
        let tokensPerSecond: Float
        /// The tokens of thoughts; nil where there are none.
        let thinkingTokens: Int64?
        /// True where the end of the thoughts was forced, else nil.
        let wasThinkingCut: Bool?

        enum CodingKeys: String, CodingKey {
            case promptTokens = "prompt_tokens"
            case cachedPromptTokens = "cached_prompt_tokens"
            case completionTokens = "completion_tokens"
            case totalTokens = "total_tokens"
            case tokensPerSecond = "tokens_per_second"
            case thinkingTokens = "thinking_tokens"
            case wasThinkingCut = "thinking_cut"
        }

        init(_ stats: GenerationStats) {
            promptTokens = stats.computedPromptTokens
            cachedPromptTokens = Int64(stats.reusedPromptTokens)
            completionTokens = Int64(stats.completionTokens)
            totalTokens = Int64(stats.totalTokens)
            tokensPerSecond = stats.tokenPerSecond
            thinkingTokens = stats.thinkingTokens > 0 ? stats.thinkingTokens : nil
            wasThinkingCut = stats.wasThinkingCut ? true : nil
        }
    }

    /// Takes the next response of the stream into account.
    mutating func add(_ response: MessagePiece) {
        switch response {
        case .chunk(let piece): text += piece
        case .reasoningChunk(let piece): reasoning += piece
        case .functionCall(let more): calls += more.map(Call.init)
        case .audioSample: break
        case .complete(let completion):
            finishCode = completion.finishReason.code
            if case .maxTokens = completion.limit { finishCode = "length" }
            stats = completion.stats.map(Stats.init)
            figures = completion.stats
            logprobs = completion.logprobs
        }
    }

    enum CodingKeys: String, CodingKey {
        case text, reasoning, stats, logprobs
        case finishReason = "finish_reason"
        case calls = "tool_calls"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(text, forKey: .text)
        if showsThoughts, !reasoning.isEmpty { try container.encode(reasoning, forKey: .reasoning) }
        if !calls.isEmpty { try container.encode(calls, forKey: .calls) }
        try container.encodeIfPresent(logprobs, forKey: .logprobs)
        try container.encode(finishCode, forKey: .finishReason)
        try container.encode(stats, forKey: .stats)
    }
}

extension GenerationFinishReason {
    /// The reason's name in JSON.
    var code: String {
        switch self {
        case .stop: "stop"
        case .exceedContext: "exceed_context"
        case .interrupted: "interrupted"
        case .constraint: "constraint"
        case .error: "error"
        }
    }
}
