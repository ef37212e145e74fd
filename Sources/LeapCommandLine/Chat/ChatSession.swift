import Foundation
import LeapBase
import LeapSDK

/// The state of `leap chat`: one conversation, how its replies are generated and shown, and what Ctrl-C should stop.
final class ChatSession: Sendable {
    /// The step that follows a line of input.
    enum Step: Equatable {
        case next
        case leave
        /// The next line begins with this text.
        case edit(String)
    }

    struct State {
        var runner: any ModelRunner
        var conversation: any Conversation
        var system: String?
        /// Functions whose results the person gives.
        var functions: [LeapFunction]
        /// The functions that MCP servers carry out.
        var serverFunctions: [LeapFunction] = []
        var options: GenerationOptions
        var thinking: ThinkingArgument
        var showsMarkdown = true
        /// True if the figures of each answer are told.
        var showsStats = false
        /// The model as it was named.
        var model = ""
        var stats: GenerationStats?
        /// Stops the answer that is written, or what an MCP server is waited for; nil where there is neither.
        var stop: (@Sendable () -> Void)?
        /// For the next message.
        var pictures: [AttachedImage] = []
        /// For the next message, too.
        var sounds: [AttachedAudio] = []
        /// For the next message, too.
        var videos: [AttachedVideo] = []
        /// For the next message, behind what is written.
        var texts: [AttachedText] = []
        /// True if the next message takes the place of the last one.
        var isEditing = false
        /// Changes whenever the history does other than by going on.
        var revision = 0
        /// The messages that the last prompt was made without.
        var leftOut = 0
        /// True if the conversation could not be kept for `--continue`, which is told once.
        var hasKeepingFailed = false

        /// All that the model may call; of one name the person's come first.
        var allFunctions: [LeapFunction] {
            let own = Set(functions.map(\.name))
            return functions + serverFunctions.filter { !own.contains($0.name) }
        }
    }

    /// Rounds of calls that are answered without a person or a tool.
    private static let maxUnknownCalls = 2
    /// Rounds of calls that are run without a question.
    private static let maxUnaskedRounds = 24

    /// Loads another model, for `/model`.
    let loader: @Sendable (ModelArgument) async throws -> any ModelRunner
    let input: InputReader
    /// The protocol by which pictures are shown; nil where they are not.
    let preview: PreviewProtocol?
    /// Nil where no MCP server was named.
    let servers: ServerTools?
    /// The file in which the conversation is kept for `--continue`; nil for none.
    let keptPath: String?
    let state: Locked<State>

    init(
        _ state: State, input: InputReader, preview: PreviewProtocol?, servers: ServerTools? = nil,
        keptPath: String? = nil,
        loader: @escaping @Sendable (ModelArgument) async throws -> any ModelRunner
    ) {
        var state = state
        state.serverFunctions = servers?.functions ?? []
        state.conversation.registerFunctions(state.allFunctions)
        self.state = Locked(state)
        self.input = input
        self.preview = preview
        self.servers = servers
        self.keptPath = keptPath
        self.loader = loader
    }

    var runner: any ModelRunner { state.withLock { $0.runner } }
    var conversation: any Conversation { state.withLock { $0.conversation } }

    /// Stops what is being waited for, if anything is.
    func interrupt() {
        if let stop = state.withLock({ $0.stop }) {
            stop()
        } else {
            sayHowToLeave()
            input.requestRedraw()
        }
    }

    /// Handles what was entered.
    ///
    /// A failure is told and does not end the chat.
    func handle(_ event: InputReader.Event) async -> Step {
        do {
            switch event {
            case .ended: return .leave
            case .interrupted: sayHowToLeave()
            case .block(let text): return try await answer(text)
            case .text(let text):
                let line = text.trimmingCharacters(in: .whitespaces)
                if line.hasPrefix("/") { return try await SlashCommand.run(line, in: self) }
                if !line.isEmpty { return try await answer(line) }
            }
        } catch is CancellationError {
            Terminal.note("(stopped)")
        } catch {
            Terminal.note("error: \(OptionNames.translated(error.sentence))")
        }
        return .next
    }

    private func sayHowToLeave() { Terminal.note("(press Ctrl-D or type /quit to quit)") }

