import LeapJSON

/// ChatML, for models that bring no chat template: `<|im_start|>role`, a line end, the content, `<|im_end|>`, a line
/// end.
///
/// Functions go into the system message and results into marks, as Liquid's models have them, where the vocabulary has
/// those marks.
package struct ChatMLFormatter: PromptFormatter {
    package let origin = "ChatML"
    package let traits = PromptTraits(takesTools: true, takesToolCalls: false, takesReasoning: false)
    package let turnEnds = ["<|im_end|>"]
    /// True if the vocabulary has the marks around lists of tools and around results.
    private let hasToolMarks: Bool

    package init(hasToolMarks: Bool) {
        self.hasToolMarks = hasToolMarks
    }

    package func render(_ context: PromptContext) throws -> String {
        var messages = context.messages
        if !context.tools.isEmpty {
            let list = context.tools.map { JSONWriter.string($0.object?["function"] ?? $0, style: .python) }
            let tools =
                "List of tools: " + (hasToolMarks ? "<|tool_list_start|>" : "") + "[" + list.joined(separator: ", ")
                + "]"
                + (hasToolMarks ? "<|tool_list_end|>" : "")
            if messages.first?["role"] == "system" {
                let system = messages[0]["content"]?.string ?? ""
                messages[0]["content"] = .string(system.isEmpty ? tools : system + "\n" + tools)
            } else {
                messages.insert(["role": "system", "content": .string(tools)], at: 0)
            }
        }
        var text = ""
        for message in messages {
            let role = message["role"]?.string ?? ""
            var content = message["content"]?.string ?? ""
            if role == "tool", hasToolMarks { content = "<|tool_response_start|>\(content)<|tool_response_end|>" }
            text += "<|im_start|>\(role)\n\(content)<|im_end|>\n"
        }
        return context.addGenerationPrompt ? text + "<|im_start|>assistant\n" : text
    }
}
