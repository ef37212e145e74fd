import ArgumentParser
import Foundation
import LeapDemoModel
import LeapSDK

/// `leap chat [MODEL]`: a conversation at the keyboard.
struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Hold a conversation.",
        discussion: SlashCommand.help(width: 100) + """


            What is entered is kept for the next chat in leap_history, beside the folder that models are kept in (LEAP_HOME); with NO_HISTORY set
            it is not. NO_COLOR and TERM=dumb are obeyed. To a pipe or file, answers are written as they come.
            """
    )

    @Argument(help: ModelArgument.help)
    var model = ModelArgument(text: LeapDemoModel.name)

    @Option(help: "The system message.")
    var system: String?

    @Option(help: "A file with a JSON array of tools in OpenAI's shape; you are asked for their results.")
    var tools: String?

    @Option(help: "When the context is full: trim leaves the oldest turns out of the prompt, fail refuses the message.")
    var overflow = OverflowArgument.trim

    @Flag(help: "Show Markdown as it is written.")
    var noMarkdown = false

    @Flag(help: "Show no previews of pictures, where the terminal could.")
    var noPreview = false

    @OptionGroup(title: "Form of the answer")
    var constraint: ConstraintArguments

    @OptionGroup(title: "Sampling")
    var sampling: SamplingArguments

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    @OptionGroup(title: "Pictures")
    var pictures: PictureArguments

    func run() async throws {
        let functions =
            try tools.map { try JSONFile.functions($0, "--tools") } ?? []
        let options = sampling.generationOptions().with(contextOverflowPolicy: overflow.policy)
        try constraint.apply(to: options)
        // What an option or a command would read from it by the name of - would be the messages.
        try StandardInput.take(for: "the messages of the chat")
        let runner = try await loading.load(model, pictures: pictures)
        let environment = ProcessInfo.processInfo.environment
        let input = InputReader(history: InputHistory(path: InputHistory.usualPath(environment)))
        let (loading, pictures) = (loading, pictures)
        let session = ChatSession(
            ChatSession.State(
                runner: runner, conversation: runner.createConversation(systemPrompt: system), system: system,
                functions: functions, options: options, thinking: sampling.thinking, showsMarkdown: !noMarkdown),
            input: input,
            preview: noPreview || !Terminal.errorIsTerminal ? nil : PreviewProtocol(environment),
            loader: { try await loading.load($0, pictures: pictures) }
        )
        if Terminal.inputIsTerminal {
            Terminal.note("\(runner.modelId). /help lists the commands, Ctrl-C stops an answer, Ctrl-D leaves.")
        }
        let interrupts = Interrupts { session.interrupt() }
        let endings = Endings { KeyboardMode.end() }
        await converse(session, input)
        withExtendedLifetime((interrupts, endings)) {}
        KeyboardMode.restore()
        await session.runner.unload()
    }

    private func converse(_ session: ChatSession, _ input: InputReader) async {
        var request = InputReader.Request(prompt: "> ", completer: SlashCommand.completion(of:))
        while true {
            let step = await session.handle(await input.next(request))
            switch step {
            case .next: request.initial = ""
            case .edit(let text): request.initial = text
            case .leave: return
            }
        }
    }
}
