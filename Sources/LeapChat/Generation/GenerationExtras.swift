package import LeapGrammar
package import LeapJSON
package import LeapModel

/// The generation options without a property of their own, as values: what ``GenerationOptions/extras`` asks for.
///
/// Apps write them as text, which is read once, when a turn is planned; modules above this one set them as they are.
package struct GenerationExtras: Sendable, Hashable, Codable {
    /// The choice that the model has of functions: any, one of them, a certain one, or none.
    package enum ToolChoice: Sendable, Hashable, Codable {
        /// The model decides; what it calls is well-formed.
        case auto
        /// None; the functions are not shown to it.
        case none
        /// At least one, whichever.
        case required
        /// This one.
        case function(String)

        /// Reads a word of it: "auto", "none", "required", or a function's name.
        package init(_ word: String) {
            switch word {
            case "auto": self = .auto
            case "none": self = .none
            case "required", "any": self = .required
            default: self = .function(word)
            }
        }
    }

    /// `toolChoice`: "auto", "none", "required", a function's name, or OpenAI's
    /// `{"type":"function","function":{"name":…}}`; it is enforced.
    ///
    /// nil is "auto" where one of the SDK's parsers reads the calls and the reply is not spoken: only functions that
    /// are there are called.
    package var toolChoice: ToolChoice?
    /// `parallelToolCalls`: false for at most one call in a reply, which is enforced; a reply may have several
    /// otherwise.
    package var parallelToolCalls = true
    /// `contextOverflow`: "fail" or "trimOldestTurns"; nil where it is not given.
    package var contextOverflowPolicy: ContextOverflowPolicy?
    /// `stop`: a string or an array of strings.
    package var stopSequences: [String] = []
    /// `chatTemplateArguments`: an object; its members reach the chat template as variables.
    package var templateArguments: JSONObject = [:]
    /// `regex`: an ECMAScript regular expression that the whole answer matches.
    package var regex: String?
    /// `grammar`: a grammar in GBNF, llama.cpp's notation, that the whole answer follows.
    package var grammar: String?
    /// `relaxedKeywords`: keywords of the JSON Schema that are not enforced; `whitespace`: "bounded" or "none";
    /// `openObjects`: true for objects with any further members, where their schema does not say whether there may be
    /// more.
    ///
    /// Objects are closed unless it is true: a model that may add members does, and readers rarely want them.
    package var grammarOptions = GrammarOptions(closesObjects: true)
    /// `jumpForward`: whether forced tokens are computed in one batch; the answer is the same either way.
    package var jumpForward = true
    /// `speculation`: how tokens are proposed that are checked together; nil as the model was loaded.
    package var speculation: Speculation?
    /// `adapters`: which of the adapters beside the model are used; nil for all, as they were loaded.
    package var adapters: [AdapterChoice]?
    /// `logprobs`: whether the log probability of each token is reported.
    package var logprobs = false
    /// `topLogprobs`: how many of the most likely tokens are reported with it, 0 to 20; without `logprobs` only 0.
    package var topLogprobs = 0
    /// `logitBias`: what is added to the logits of tokens; see ``LogitBias``.
    package var logitBias = LogitBias()
    /// `minTokens`: so many tokens come before the reply may end by itself, as far as a form of it has that many.
    package var minTokens = 0
    /// `ignoreEos`: whether the reply never ends by itself, but where a form of it does.
    package var ignoresEnd = false
    /// `thinkingBudget`: the tokens that the reply's thoughts may have, 0 or more; nil for no limit.
    package var thinkingBudget: Int?
    /// The share of the reply's tokens that its thoughts may have, where `thinkingBudget` is nil; it has no key.
    package var thinkingShare: Double?
    /// True if the reply's thoughts have no limit, also where there is a usual one; it has no key.
    package var liftsThinkingBudget: Bool?
    /// `thinkingBudgetMessage`: the text that ends thoughts at their limit, in front of the end mark; empty for none,
    /// nil for that of the model's family.
    package var thinkingBudgetMessage: String?
    /// The maximum number of bytes of ``thinkingBudgetMessage`` in UTF-8.
    package static let maximumBudgetMessage = 4096
    /// `thinkingBudgetScope`: "reply" or "block": what the limit is for; nil for the reply.
    package var thinkingBudgetScope: ThinkingBudgetScope?
    /// `thinkingGrace`: so many tokens beyond the limit may complete a sentence; nil for none.
    package var thinkingGrace: Int?
    /// `audioOrder`: "sequential", "interleaved" or "off": whether and in which order a model that speaks writes text
    /// and speech; nil by the system message.
    package var audioOrder: AudioOrder?
    /// `audioTemperature` and `audioTopK`: how codes of speech are drawn; 0.8 and 64, or 1 and 4 where speech and text
    /// are interleaved.
    package var audioSampling = SamplingValues()
    /// Sampling parameters by their names or keys, `frequencyPenalty` and `frequency_penalty` and so on; see
    /// ``SamplingParameter``.
    package var sampling = SamplingValues()
    /// The beginning of the reply that there is already; nil for a reply from its start.
    ///
    /// The model goes on behind it, and the reply is what it adds. It has no key.
    package var replyStart: String?

    package init() {}
}
