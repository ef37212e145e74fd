import LeapGGUF
import LeapTemplate
import LeapTokenizer

/// Renders prompts without a model in memory, exactly as the template says: nothing is put into messages that is not in them.
package enum PromptRenderer {
    /// The text of a prompt.
    ///
    /// - Parameters:
    ///   - gguf: where template and special tokens come from, if there is a file.
    ///   - chatTemplate: a template over the file's.
    ///   - messages: a JSON array of messages in OpenAI's shape; members that this package does not know reach the template too.
    ///   - tools: a JSON array of tools in OpenAI's form.
    ///   - addGenerationPrompt: whether the beginning of the reply is part of it.
    ///   - variables: further variables of the template.
    /// - Throws: ``LeapException`` that says which part is at fault.
    package static func render(
        gguf: GGUFFile?, chatTemplate: String?, messages: String, tools: String?, addGenerationPrompt: Bool = true,
        variables: [String: TemplateValue] = [:]
    ) throws -> String {
        let messages = try array(messages, "the messages")
        let tools = try tools.map { try array($0, "the tools") }
        let tokenizer = try gguf.map { try Tokenizer(metadata: $0.metadata) }
        let named = try gguf?.metadata.string("tokenizer.chat_template.tool_use")
        let own = try gguf?.metadata.string("tokenizer.chat_template")
        guard let source = chatTemplate ?? (tools?.isEmpty == false ? named : nil) ?? own else {
            let formatter = tokenizer.map { PromptFormats.chatML(for: $0) } ?? ChatMLFormatter(hasToolMarks: false)
            LeapLog.logger.notice("there is no chat template: ChatML is used")
            let parsed = try messages.enumerated().map { try ChatMessage(json: $1, place: "message \($0)") }
            let objects = PromptMessages(traits: formatter.traits, parser: LFMFunctionCallParser(), literals: nil)
                .objects(parsed)
            return try formatter.render(
                PromptContext(messages: objects, tools: tools ?? [], addGenerationPrompt: addGenerationPrompt))
        }
        do {
            return try ChatTemplate(source: source).render(
                messages: messages.map { TemplateValue($0) }, tools: tools.map { $0.map { TemplateValue($0) } },
                addGenerationPrompt: addGenerationPrompt,
                bosToken: tokenizer.flatMap { tokenizer in tokenizer.bosToken.map { tokenizer.text(of: $0) } },
                eosToken: tokenizer.flatMap { tokenizer in tokenizer.eosToken.map { tokenizer.text(of: $0) } },
                extra: TemplateObject(variables.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
        } catch {
            throw LeapGenerationException(
                message: "the chat template cannot write these messages: \(error)", cause: error)
        }
    }

    private static func array(_ text: String, _ what: String) throws -> [JSONValue] {
        do {
            guard let values = try JSONParser.parse(text).array else {
                throw LeapSerializationException("\(what) are not a JSON array")
            }
            return values
        } catch let failure as JSONParser.Failure {
            throw LeapSerializationException("\(what) are not JSON: \(failure)", cause: failure)
        }
    }
}
