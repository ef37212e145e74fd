import LeapGGUF
import LeapTemplate
import LeapTokenizer

/// Chooses the chat format of a model.
///
/// The option `chatTemplate` wins over the manifest's template, that over the file's (`tokenizer.chat_template`, and for prompts with
/// functions `tokenizer.chat_template.tool_use` where the file has it); without any, ChatML is used and the log says so.
enum PromptFormats {
    /// The model's prompt builder.
    ///
    /// - Parameters:
    ///   - option: the template from the loading options.
    ///   - manifest: the template from the manifest.
    ///   - path: the model's file, for messages.
    /// - Throws: ``LeapModelLoadingException`` for a template that cannot be compiled; it names the template and the line.
    static func builder(
        metadata: GGUFMetadata, tokenizer: Tokenizer, option: String?, manifest: String?, path: String
    ) throws -> PromptBuilder {
        func formatter(_ source: String, _ origin: String) throws -> TemplateFormatter {
            do {
                return try TemplateFormatter(
                    source: source, origin: origin, bosToken: tokenizer.bosToken.map { tokenizer.text(of: $0) },
                    eosToken: tokenizer.eosToken.map { tokenizer.text(of: $0) })
            } catch {
                throw LeapModelLoadingException(
                    message:
                        "\(path): \(origin) cannot be used: \(error); pass a working one in the option chatTemplate",
                    path: path, cause: error)
            }
        }
        if let option {
            return PromptBuilder(tokenizer: tokenizer, formatter: try formatter(option, "the option chatTemplate"))
        }
        if let manifest {
            return PromptBuilder(
                tokenizer: tokenizer, formatter: try formatter(manifest, "the manifest's chat template"))
        }
        let plain = try metadata.string("tokenizer.chat_template")
        let tools = try metadata.string("tokenizer.chat_template.tool_use")
        if let source = plain ?? tools {
            return PromptBuilder(
                tokenizer: tokenizer, formatter: try formatter(source, "the file's chat template"),
                toolFormatter: plain == nil
                    ? nil : try tools.map { try formatter($0, "the file's chat template for tools") })
        }
        LeapLog.logger.notice("\(path) has no chat template: ChatML is used")
        return PromptBuilder(tokenizer: tokenizer, formatter: chatML(for: tokenizer))
    }

    /// ChatML as a vocabulary has it.
    static func chatML(for tokenizer: Tokenizer) -> ChatMLFormatter {
        ChatMLFormatter(
            hasToolMarks: ["<|tool_list_start|>", "<|tool_response_start|>"].allSatisfy {
                tokenizer.token(for: $0) != nil
            })
    }
}
