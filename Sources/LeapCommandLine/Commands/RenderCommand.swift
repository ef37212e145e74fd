import ArgumentParser
import Foundation
import LeapBase
import LeapCore
import LeapGGUF
import LeapJSON
import LeapTokenizer

/// `leap render MODEL --messages FILE`: the prompt that a conversation sends.
struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Print the prompt that a conversation sends to the model.",
        discussion: """
            Messages and tools are JSON arrays in OpenAI's format. The prompt is byte for byte what run and chat send, and \
            nothing else goes to standard output. One of the files may be - for standard input. MODEL may be - if --chat-template is given; there are no \
            special tokens then.
            """
    )

    @Argument(help: "The model, as for other commands; - for none.")
    var model: ModelArgument

    @Option(help: "The conversation: a file with a JSON array of messages.", completion: .file(extensions: ["json"]))
    var messages: String

    @Option(help: "A file with a Jinja template to use instead of the model's.", completion: .file())
    var chatTemplate: String?

    @Option(help: "A file with a JSON array of tools.", completion: .file(extensions: ["json"]))
    var tools: String?

    @Flag(help: "Do not end the prompt with the start of the assistant's turn.")
    var noGenerationPrompt = false

    @Flag(help: "Ask a reasoning model to think before it answers.")
    var thinking = false

    @Option(help: "Tool call syntax, for models whose template does not support calls.")
    var callStyle = CallStyleArgument.automatic

    @Option(name: .customLong("set"), help: "A variable of the template, such as enable_thinking=true; JSON or text.")
    var variables: [TemplateVariable] = []

    func run() async throws {
        var arguments = JSONObject()
        for variable in variables { arguments[variable.name] = variable.value }
        let history = try JSONFile.read(messages, "--messages") { try ChatMessage.messages(fromJSON: $0) }
        let functions =
            try tools.map { try JSONFile.functions($0, "--tools") } ?? []
        var request = try PromptRequest(
            chat: history, functions: functions, parser: callStyle.parser, enableThinking: thinking,
            arguments: arguments)
        request.addGenerationPrompt = !noGenerationPrompt
        Terminal.write(try await prompt(for: request, variables: arguments))
    }

    private func prompt(for request: PromptRequest, variables: JSONObject) async throws -> String {
        let template = try chatTemplate.map { try JSONFile.text($0, "--chat-template") }
        if model.text == "-" {
            guard template != nil else { throw CommandError("without a model, --chat-template must name a template") }
            return try PromptFormats.renderer(
                metadata: nil, tokenizer: nil, option: template, manifest: nil, path: model.text,
                variables: variables
            ).render(request).string
        }
        let files = try await model.files()
        let metadata = try GGUFFile.open(path: files.modelPath).metadata
        let tokenizer = try Tokenizer(metadata: metadata)
        let renderer = try PromptFormats.renderer(
            metadata: metadata, tokenizer: tokenizer, option: template, manifest: files.chatTemplate,
            path: files.modelPath, variables: variables)
        return try PromptBuilder(tokenizer: tokenizer, renderer: renderer).build(request).wholeText
    }
}

/// `NAME=VALUE` as a template variable: JSON where it is JSON, else text.
struct TemplateVariable: ExpressibleByArgument {
    let name: String
    let value: JSONValue

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else { return nil }
        name = String(argument[..<equals])
        let text = String(argument[argument.index(after: equals)...])
        value = (try? JSONParser.parse(text)) ?? .string(text)
    }
}
