import ArgumentParser
import Foundation
import LeapBase
import LeapDemoModel
import LeapSDK

/// `leap chat [MODEL]`: a conversation at the keyboard.
struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Chat with a model.",
        discussion: SlashCommand.help(width: 100) + """


            Your input is kept for the next chat in leap_history, next to the model folder (LEAP_HOME), unless NO_HISTORY is set.
            NO_COLOR and TERM=dumb are respected. To a pipe or file, answers are written as they arrive.
            """
    )

    @Argument(
        help:
            "A GGUF file or a folder with one, a model's name or address, or \"demo\"; see leap --help. (default: demo, or with --continue the model of that conversation)",
        completion: ModelCompletion.kind)
    var model: ModelArgument?

    @Flag(
        name: .customLong("continue"),
        help: "Continue the last conversation at a terminal, with its model and system message.")
    var continues = false

    @Option(help: "The system message.")
    var system: String?

    @Option(help: "A file with a JSON array of tools in OpenAI's format; the chat asks you for their results.")
    var tools: String?

    @Option(
        help: ArgumentHelp(
            "An MCP server whose tools the model may call: a command (split into words, without a shell) or an http(s) address. The chat asks you before each call. Repeatable.",
            valueName: "command"))
    var mcp: [String] = []

    @Option(help: "When the context is full: trim leaves the oldest turns out of the prompt, fail refuses the message.")
    var overflow = OverflowArgument.trim

    @Flag(help: "Show Markdown unformatted.")
    var noMarkdown = false

    @Flag(help: "Show no picture previews, even if the terminal supports them.")
    var noPreview = false

    @Flag(help: "Show tokens and speed after each answer, as /stats on does.")
    var verbose = false

    @OptionGroup(title: "Form of the answer")
    var constraint: ConstraintArguments

    @OptionGroup(title: "Sampling")
    var sampling: SamplingArguments

    @OptionGroup(title: "Loading")
    var loading: LoadingArguments

    @OptionGroup(title: "Pictures")
    var pictures: ImageArguments

    func run() async throws {
        let functions =
            try tools.map { try JSONFile.functions($0, "--tools") } ?? []
        // Who stops a reply can ask for more of it.
        let options = sampling.generationOptions().with(contextOverflowPolicy: overflow.policy)
            .with(keepsInterruptedReply: true)
        try constraint.apply(to: options)
        // What an option or a command would read from it by the name of - would be the messages.
        try StandardInput.take(for: "the messages of the chat")
        // First, as a server that cannot be used is told at once.
        let servers = try await connect(taken: functions.map(\.name))
        do {
            try await chat(functions, options, servers)
        } catch {
            await servers?.close()
            throw error
        }
        await servers?.close()
    }

    /// The servers of `--mcp`; Ctrl-C ends those that have begun, and the program.
    private func connect(taken: [String]) async throws -> ServerTools? {
        guard !mcp.isEmpty else { return nil }
        let servers = Locked<ServerTools?>(nil)
        let task = Task { [mcp] in
            let connected = try await ServerTools.connect(mcp, taken: taken)
            servers.withLock { $0 = connected }
        }
        try await Interrupts.ending(task)
        return servers.withLock { $0 }
    }

    private func chat(_ functions: [LeapFunction], _ options: GenerationOptions, _ servers: ServerTools?) async throws {
        let environment = ProcessInfo.processInfo.environment
        let keptPath = LastConversation.usualPath(environment)
        let last = continues ? try LastConversation(path: keptPath) : nil
        let named = last.flatMap { $0.model.isEmpty ? nil : ModelArgument(text: $0.model) }
        let model = model ?? named ?? ModelArgument(text: LeapDemoModel.name)
        let runner = try await loading.load(model, pictures: pictures)
        let input = InputReader(history: InputHistory(path: InputHistory.usualPath(environment)))
        let (loading, pictures) = (loading, pictures)
        let isKept = Terminal.inputIsTerminal || continues
        let session = ChatSession(
            ChatSession.State(
                runner: runner, conversation: conversation(runner, last), system: system ?? last?.system,
                functions: functions, options: options, thinking: sampling.thinking, showsMarkdown: !noMarkdown,
                showsStats: verbose, model: model.lasting),
            input: input,
            preview: noPreview || !Terminal.errorIsTerminal ? nil : PreviewProtocol(environment), servers: servers,
            keptPath: isKept ? keptPath : nil,
            loader: { try await loading.load($0, pictures: pictures) }
        )
        if Terminal.inputIsTerminal {
            Terminal.note("\(runner.modelId). /help lists the commands, Ctrl-C stops an answer, Ctrl-D quits.")
        }
        runner.noteBaseModel()
        if let last { Terminal.note("(continuing with \(last.history.count) messages; /reset starts anew)") }
        let interrupts = Interrupts { session.interrupt() }
        let endings = Endings {
            KeyboardMode.end()
            servers?.kill()
        }
        await converse(session, input)
        withExtendedLifetime((interrupts, endings)) {}
        KeyboardMode.restore()
        await session.runner.unload()
    }

    /// The conversation to begin with: a new one, or the last one, in which `--system` takes the place of its system
    /// message.
    private func conversation(_ runner: any ModelRunner, _ last: LastConversation?) -> any Conversation {
        guard let last else { return runner.createConversation(systemPrompt: system) }
        var history = last.history
        if let system {
            history.removeAll { $0.role == .system }
            history.insert(ChatMessage(role: .system, textContent: system), at: 0)
        }
        return runner.createConversationFromHistory(history: history)
    }

    private func converse(_ session: ChatSession, _ input: InputReader) async {
        var request = InputReader.Request(prompt: "> ", completer: SlashCommand.completion(of:))
        var isFirst = true
        while true {
            let entry = await input.next(request)
            if isFirst, entry == .ended, !Terminal.inputIsTerminal {
                Terminal.note(
                    "(there are no messages on standard input: send one per line, or run leap chat at a terminal)")
            }
            isFirst = false
            let step = await session.handle(entry)
            switch step {
            case .next: request.initial = ""
            case .edit(let text): request.initial = text
            case .leave: return
            }
        }
    }
}
