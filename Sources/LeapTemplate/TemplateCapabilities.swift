/// The capabilities of a chat template, determined by rendering small conversations.
///
/// A template that mentions `tools` may ignore them, and one that never mentions `system` may print system turns like
/// any other. Each value therefore says what reached the prompt, not what the text contains.
public struct TemplateCapabilities: Sendable, Hashable {
    /// Creates the capabilities of a template that supports nothing.
    public init() {}

    /// True if function descriptions given as `tools` reach the prompt.
    public var supportsTools = false

    /// True if the calls in an assistant message's `tool_calls` reach the prompt.
    public var supportsToolCalls = false

    /// True if several calls in one message reach the prompt.
    public var supportsParallelToolCalls = false

    /// True if the content of a message with the role `tool` reaches the prompt.
    public var supportsToolRole = false

    /// The text of an assistant message with one call, with the marks of its turn; empty if calls do not reach the
    /// prompt.
    ///
    /// It shows the syntax in which the model calls functions.
    public var writtenCall = ""

    /// True if the arguments of calls can be an object.
    public var acceptsObjectArguments = false

    /// True if the arguments of calls can be a JSON string that is printed without further quotes.
    public var acceptsStringArguments = false

    /// True if the content of a system message reaches the prompt.
    public var supportsSystemRole = false

    /// True if content can be a list of parts (`[{"type": "text", "text": …}]`) instead of a string.
    public var acceptsContentParts = false

    /// True if content must be a list of parts.
    public var requiresContentParts = false

    /// True if `enable_thinking` changes the prompt.
    public var supportsEnableThinking = false

    /// True if `reasoning_content`, or `thinking`, of the last assistant message reaches the prompt.
    public var supportsReasoningContent = false

    /// True if a message with calls is refused with both text and reasoning, but accepted with reasoning alone.
    public var refusesTextBesideReasonedCalls = false

    /// True if `documents` reach the prompt.
    public var supportsDocuments = false

    /// True if two user turns in a row are refused.
    public var requiresAlternatingTurns = false

    /// True if two consecutive assistant messages are refused or lose their text, but one message with both texts is
    /// accepted.
    public var requiresSingleAnswers = false

    /// True if an assistant message before the first user message is refused or omitted, but accepted after an empty
    /// user message.
    public var requiresUserFirst = false

    /// True if the second of two system messages at the beginning is refused or omitted.
    public var requiresSingleSystemMessage = false

    /// True if a system message after the first turn is refused or omitted, but accepted at the beginning.
    public var requiresSystemMessageFirst = false

    /// A template's requirement for messages between the result of a function and a user message.
    public enum BetweenResultAndUser: Sendable, Hashable {
        /// Nothing: a user message can follow a result.
        case nothing
        /// An assistant message, which can be empty.
        case answer
        /// More than an empty message: the user's text can only be in the message with the result.
        case noPlace
    }

    /// The message that is required between the result of a function and a user message.
    public var betweenResultAndUser = BetweenResultAndUser.nothing

    /// True if an assistant message can have only one call, but several messages, each with its result, can follow each
    /// other.
    public var requiresSingleToolCalls = false

    /// The required form of call ids; nil if any is accepted.
    public var toolCallIDForm: ToolCallIDForm?

    /// True if `<think>…</think>` at the start of an assistant message's content is recognized: removed, or rewritten.
    public var readsInlineReasoning = false

    /// True if the start of the assistant's turn already opens a block of reasoning (`<think>`).
    public var opensReasoning = false

    /// The markers that end an assistant's turn in the template, for example `<|im_end|>`.
    ///
    /// Generation stops at them and at the model's end tokens. The first follows the last answer of a conversation. The
    /// second, if it differs, follows an answer that the user replied to.
    public var turnEnds: [String] = []

    /// The text between the end of a user's turn and the model's answer, for example `<|im_start|>assistant\n`.
    ///
    /// It is empty if the template has none.
    public var generationPrompt = ""
}

extension ChatTemplate {
    /// Determines what the template supports by rendering probes.
    ///
    /// It renders about twenty short conversations, and a dozen more if the template refuses some order of messages or
    /// form of ids. Keep the result.
    ///
    /// - Parameters:
    ///   - bosToken: the text of the beginning-of-sequence token, as for rendering.
    ///   - eosToken: the text of the end-of-sequence token.
    ///   - variables: further variables for every rendering; a template that fails without them supports nothing
    ///     without them.
    public func capabilities(
        bosToken: String? = nil, eosToken: String? = nil, variables: TemplateObject = [:]
    ) -> TemplateCapabilities {
        CapabilityProbe(template: self, bosToken: bosToken, eosToken: eosToken, variables: variables).run()
    }
}
