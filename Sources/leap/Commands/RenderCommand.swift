import ArgumentParser
import Foundation
import LeapGGUF
import LeapTemplate
import LeapTokenizer

/// `leap render MODEL --messages FILE`: the prompt that a chat template makes of a conversation.
struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Print the prompt that a chat template makes of a conversation.",
        discussion: """
            Messages and tools are JSON arrays in OpenAI's shape. The prompt is what transformers' apply_chat_template \
            gives, byte for byte, and nothing else goes to standard output. MODEL may be - where --chat-template says \
            everything; there are no special tokens then.
            """
    )

    @Argument(help: "A GGUF file, a model's name, \"demo\", or - for none.")
    var model: ModelArgument

    @Option(help: "The conversation: a file with a JSON array of messages.")
    var messages: String

    @Option(help: "Use this Jinja template instead of the model's.")
    var chatTemplate: String?

    @Option(help: "A file with a JSON array of tools.")
    var tools: String?

    @Flag(help: "Do not end the prompt with the start of the assistant's turn.")
    var noGenerationPrompt = false

    @Option(name: .customLong("set"), help: "A variable of the template, such as enable_thinking=true; JSON or text.")
    var variables: [TemplateVariable] = []

    func run() async throws {
        let file = model.text == "-" ? nil : try await model.open()
        let tokens = try file.map { try SpecialTokens(metadata: $0.metadata) }
        let source = try templateSource(metadata: file?.metadata)
        var extra = TemplateObject()
        for variable in variables { extra[variable.name] = variable.value }
        let prompt = try ChatTemplate(source: source).render(
            messages: try JSONFile.array(messages, named: "messages"),
            tools: try tools.map { try JSONFile.array($0, named: "tools") },
            addGenerationPrompt: !noGenerationPrompt, bosToken: tokens?.bos, eosToken: tokens?.eos, extra: extra)
        Terminal.write(prompt)
    }

    /// The option's template, or the model's: the one for tools if it has one and tools are given.
    private func templateSource(metadata: GGUFMetadata?) throws -> String {
        if let chatTemplate { return try JSONFile.text(chatTemplate) }
        guard let metadata else { throw CommandError("without a model, --chat-template must name a template") }
        if tools != nil, let template = try metadata.string("tokenizer.chat_template.tool_use") { return template }
        guard let template = try metadata.string("tokenizer.chat_template") else {
            throw CommandError("\(model.text) has no chat template: give one with --chat-template FILE")
        }
        return template
    }
}

/// `NAME=VALUE` as a template variable: JSON where it is JSON, else text.
struct TemplateVariable: ExpressibleByArgument {
    let name: String
    let value: TemplateValue

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else { return nil }
        name = String(argument[..<equals])
        let text = String(argument[argument.index(after: equals)...])
        value = (try? TemplateValue(json: text)) ?? .string(text)
    }
}

/// The texts of the tokens that templates ask for.
private struct SpecialTokens {
    let bos: String?
    let eos: String?

    init(metadata: GGUFMetadata) throws {
        let tokenizer = try Tokenizer(metadata: metadata)
        bos = tokenizer.bosToken.map(tokenizer.text(of:))
        eos = tokenizer.eosToken.map(tokenizer.text(of:))
    }
}

/// Files that hold JSON arrays or text, with errors that name them.
enum JSONFile {
    static func text(_ path: String) throws -> String {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw CommandError("cannot read \(path): \(error.localizedDescription)")
        }
        guard let text = String(validating: data, as: UTF8.self) else { throw CommandError("\(path) is not UTF-8") }
        return text
    }

    static func array(_ path: String, named name: String) throws -> [TemplateValue] {
        let value: TemplateValue
        do {
            value = try TemplateValue(json: try text(path))
        } catch let error as TemplateError {
            throw CommandError("\(path) is not JSON: \(error)")
        }
        guard case .array(let items) = value else {
            throw CommandError("\(path) is no JSON array of \(name)")
        }
        return items
    }
}
