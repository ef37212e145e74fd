package import LeapJSON
import LeapOpenAIFormat

/// The input that a prompt is made from.
package struct PromptRequest: Sendable {
    /// The history, the message to answer last.
    package var messages: [ChatMessage]
    /// The functions the model may ask for.
    package var functions: [LeapFunction] = []
    /// Writes calls in messages where the format has no place for them; nil leaves that to the model's own syntax.
    package var parser: (any LeapFunctionCallParserProtocol)? = LeapFunctionCallParser.automatic
    /// True if the beginning of the reply is part of the prompt.
    package var addGenerationPrompt = true
    /// The beginning of the reply that there is already, with which the prompt ends; nil for a reply from its start.
    package var replyStart: String?
    /// The text with which the model's reply is opened, its marks being tokens; nil where the model begins it.
    package var opening: String?
    /// Variables of the format.
    package var variables: JSONObject = [:]

    package init(messages: [ChatMessage]) { self.messages = messages }

    /// Makes the request of a conversation's turn.
    ///
    /// - Parameters:
    ///   - messages: the history.
    ///   - functions: the functions of the conversation.
    ///   - parser: the option of the generation.
    ///   - enableThinking: whether the model is asked to think.
    ///   - arguments: `chatTemplateArguments` of the extras; they win.
    ///   - parts: what the model reads besides text.
    /// - Throws: ``LeapGenerationException`` where a model cannot go on from these messages.
    package init(
        chat messages: [ChatMessage], functions: [LeapFunction], parser: (any LeapFunctionCallParserProtocol)?,
        enableThinking: Bool, arguments: JSONObject = [:], parts: ReadableParts = .text
    ) throws {
        try FunctionRegistry.validate(functions)
        try HistoryRules.validate(messages, parts: parts)
        self.messages = messages
        self.functions = functions
        self.parser = parser
        // Whether the model is asked to think, under the two names that templates have for it.
        variables = ["enable_thinking": .bool(enableThinking), "thinking": .bool(enableThinking)]
        for (name, value) in arguments.members { variables[name] = value }
        tellStrength()
    }

    /// Tells templates that know it by another name how much the model is asked to think.
    private mutating func tellStrength() {
        guard variables[Self.strength] == nil, let effort = variables[OpenAI.Key.reasoningEffort]?.string else {
            return
        }
        variables[Self.strength] = .string(Self.strengths[effort] ?? effort)
    }

    /// The name that templates of Muse Glimmer have for it, and their words for those of OpenAI that they do not have.
    private static let strength = "reasoning_strength"
    private static let strengths = ["none": "low", "minimal": "low", "max": "xhigh"]
}
