import Foundation
import LeapBase
import LeapJSON
import LeapSDK

/// The state of `leap chat`: one conversation, its commands, and what Ctrl-C should stop.
final class ChatSession: Sendable {
    static let help = """
        /system TEXT  start again with this system message (without TEXT: show it)
        /reset        forget the conversation, keep the system message
        /image FILE   attach a picture to the next message: JPEG, PNG or an https address (without FILE: list; /image clear: none)
        /save FILE    write the conversation: as OpenAI-style JSON where FILE ends in .json, else with its computed state
        /load FILE    take up a saved conversation
        /stats        tokens and speed of the last answer, and totals since the model was loaded
        /quit         leave
        """

    private struct State {
        var conversation: any Conversation
        var system: String?
        var stats: GenerationStats?
        var answer: Task<[LeapFunctionCall], any Error>?
        /// For the next message.
        var pictures: [AttachedPicture] = []
    }

    private let runner: any ModelRunner
    private let functions: [LeapFunction]
    private let options: GenerationOptions
    private let lines: LineReader
    /// How pictures are shown; nil where they are not.
    private let preview: PreviewProtocol?
    private let state: Locked<State>

    init(
        runner: any ModelRunner, system: String?, functions: [LeapFunction], options: GenerationOptions,
        lines: LineReader, preview: PreviewProtocol?
    ) {
        self.runner = runner
        self.functions = functions
        self.options = options
        self.lines = lines
        self.preview = preview
        let conversation = runner.createConversation(systemPrompt: system)
        conversation.registerFunctions(functions)
        state = Locked(State(conversation: conversation, system: system))
    }

    /// Stops the answer that is being written, if there is one.
    func interrupt() {
        let answer = state.withLock { $0.answer }
        if let answer {
            answer.cancel()
        } else {
            Terminal.note("\n(Ctrl-D or /quit leaves)")
        }
    }

    /// Handles one line.
    ///
    /// Returns false when the chat is to end. A failure is told and does not end the chat.
    func handle(_ line: String) async throws -> Bool {
        let line = line.trimmingCharacters(in: .whitespaces)
        if line.isEmpty { return true }
        do {
            guard line.hasPrefix("/") else {
                try await answer(line)
                return true
            }
            let word = line.prefix { $0 != " " }
            let argument = line.dropFirst(word.count).trimmingCharacters(in: .whitespaces)
            switch word {
            case "/quit", "/exit", "/bye": return false
            case "/help": Terminal.note(Self.help)
            case "/system": setSystem(argument)
            case "/reset": reset()
            case "/image": try attach(argument)
            case "/save": try await save(argument)
            case "/load": try await load(argument)
            case "/stats": showStats()
            default: Terminal.note("\(word) is not a command; /help lists them")
            }
        } catch {
            Terminal.note("error: \(error.localizedDescription)")
        }
        return true
    }

    /// Answers a message, and goes on as long as the model asks for tools and gets their results.
    private func answer(_ text: String) async throws {
        let conversation = state.withLock { $0.conversation }
        let pictures = state.withLock { state in
            defer { state.pictures = [] }
            return state.pictures
        }
        var calls: [LeapFunctionCall]
        do {
            calls = try await generate(pictures.map(\.content) + [.text(text)], in: conversation)
        } catch let error where !pictures.isEmpty && !(error is CancellationError) {
            // The message is not in the history, so it can be sent again.
            state.withLock { $0.pictures = pictures }
            throw CommandError("\(error.localizedDescription) (the pictures stay attached; /image clear removes them)")
        }
        while !calls.isEmpty {
            for call in calls {
                Terminal.note("call \(call.name)(\(call.argumentsJSON))" + (call.issue.map { "  [\($0)]" } ?? ""))
                guard let result = await lines.next(prompt: "result of \(call.name)> ") else { return }
                conversation.appendToHistory(message: ChatMessage(role: .tool, textContent: result))
            }
            // An empty user turn after tool results means: continue.
            calls = try await generate([.text("")], in: conversation)
        }
    }

