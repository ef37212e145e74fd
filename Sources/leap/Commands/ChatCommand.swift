import ArgumentParser
import Foundation
import LeapDemoModel
import LeapSDK

/// `leap chat [MODEL]`: a conversation at the keyboard.
struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Hold a conversation.",
        discussion: ChatSession.help
    )

    @Argument(help: "A GGUF file, a model's name, or \"demo\".")
    var model = ModelArgument(text: LeapDemoModel.name)

    @Option(help: "The system message.")
    var system: String?

    @Option(help: "A file with a JSON array of tools in OpenAI's shape; you are asked for their results.")
    var tools: String?

    @Flag(help: "Show no previews of pictures, where the terminal could.")
    var noPreview = false

    @OptionGroup(title: "Sampling")
    var sampling: SamplingArguments

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    func run() async throws {
        let functions = try tools.map { try JSONFile.read($0) { try LeapFunction.functions(fromJSON: $0) } } ?? []
        let runner = try await loading.load(model)
        let lines = LineReader()
        let session = ChatSession(
            runner: runner, system: system, functions: functions, options: sampling.generationOptions(), lines: lines,
            preview: noPreview || !Terminal.errorIsTerminal ? nil : PreviewProtocol(ProcessInfo.processInfo.environment)
        )
        if Terminal.inputIsTerminal {
            Terminal.note("\(runner.modelId). /help lists the commands, Ctrl-C stops an answer, Ctrl-D leaves.")
        }
        let interrupts = Interrupts { session.interrupt() }
        while let line = await lines.next(prompt: "> ") {
            guard try await session.handle(line) else { break }
        }
        withExtendedLifetime(interrupts) {}
        await runner.unload()
    }
}
