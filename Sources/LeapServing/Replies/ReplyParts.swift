import Foundation
import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// The text, reasoning, calls and sound of a reply so far.
struct ReplyParts: Sendable {
    private(set) var text = ""
    private(set) var reasoning = ""
    private(set) var calls: [LeapFunctionCall] = []
    private(set) var completion: MessageCompletion?
    /// The sound as 16-bit samples; nil where it is not kept.
    private(set) var sound: Data?
    private var writer = SpeechWriter()

    /// - Parameter keepsAudio: whether the sound is kept; whoever sends it as it comes has no use for it.
    init(keepsAudio: Bool = false) {
        if keepsAudio { sound = Data() }
    }

    mutating func add(_ response: MessagePiece) {
        switch response {
        case .chunk(let piece): text += piece
        case .reasoningChunk(let piece): reasoning += piece
        case .functionCall(let more): calls += more.map(Self.identified)
        case .complete(let completion): self.completion = completion
        case .audioSample(let samples, let rate):
            if sound != nil { sound?.append(PCM16.bytes(writer.atProtocolRate(samples, rate))) }
        }
    }

    /// The call with an identifier that no other reply has.
    static func identified(_ call: LeapFunctionCall) -> LeapFunctionCall {
        LeapFunctionCall(
            name: call.name, arguments: call.argumentObject, id: Identifier.make("call_"), issue: call.issue)
    }

    /// The reason why the reply ended.
    var finishReason: OpenAI.FinishReason {
        switch completion?.finishReason {
        case .exceedContext: .length
        case .error: .error
        default: calls.isEmpty ? .stop : .toolCalls
        }
    }

    /// The tokens of the reasoning, never more than were generated: a text may be read as more tokens than it was
    /// written in.
    ///
    /// - Parameter count: counts the tokens of a text; nil where nobody can.
    func reasoningTokens(_ count: (@Sendable (String) -> Int)?) -> Int64 {
        guard !reasoning.isEmpty else { return 0 }
        return min(completion?.stats?.completionTokens ?? 0, Int64(count?(reasoning) ?? 0))
    }

    /// The whole message.
    ///
    /// - Parameter tools: those that were offered.
    func message(_ tools: ToolList) -> OpenAI.Message {
        var message = OpenAI.Message()
        message.role = .assistant
        message.content = text.isEmpty && !calls.isEmpty ? .null : .string(text)
        message.reasoning = reasoning.isEmpty ? nil : reasoning
        message.toolCalls = calls.map(tools.entry)
        message.refusal = .null
        return message
    }
}

/// The tokens of replies together.
struct TokenUsage: Sendable {
    private(set) var prompt: Int64 = 0
    private(set) var cached: Int64 = 0
    private(set) var completion: Int64 = 0
    private var tokensPerSecond: Float = 0
    /// The messages that were left out of the prompt, and their tokens; nil where none were.
    private var leftOut: (messages: Int, tokens: Int)?

    /// Adds a reply.
    ///
    /// - Parameter countsPrompt: true for one of the replies to a prompt, so that each prompt is counted once.
    mutating func add(_ stats: GenerationStats?, countsPrompt: Bool) {
        guard let stats else { return }
        if countsPrompt {
            prompt += stats.wholePromptTokens
            cached += stats.reusedPromptTokens
        }
        completion += stats.completionTokens
        tokensPerSecond = stats.tokenPerSecond
    }

    /// Adds a reply, and what was left out of its prompt.
    ///
    /// - Parameter countsPrompt: true for one of the replies to a prompt, so that each prompt is counted once.
    mutating func add(_ completion: MessageCompletion?, countsPrompt: Bool) {
        add(completion?.stats, countsPrompt: countsPrompt)
        if let trimming = completion?.trimming {
            leftOut = (trimming.removedMessages.count, trimming.removedTokens)
        }
    }

    /// Adds a prompt that was read and not replied to.
    mutating func add(promptTokens count: Int) { prompt += Int64(count) }

    /// The tokens in OpenAI's format.
    var openAI: OpenAI.Usage {
        OpenAI.Usage(promptTokens: Int(prompt), completionTokens: Int(completion), cachedTokens: Int(cached))
    }

    /// The number of messages and tokens that were left out of the prompt to make it fit; nil where nothing was.
    var trimming: JSONValue? {
        leftOut.map {
            .object([
                "removed_messages": .integer(Int64($0.messages)), "removed_tokens": .integer(Int64($0.tokens)),
            ])
        }
    }

    /// Speeds as llama.cpp's server names them.
    var timings: JSONValue {
        .object([
            "predicted_per_second": .double(Double(tokensPerSecond)), "predicted_n": .integer(completion),
            "prompt_n": .integer(prompt - cached), "cache_n": .integer(cached),
        ])
    }
}