    /// Answers a message, and goes on as long as the model asks for tools and gets their results.
    private func answer(_ text: String) async throws -> Step {
        if state.withLock({ $0.isEditing }) { undoForEdit() }
        await refreshServerTools()
        let (pictures, sounds, videos, texts) = state.withLock { state in
            defer { (state.pictures, state.sounds, state.videos, state.texts) = ([], [], [], []) }
            return (state.pictures, state.sounds, state.videos, state.texts)
        }
        let media = pictures.map(\.content) + videos.map(\.content) + sounds.map(\.content)
        let message = ChatMessage(role: .user, content: media + [.text(AttachedText.joined(text, texts))])
        do {
            return try await goOn(with: try await generate(to: message))
        } catch let error where !(media.isEmpty && texts.isEmpty) && !(error is CancellationError) {
            // The message is not in the history, so it can be sent again.
            state.withLock { ($0.pictures, $0.sounds, $0.videos, $0.texts) = (pictures, sounds, videos, texts) }
            let advice =
                (pictures.isEmpty ? [] : ["the pictures stay attached; /image clear removes them"])
                + (videos.isEmpty ? [] : ["the videos stay attached; /video clear removes them"])
                + (sounds.isEmpty ? [] : ["the sounds stay attached; /audio clear removes them"])
                + (texts.isEmpty ? [] : ["the texts stay attached; /file clear removes them"])
            throw CommandError("\(OptionNames.translated(error.sentence)) (\(advice.joined(separator: "; ")))")
        }
    }

    /// Another answer to the last message.
    func retry() async throws -> Step {
        try await goOn(with: try await generate(to: nil) { $0.regenerateResponse(generationOptions: $1) })
    }

    /// Gets the results of calls, and the replies to them, until a reply calls nothing.
    private func goOn(with first: [LeapFunctionCall]) async throws -> Step {
        var calls = first
        var (unknown, unaskedRounds) = (0, 0)
        while !calls.isEmpty {
            let known = state.withLock { $0.allFunctions.map(\.name) }
            var pictures: [ChatMessageContent] = []
            var isUnasked = true
            if calls.contains(where: { !known.contains($0.name) }) {
                guard unknown < Self.maxUnknownCalls else {
                    Terminal.note(
                        "(the model keeps calling tools that do not exist: \(calls.map(\.name).joined(separator: ", ")))"
                    )
                    return .next
                }
                unknown += 1
            }
            for call in calls {
                guard known.contains(call.name) else {
                    refuse(call, known)
                    continue
                }
                Terminal.note("call \(call.name)(\(call.argumentsJSON))" + (call.issue.map { "  [\($0)]" } ?? ""))
                if let entry = serverEntry(call) {
                    let (result, step) = await serverResult(of: call, entry)
                    guard let result else { return step }
                    conversation.appendToHistory(message: ChatMessage(role: .tool, textContent: result.text))
                    pictures += result.pictures
                    isUnasked = isUnasked && result.isUnasked
                    continue
                }
                isUnasked = false
                switch await result(of: call) {
                case .given(let result):
                    conversation.appendToHistory(message: ChatMessage(role: .tool, textContent: result))
                case .abandoned(let step): return step
                }
            }
            unaskedRounds = isUnasked ? unaskedRounds + 1 : 0
            guard unaskedRounds < Self.maxUnaskedRounds else {
                Terminal.note(
                    "(stopped after \(unaskedRounds) rounds of calls without asking you; send a message to continue)")
                return .next
            }
            // An empty user turn after tool results means: continue.
            let message =
                pictures.isEmpty
                ? ChatMessage(role: .user, textContent: "")
                : ChatMessage(role: .user, content: pictures + [.text("The pictures of the result.")])
            calls = try await generate(to: message)
        }
        return .next
    }

    /// Tells the model, in a person's place, that there is no such tool.
    private func refuse(_ call: LeapFunctionCall, _ known: [String]) {
        Terminal.note(
            "(the model called \(call.name), a tool that it does not have; the call gets an error"
                + (known.isEmpty ? "; --tools, --mcp or /tools adds tools)" : ")"))
        let there =
            known.isEmpty
            ? "There are no tools; answer without them." : "The tools are: \(known.joined(separator: ", "))."
        conversation.appendToHistory(
            message: ChatMessage(role: .tool, textContent: "Error: there is no tool \(call.name). \(there)"))
    }

    private enum ToolResult {
        case given(String)
        case abandoned(Step)
    }

    /// Asks for a call's result; commands work here as everywhere.
    private func result(of call: LeapFunctionCall) async -> ToolResult {
        let before = state.withLock { $0.revision }
        while true {
            let request = InputReader.Request(
                prompt: "result of \(call.name)> ", isKept: false, completer: SlashCommand.completion(of:))
            let event = await input.next(request)
            switch event {
            case .block(let text): return .given(text)
            case .text(let text) where !text.hasPrefix("/"): return .given(text)
            case .interrupted:
                Terminal.note("(no result was given; send a message to continue)")
                return .abandoned(.next)
            case .text, .ended:
                let step = await handle(event)
                if step != .next || state.withLock({ $0.revision }) != before { return .abandoned(step) }
            }
        }
    }

