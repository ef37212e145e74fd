package import LeapGGUF
package import LeapJSON
import LeapModel
import LeapTemplate
package import LeapTokenizer

/// Chooses the chat format of a model.
///
/// The option `chatTemplate` wins over the manifest's template, that over the file's (`tokenizer.chat_template`, and
/// for prompts with functions `tokenizer.chat_template.tool_use` where the file has it); without any, ChatML is used
/// and the log says so, unless the file is a decision model. A template of white space alone is none.
package enum PromptFormats {
    /// The model's prompt builder; see ``renderer(metadata:tokenizer:option:manifest:path:)``.
    package static func builder(
        metadata: GGUFMetadata, tokenizer: Tokenizer, option: String?, manifest: String?, path: String
    ) throws -> PromptBuilder {
        var builder = PromptBuilder(
            tokenizer: tokenizer,
            renderer: try renderer(
                metadata: metadata, tokenizer: tokenizer, option: option, manifest: manifest, path: path))
        builder.thinkingBudgetMessage = ThinkingBudgetMessages.text(
            architecture: try metadata.string("general.architecture"))
        return builder
    }

    /// The model's prompt renderer.
    ///
    /// - Parameters:
    ///   - metadata: the file's; nil where there is none.
    ///   - tokenizer: the model's; nil where there is none.
    ///   - option: the template from the loading options.
    ///   - manifest: the template from the manifest.
    ///   - path: the model's file, for messages.
    ///   - variables: what every prompt will have besides: the template's abilities are found out with it.
    /// - Throws: ``LeapModelLoadingException`` for a template that cannot be compiled; it names the template and the
    ///   line.
    package static func renderer(
        metadata: GGUFMetadata?, tokenizer: Tokenizer?, option: String?, manifest: String?, path: String,
        variables: JSONObject = [:]
    ) throws -> PromptRenderer {
        func formatter(_ source: String, _ origin: String) throws -> TemplateFormatter {
            do {
                return try TemplateFormatter(
                    source: source, origin: origin,
                    bosToken: tokenizer.flatMap { tokenizer in tokenizer.bosToken.map { tokenizer.text(of: $0) } },
                    eosToken: tokenizer.flatMap { tokenizer in tokenizer.eosToken.map { tokenizer.text(of: $0) } },
                    variables: variables)
            } catch {
                throw LeapModelLoadingException(
                    message:
                        "\(path): \(origin) cannot be used: \(error); pass a working one in the option chatTemplate",
                    path: path, cause: error)
            }
        }
        for (source, origin) in [(option, "the option chatTemplate"), (manifest, "the manifest's chat template")] {
            guard let source, !isEmpty(source) else { continue }
            return PromptRenderer(tokenizer: tokenizer, formatter: try formatter(source, origin))
        }
        func template(_ key: String) throws -> String? {
            try metadata?.string(key).flatMap { isEmpty($0) ? nil : $0 }
        }
        let plain = try template("tokenizer.chat_template")
        let tools = try template("tokenizer.chat_template.tool_use")
        if let source = plain ?? tools {
            return PromptRenderer(
                tokenizer: tokenizer, formatter: try formatter(source, "the file's chat template"),
                toolFormatter: plain == nil
                    ? nil : try tools.map { try formatter($0, "the file's chat template for tools") })
        }
        // A decision model has a template for questions; only a readout of it would use ChatML.
        if try template(DecisionMethod.templateKey) == nil {
            LeapLog.logger.notice("\(path) has no chat template: ChatML is used")
        }
        return PromptRenderer(tokenizer: tokenizer, formatter: chatML(for: tokenizer))
    }

    /// Returns whether a template is empty: some files have one without a visible character.
    private static func isEmpty(_ source: String) -> Bool { source.allSatisfy(\.isWhitespace) }

    /// A builder for models that write no text, which nothing asks for a prompt before it is told so.
    package static func unusedBuilder(tokenizer: Tokenizer) -> PromptBuilder {
        PromptBuilder(tokenizer: tokenizer, formatter: chatML(for: tokenizer))
    }

    /// ChatML as a vocabulary has it.
    private static func chatML(for tokenizer: Tokenizer?) -> ChatMLFormatter {
        ChatMLFormatter(
            hasToolMarks: ["<|tool_list_start|>", "<|tool_response_start|>"].allSatisfy {
                tokenizer?.token(for: $0) != nil
            })
    }
}