    private func generate(
        _ content: [ChatMessageContent], in conversation: any Conversation
    ) async throws -> [LeapFunctionCall] {
        let message = ChatMessage(role: .user, content: content)
        let task = Task { () throws -> [LeapFunctionCall] in
            var calls: [LeapFunctionCall] = []
            for try await response in conversation.generateResponse(message: message, generationOptions: options) {
                switch response {
                case .chunk(let piece): Terminal.write(piece)
                case .reasoningChunk(let piece): Terminal.write(Terminal.dim(piece))
                case .complete(let completion):
                    state.withLock { $0.stats = completion.stats }
                    let reason = completion.finishReason
                    if reason != .stop { Terminal.note(" [\(reason.code)]") }
                case .functionCall(let more): calls += more
                case .audioSample: break
                }
            }
            Terminal.writeLine()
            return calls
        }
        state.withLock { $0.answer = task }
        defer { state.withLock { $0.answer = nil } }
        return try await task.value
    }

    private func attach(_ argument: String) throws {
        switch argument {
        case "":
            let pictures = state.withLock { $0.pictures }
            Terminal.note(pictures.isEmpty ? "(no picture is attached)" : pictures.map(\.line).joined(separator: "\n"))
        case "clear":
            state.withLock { $0.pictures = [] }
            Terminal.note("(no picture is attached)")
        default:
            if let problem = (runner as? LiquidInferenceEngineRunner)?.readableParts.pictureProblem {
                throw CommandError(problem)
            }
            let picture = try AttachedPicture(argument)
            let count = state.withLock { state in
                state.pictures.append(picture)
                return state.pictures.count
            }
            if let preview, let image = picture.image {
                Terminal.draw(PicturePreview.text(of: image, for: preview) + "\n")
            }
            Terminal.note(
                "(\(picture.line); \(count == 1 ? "1 picture goes" : "\(count) pictures go") with the next message)")
        }
    }

    private func setSystem(_ text: String) {
        guard !text.isEmpty else {
            Terminal.note(state.withLock { $0.system } ?? "(no system message)")
            return
        }
        state.withLock { $0.system = text }
        reset()
    }

    private func reset() {
        state.withLock {
            $0.conversation = runner.createConversation(systemPrompt: $0.system)
            $0.conversation.registerFunctions(functions)
            $0.stats = nil
        }
        Terminal.note("(new conversation)")
    }

    private func save(_ path: String) async throws {
        guard !path.isEmpty else { throw CommandError("/save needs a file name") }
        let conversation = state.withLock { $0.conversation }
        guard path.hasSuffix(".json") else {
            let tokens = try await conversation.save(to: URL(fileURLWithPath: path))
            Terminal.note(
                "(saved \(conversation.history.count) messages and the state of \(tokens) tokens to \(path))")
            return
        }
        let messages = JSONValue.array(conversation.history.map(\.json))
        do {
            try FileSystem.publish(JSONWriter.bytes(messages, style: .file), at: path, durable: true)
        } catch {
            throw CommandError("cannot write \(path): \(error.reason)")
        }
        Terminal.note("(saved \(conversation.history.count) messages to \(path))")
    }

    private func load(_ path: String) async throws {
        guard !path.isEmpty else { throw CommandError("/load needs a file name") }
        if ConversationFile.isOne(path) {
            let restored = try await runner.restoreConversation(from: URL(fileURLWithPath: path))
            if restored.conversation.functions.isEmpty { restored.conversation.registerFunctions(functions) }
            state.withLock {
                $0.conversation = restored.conversation
                $0.stats = nil
            }
            let state =
                restored.recomputationReason.map { ", whose state is computed anew: \($0)" }
                ?? " and the state of \(restored.stateTokens) tokens"
            Terminal.note("(took up \(restored.conversation.history.count) messages\(state))")
            return
        }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw CommandError("cannot read \(path): \(error.localizedDescription)")
        }
        guard let history = try? ChatMessage.messages(fromJSON: String(decoding: data, as: UTF8.self)) else {
            throw CommandError("\(path) is not a JSON array of chat messages as /save writes them")
        }
        state.withLock {
            $0.conversation = runner.createConversationFromHistory(history: history)
            $0.conversation.registerFunctions(functions)
            $0.stats = nil
        }
        Terminal.note("(took up \(history.count) messages)")
    }

    private func showStats() {
        if let stats = state.withLock({ $0.stats }) {
            Terminal.note(
                "last answer: \(stats.promptTokens) prompt tokens computed, \(stats.cachedPromptTokens) kept; "
                    + "\(stats.completionTokens) tokens generated, \(String(format: "%.1f", stats.tokenPerSecond)) tokens/s"
            )
        } else {
            Terminal.note("(no answer yet)")
        }
        Terminal.note(ModelFigures.line(runner.statistics))
    }
}
