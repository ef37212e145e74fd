import ArgumentParser
import Foundation
import LeapSDK

/// `leap run MODEL --prompt TEXT`: one prompt, one answer.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Answer one prompt.")

    @Argument(help: "A GGUF file, a model's name, or \"demo\".")
    var model: ModelArgument

    @Option(name: .shortAndLong, help: "The user's message; - reads it from standard input.")
    var prompt: String

    @Option(
        help: "A JPEG, PNG or WebP file, or an https address; - reads the file from standard input. Repeatable.")
    var image: [String] = []

    @Option(help: "A WAV file of one channel, at any rate; - reads the file from standard input. Repeatable.")
    var audio: [String] = []

    @Option(help: "The system message.")
    var system: String?

    @Option(help: "A file with a JSON array of tools in OpenAI's shape.")
    var tools: String?

    @OptionGroup(title: "Form of the answer")
    var constraint: ConstraintArguments

    @OptionGroup(title: "Sampling")
    var sampling: SamplingArguments

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    @Flag(help: "Print one JSON object: text, tool_calls, finish_reason, stats; logprobs where --extras asks for them.")
    var json = false

    func validate() throws {
        guard ([prompt] + image + audio).count(where: { $0 == "-" }) <= 1 else {
            throw ValidationError("only one of --prompt, --image and --audio can be read from standard input")
        }
    }

    func run() async throws {
        let text = prompt == "-" ? try StandardInput.readText() : prompt
        let images = try image.map { try ImageArgument.read($0) }
        let sounds = try audio.map { try AudioArgument.read($0) }
        let functions = try tools.map { try JSONFile.read($0) { try LeapFunction.functions(fromJSON: $0) } } ?? []
        let options = sampling.generationOptions()
        try constraint.apply(to: options)
        let runner = try await loading.load(model)
        let conversation = runner.createConversation(systemPrompt: system)
        conversation.registerFunctions(functions)
        var result = RunResult()
        do {
            let message = ChatMessage(role: .user, content: images + sounds + [.text(text)])
            for try await response in conversation.generateResponse(message: message, generationOptions: options) {
                result.add(response)
                if case .chunk(let piece) = response, !json { Terminal.write(piece) }
            }
        } catch {
            throw constraint.locate(error)
        }
        if json {
            Terminal.writeLine(try result.jsonLine())
        } else {
            for call in result.calls { Terminal.write("\(result.text.isEmpty ? "" : "\n")\(call.line)") }
            Terminal.writeLine()
            if result.finishReason != .stop { Terminal.note("finished early: \(result.finishReason.code)") }
        }
        await runner.unload()
    }
}