    private typealias Responses = MessageResponseStream

    private func generate(to message: ChatMessage) async throws -> [LeapFunctionCall] {
        try await generate(to: message) { $0.generateResponse(message: message, generationOptions: $1) }
    }

    /// Generates a reply and shows it.
    ///
    /// - Parameter message: what is added to the history first; nil for nothing.
    private func generate(
        to message: ChatMessage?, _ begin: @escaping @Sendable (any Conversation, GenerationOptions) -> Responses
    ) async throws -> [LeapFunctionCall] {
        let (runner, conversation, options, thinking, showsMarkdown) = state.withLock {
            ($0.runner, $0.conversation, $0.options, $0.thinking, $0.showsMarkdown)
        }
        // A reply that was stopped ends within a token.
        await (conversation as? SourcedConversation)?.whenIdle()
        let task = Task { () throws -> [LeapFunctionCall] in
            var calls: [LeapFunctionCall] = []
            let prompt = PromptDisplay(runner) {
                let messages = conversation.history
                // The turn may have put the message into the history by now.
                return runner.promptTokens(
                    of: messages.last?.role == .user ? messages : messages + (message.map { [$0] } ?? []),
                    functions: conversation.functions)
            }
            var printer = ReplyPrinter(
                showsThinking: thinking.isShown, markdown: showsMarkdown && options.jsonSchemaConstraint == nil,
                prompt: prompt)
            defer { printer.end() }
            for try await response in begin(conversation, options).throwing {
                printer.add(response)
                switch response {
                case .complete(let completion): finish(completion, &printer)
                case .functionCall(let more): calls += more
                case .chunk, .reasoningChunk, .audioSample: break
                }
            }
            return calls
        }
        state.withLock { $0.stop = { task.cancel() } }
        Endings.setQuitKey { conversation.endThinking() }
        defer {
            Endings.setQuitKey(nil)
            state.withLock { $0.stop = nil }
        }
        let calls = try await task.value
        if task.isCancelled { Terminal.note("(stopped)") }
        keep(conversation)
        return task.isCancelled ? [] : calls
    }

    /// Keeps the conversation for `--continue`.
    private func keep(_ conversation: any Conversation) {
        guard let keptPath else { return }
        let last = LastConversation(model: state.withLock { $0.model }, history: conversation.history)
        do {
            try last.write(to: keptPath)
        } catch {
            let isFirst = state.withLock { state in
                defer { state.hasKeepingFailed = true }
                return !state.hasKeepingFailed
            }
            if isFirst { Terminal.note("(the conversation is not kept for --continue: \(error.sentence))") }
        }
    }

    /// Tells how a reply ended, where it did not end by itself, and what its prompt was made without.
    private func finish(_ completion: MessageCompletion, _ printer: inout ReplyPrinter) {
        let leftOut = completion.trimming?.removedMessages.count ?? 0
        let before = state.withLock { state in
            defer { state.leftOut = leftOut }
            state.stats = completion.stats
            return state.leftOut
        }
        var notes: [String] = []
        switch completion.finishReason {
        case .stop: break
        case .exceedContext:
            switch completion.limit {
            case .maxTokens(let count):
                notes.append(
                    "(cut off after \(count) \(count == 1 ? "token" : "tokens"), by --max-tokens or /set max_tokens)")
            case .contextSize, nil:
                notes.append("(cut off: the context of \(runner.contextSize) tokens is full)")
            }
        // What Ctrl-C stops is told when it has stopped.
        case .interrupted where Task.isCancelled: break
        case .interrupted, .constraint, .error: notes.append("(\(completion.finishReason.code))")
        }
        if leftOut > before {
            notes.append(
                "(the context of \(runner.contextSize) tokens is full: the oldest \(leftOut) messages were left out of "
                    + "the prompt; /save still writes them)")
        }
        if state.withLock({ $0.showsStats }), let stats = completion.stats {
            notes.append("(\(AnswerFigures.line(stats)))")
        }
        guard !notes.isEmpty else { return }
        printer.end()
        printer = ReplyPrinter(showsThinking: false, markdown: false)
        Terminal.note(notes.joined(separator: "\n"))
    }
}
