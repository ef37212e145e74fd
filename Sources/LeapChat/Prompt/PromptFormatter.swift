package import LeapJSON

/// Turns messages into the text a model was trained on.
package protocol PromptFormatter: Sendable {
    /// The source of the format, for log lines.
    var origin: String { get }
    /// The traits of the format: the things that it has places for.
    var traits: PromptTraits { get }
    /// The marks that end an assistant's turn.
    var turnEnds: [String] { get }

    /// The texts that show the format's syntax of calls, the best evidence first; see ``CallStyles``.
    var callEvidence: [String] { get }

    /// The text of a chat, special tokens spelled out.
    func render(_ context: PromptContext) throws -> String
}

extension PromptFormatter {
    package var callEvidence: [String] { [] }
}

/// The traits of a prompt format: the things that it has places for.
package struct PromptTraits: Sendable, Hashable {
    /// The definitions of functions.
    package var takesTools: Bool
    /// An assistant message's calls as data; otherwise they are put into its text, as the model wrote them.
    package var takesToolCalls: Bool
    /// An assistant message's reasoning as data; otherwise it is put into its text where ``takesInlineReasoning`` says
    /// so, and left out elsewhere.
    package var takesReasoning: Bool
    /// A call's arguments as an object; otherwise as JSON in a string.
    package var takesObjectArguments = true
    /// A system message; otherwise it goes to the front of the user's first.
    package var takesSystem = true
    /// Results of functions in messages of their own role; otherwise they are messages of the user.
    package var takesToolRole = true
    /// Several system messages at the beginning; otherwise they are one.
    package var takesSeveralSystem = true
    /// System messages behind the first turn; otherwise they go to the beginning.
    package var takesLateSystem = true
    /// An assistant message before any of the user; otherwise an empty one of the user stands in front.
    package var takesAnswerFirst = true
    /// Several calls in one message; otherwise each has a message of its own, followed by its result.
    package var takesSeveralCalls = true
    /// An assistant message's reasoning in front of its text, between `<think>` and `</think>`.
    package var takesInlineReasoning = true
    /// Both text and reasoning in a message with calls; otherwise its text is part of the reasoning.
    package var takesTextBesideReasonedCalls = true
    /// True if replies may begin with reasoning: the model can be asked to think, does so by itself, or its reasoning
    /// is kept.
    package var reasons = false

    package init(takesTools: Bool, takesToolCalls: Bool, takesReasoning: Bool) {
        self.takesTools = takesTools
        self.takesToolCalls = takesToolCalls
        self.takesReasoning = takesReasoning
    }

    /// The same, but system messages are one at the beginning, and the user comes first.
    var strict: PromptTraits {
        var traits = self
        traits.takesSeveralSystem = false
        traits.takesLateSystem = false
        traits.takesAnswerFirst = false
        return traits
    }
}

/// The values that a prompt format is given.
package struct PromptContext: Sendable {
    /// Messages in the shape that Hugging Face's chat templates take.
    ///
    /// Members are `role`, `content`, `tool_calls`, `tool_call_id`, `reasoning_content`, `thinking`, `name`.
    package var messages: [JSONObject]
    /// Function definitions in OpenAI's form.
    package var tools: [JSONValue]
    /// True if the beginning of the reply is part of the prompt.
    package var addGenerationPrompt: Bool
    /// Further variables, such as `enable_thinking`, `bos_token`.
    package var variables: JSONObject
    /// True if turns have to alternate, whatever is known of the format: it refused these messages.
    package var isStrict = false

    package init(
        messages: [JSONObject], tools: [JSONValue] = [], addGenerationPrompt: Bool = true, variables: JSONObject = [:]
    ) {
        self.messages = messages
        self.tools = tools
        self.addGenerationPrompt = addGenerationPrompt
        self.variables = variables
    }
}
