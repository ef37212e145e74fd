/// The capabilities of a chat template, learned by rendering small conversations.
///
/// A template that mentions `tools` may still print nothing of them, and one that never mentions `system` may print
/// system turns like any other; so each answer says what reached the prompt, not what the text contains.
public struct TemplateCapabilities: Sendable, Hashable {
    /// Creates the capabilities of a template that can do nothing.
    public init() {}

    /// True if function descriptions given as `tools` reach the prompt.
    public var supportsTools = false

    /// True if the calls in an assistant message's `tool_calls` reach the prompt.
    public var supportsToolCalls = false

    /// True if several calls in one message reach the prompt.
    public var supportsParallelToolCalls = false

    /// True if the content of a message with the role `tool` reaches the prompt.
    public var supportsToolRole = false

    /// The text of an assistant's message with one call: the syntax that the model calls functions in, with the marks
    /// of the turn around it; empty where calls do not reach the prompt.
    public var writtenCall = ""

    /// True if the arguments of calls may be given as an object.
    public var acceptsObjectArguments = false

    /// True if the arguments of calls may be given as a string of JSON, printed without being quoted again.
    public var acceptsStringArguments = false

    /// True if the content of a system message reaches the prompt.
    public var supportsSystemRole = false

    /// True if content may be a list of parts (`[{"type": "text", "text": …}]`) instead of a string.
    public var acceptsContentParts = false

    /// True if content must be a list of parts.
    public var requiresContentParts = false

    /// True if `enable_thinking` changes the prompt.
    public var supportsEnableThinking = false

    /// True if `reasoning_content`, or `thinking`, of the last assistant message reaches the prompt.
    public var supportsReasoningContent = false

    /// True if a message with calls is refused where it has both text and reasoning, and taken with the latter alone.
    public var refusesTextBesideReasonedCalls = false

    /// True if `documents` reach the prompt.
    public var supportsDocuments = false

    /// True if two user turns in a row are refused.
    public var requiresAlternatingTurns = false

    /// True if two assistant messages in a row are refused or lose their text, and one that holds both is taken.
    public var requiresSingleAnswers = false

    /// True if an assistant message in front of the first user message is refused or left out, and is taken behind an
    /// empty one of the user.
    public var requiresUserFirst = false

    /// True if the second of two system messages at the beginning is refused or left out.
    public var requiresSingleSystemMessage = false

    /// True if a system message behind the first turn is refused or left out, and is taken at the beginning.
    public var requiresSystemMessageFirst = false

    /// A template's demand on what stands between the result of a function and a user message.
    public enum BetweenResultAndUser: Sendable, Hashable {
        /// Nothing: a user message may follow a result.
        case nothing
        /// A message of the assistant, which may be empty.
        case answer
        /// More than an empty message: the user's text has a place in the message with the result only.
        case noPlace
    }

    /// The message that has to stand between the result of a function and a user message.
    public var betweenResultAndUser = BetweenResultAndUser.nothing

    /// True if an assistant message may have one call only, and several may follow each other, each with its result.
    public var requiresSingleToolCalls = false

    /// The form that ids of calls must have; nil where any is taken.
    public var toolCallIDForm: ToolCallIDForm?

    /// True if `<think>…</think>` at the beginning of an assistant message's content is known: taken out, or written
    /// another way.
    public var readsInlineReasoning = false

    /// True if the start of the assistant's turn already opens a block of reasoning (`<think>`).
    public var opensReasoning = false

    /// The markers that end an assistant's turn as the template writes them, for example `<|im_end|>`.
    ///
    /// Together with the end tokens a model declares they are what generation stops at. The first follows an answer
    /// that is last, the second (where it is another one) an answer that the user replied to.
    public var turnEnds: [String] = []

    /// The text between the end of a user's turn and the model's answer, `<|im_start|>assistant\n` for example;
    /// empty where the template has none.
    public var generationPrompt = ""
}

extension ChatTemplate {
    /// Finds out what the template supports by rendering probes.
    ///
    /// Costs about twenty renderings of a few lines each, and a dozen more where the template refuses some order of
    /// messages or form of ids; keep the answer.
    ///
    /// - Parameters:
    ///   - bosToken: the text of the beginning-of-sequence token, as for rendering.
    ///   - eosToken: the text of the end-of-sequence token.
    ///   - variables: further variables that every rendering will have; a template that fails without them can do
    ///     nothing without them.
    public func capabilities(
        bosToken: String? = nil, eosToken: String? = nil, variables: TemplateObject = [:]
    ) -> TemplateCapabilities {
        CapabilityProbe(template: self, bosToken: bosToken, eosToken: eosToken, variables: variables).run()
    }
}
