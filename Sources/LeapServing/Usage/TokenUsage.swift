import LeapChat
import LeapJSON
import LeapOpenAIFormat

/// The tokens of replies together.
struct TokenUsage: Sendable {
    private(set) var prompt: Int64 = 0
    private(set) var cached: Int64 = 0
    private(set) var completion: Int64 = 0
    /// Tokens of thoughts among them.
    private(set) var reasoning: Int64 = 0
    /// True if the thoughts of a reply were ended.
    private(set) var isReasoningCut = false
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
        reasoning += stats.thinkingTokens
        isReasoningCut = isReasoningCut || stats.wasThinkingCut
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
        var usage = OpenAI.Usage(
            promptTokens: Int(prompt), completionTokens: Int(completion), cachedTokens: Int(cached))
        usage.reasoningTokens = Int(reasoning)
        usage.isReasoningCut = isReasoningCut
        return usage
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
