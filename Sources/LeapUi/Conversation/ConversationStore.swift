public import Foundation
import LeapCore
public import Observation

/// The state of a screen with a conversation: its rows, the message that is being written, and the reply.
///
/// ```swift
/// let store = ConversationStore(conversation: runner.createConversation())
/// store.draft = "What is the capital of France?"
/// store.send()
/// ```
/// `ConversationView` shows it in SwiftUI. A reply goes on when the view disappears, until it ends or ``stop()``.
@MainActor
@Observable
public final class ConversationStore {
    /// A function of the app that runs what a model calls, and returns what the model reads.
    ///
    /// It may ask the person first. An error is told to the model, which can go on without the result.
    public typealias CallRunner = @Sendable (_ call: LeapFunctionCall) async throws -> String

    /// A message that was sent, and what was there before it.
    private struct Turn {
        let message: ChatMessage
        /// The messages of the history, and the rows, before it.
        let historyCount: Int
        let rowCount: Int
    }

    /// A reply that the system ended in the background, and what it takes to go on with it.
    private struct Suspension {
        /// The options of the reply.
        let options: GenerationOptions
        /// The rows before it.
        let rowCount: Int
    }

    /// The request that a reply is generated to.
    private enum Request {
        case message(ChatMessage)
        case resumption(Suspension)
    }

    /// A reply as far as it has been taken.
    @MainActor
    private final class TakenReply {
        var calls: [ConversationCall] = []
        var isComplete = false
        var error: (any Error)?
    }

    /// The rows, the oldest first.
    public var rows: [ConversationRow] { shown.all }
    /// True if a reply is being generated, or functions run for it.
    public private(set) var isReplying = false
    /// The text of the next message.
    public var draft = ""
    /// The pictures of the next message, each the bytes of a file.
    public var pictures: [Data] = []
    /// The number of messages that the latest prompt was made without, as the context is full.
    public private(set) var leftOutCount = 0
    /// The options of replies; nil for those of the model.
    public var generationOptions: GenerationOptions?
    /// The way in which replies go on in the background; nil if they stand still while the app is suspended.
    @ObservationIgnored public var background: ConversationBackground?
    /// Shows the app's choice of models, for ``ConversationProblem/Remedy/chooseModel``; nil if there is none.
    @ObservationIgnored public var onChooseModel: (() -> Void)?
    /// The conversation that replies are added to.
    @ObservationIgnored public private(set) var conversation: any Conversation

    private var shown: ConversationRows
    private var turn: Turn?
    private var suspension: Suspension?
    @ObservationIgnored private let first: [ChatMessage]
    @ObservationIgnored private let runCall: CallRunner?
    @ObservationIgnored private let maxCallRounds: Int
    /// The task of the reply that is under way, or of the last one; its value is there when the reply has ended.
    @ObservationIgnored public private(set) var reply: Task<Void, Never>?
    /// The number of the latest reply; an earlier one changes nothing.
    @ObservationIgnored private var replyID = 0

    /// Creates the state of a conversation; its history becomes rows.
    ///
    /// - Parameters:
    ///   - conversation: the conversation; ``startOver()`` returns to its messages of the role `system`.
    ///   - generationOptions: the options of replies; nil for those of the model.
    ///   - maxCallRounds: the replies in a row that may call functions before the person is asked, at least 1.
    ///   - runCall: runs the functions that the model calls; nil if calls are only shown.
    public init(
        conversation: any Conversation, generationOptions: GenerationOptions? = nil, maxCallRounds: Int = 8,
        runCall: CallRunner? = nil
    ) {
        let history = conversation.history
        self.conversation = conversation
        self.generationOptions = generationOptions
        self.maxCallRounds = max(1, maxCallRounds)
        self.runCall = runCall
        first = Array(history.prefix { $0.role == .system })
        shown = ConversationRows(history)
        turn = Self.lastTurn(of: history)
    }

    /// True if ``send()`` would send something.
    public var canSend: Bool { !isReplying && (!Self.isBlank(draft) || !pictures.isEmpty) }
    /// True if there is a message that can be answered again.
    public var canRetry: Bool { !isReplying && turn != nil }

    /// True if the system ended the last reply in the background, and ``resume()`` would go on with it.
    public var isSuspended: Bool { !isReplying && suspension != nil }

    /// Goes on with the reply that the system ended in the background; does nothing if there is none.
    public func resume() {
        guard isSuspended, let suspension else { return }
        start { await self.answer(.resumption(suspension), in: $0) }
    }

    /// Sends ``draft`` and ``pictures``, and clears them; does nothing if there is nothing to send.
    public func send() {
        guard canSend else { return }
        let text = draft
        let pictures = pictures
        (draft, self.pictures) = ("", [])
        send(text, pictures: pictures)
    }

    /// Sends a message; does nothing while a reply is being generated, or if the message is empty.
    public func send(_ text: String, pictures: [Data] = []) {
        guard !isReplying, !Self.isBlank(text) || !pictures.isEmpty else { return }
        let content = pictures.map { ChatMessageContent.image($0) } + (Self.isBlank(text) ? [] : [.text(text)])
        let message = ChatMessage(role: .user, content: content)
        let turn = Turn(message: message, historyCount: conversation.history.count, rowCount: rows.count)
        begin(turn)
    }

    /// Stops the reply within one token; what is there of it stays, in the rows and in the history.
    public func stop() { reply?.cancel() }

    /// Ends the reasoning of the reply that is being generated, so that the answer begins.
    public func endThinking() { conversation.endThinking() }

    /// Answers the last message again, in place of its reply; does nothing while a reply is being generated.
    public func retry() {
        guard canRetry, let turn else { return }
        begin(turn)
    }

    /// Takes the last message and its reply back, and puts the message into ``draft`` and ``pictures``.
    public func editLast() {
        guard canRetry, let turn else { return }
        takeBack(turn)
        shown.keep(turn.rowCount)
        draft = turn.message.text
        pictures = turn.message.content.compactMap(\.picture)
        self.turn = nil
        suspension = nil
    }

    /// Begins a new conversation with the same instructions and functions.
    public func startOver() {
        use(conversation.modelRunner, history: first)
        shown.keep(0)
        turn = nil
    }

    /// Goes on with the same messages and functions in a conversation of another model.
    public func use(_ runner: any ModelRunner) {
        var history = conversation.history
        // A reply that is given up stays as far as it is there, as with `stop()`.
        if isReplying, history.last?.role == .user, case .answer(let text)? = rows.last?.content {
            history.append(ChatMessage(role: .assistant, textContent: text.source))
        }
        use(runner, history: history)
    }

    /// Returns the remedies of a problem that there are in this app.
    public func remedies(of problem: ConversationProblem) -> [ConversationProblem.Remedy] {
        problem.remedies.filter { $0 != .chooseModel || onChooseModel != nil }
    }

    /// Does what is to help against a problem.
    public func perform(_ remedy: ConversationProblem.Remedy) {
        switch remedy {
        case .retry: retry()
        case .edit: editLast()
        case .leaveOutOldTurns:
            let options = generationOptions ?? GenerationOptions()
            generationOptions = options.with(contextOverflowPolicy: .trimOldestTurns)
            retry()
        case .startOver: startOver()
        case .chooseModel: onChooseModel?()
        }
    }
}

// MARK: Replies

extension ConversationStore {
    private func begin(_ turn: Turn) {
        shown.keep(turn.rowCount)
        if let question = ConversationRow.Content(question: turn.message) { shown.add(question) }
        self.turn = turn
        start {
            self.takeBack(turn)
            await self.answer(.message(turn.message), in: $0)
        }
    }

    private func start(_ body: @escaping @MainActor (any Conversation) async -> Void) {
        suspension = nil
        isReplying = true
        replyID += 1
        let id = replyID
        reply = Task {
            // A reply that was stopped ends within a token; the history does not change before.
            let conversation = conversation
            await Self.whenIdle(conversation)
            if !Task.isCancelled {
                await body(conversation)
                await Self.whenIdle(conversation)
            }
            if id == replyID { end() }
        }
    }

    private func end() {
        endRow()
        isReplying = false
    }

    private static func whenIdle(_ conversation: any Conversation) async {
        await (conversation as? SourcedConversation)?.whenIdle()
    }

    /// Generates replies until one calls nothing.
    private func answer(_ request: Request, in conversation: any Conversation) async {
        var next = request
        for _ in 0..<maxCallRounds {
            do {
                let calls = try await generate(to: next, in: conversation)
                guard !calls.isEmpty, !Task.isCancelled, let runCall else { return }
                for call in calls { await perform(call, in: conversation, runCall) }
                guard !Task.isCancelled else { return }
            } catch {
                // What a stopped reply throws is no problem of the person's.
                if !Task.isCancelled { show(ConversationProblem(error)) }
                return
            }
            // An empty message means "continue" after results.
            next = .message(ChatMessage(role: .user, textContent: ""))
        }
        show(
            ConversationProblem(
                message: "the model called functions \(maxCallRounds) times in a row and gave no answer",
                remedies: [.retry, .edit]))
    }

    /// Generates one reply; returns its calls, and none of a reply that was suspended.
    private func generate(
        to request: Request, in conversation: any Conversation
    ) async throws -> [ConversationCall] {
        let options: GenerationOptions
        switch request {
        case .message:
            options = (generationOptions ?? GenerationOptions())
                .with(keepsInterruptedReply: true).with(whileGenerating: .fail)
        case .resumption(let suspension):
            options = suspension.options
            // The whole reply is delivered again.
            shown.keep(suspension.rowCount)
        }
        let suspension = Suspension(options: options, rowCount: rows.count)
        let taken = TakenReply()
        if let background {
            let reply = BackgroundReply(conversation, savingTo: background.url, task: background.makeTask())
            let ending =
                switch request {
                case .message(let message):
                    try await reply.generate(message: message, generationOptions: options) {
                        await self.take($0, into: taken)
                    }
                case .resumption:
                    try await reply.resume(generationOptions: options) { await self.take($0, into: taken) }
                }
            if case .suspended = ending, !Task.isCancelled {
                self.suspension = suspension
                return []
            }
        } else {
            let stream =
                switch request {
                case .message(let message):
                    conversation.generateResponse(message: message, generationOptions: options)
                case .resumption: conversation.resumeResponse(generationOptions: options)
                }
            for try await response in stream {
                guard !Task.isCancelled else { break }
                take(response, into: taken)
            }
        }
        if let error = taken.error { throw error }
        guard taken.isComplete || Task.isCancelled else {
            throw LeapGenerationException("the reply ended before it was complete")
        }
        return taken.calls
    }

    private func take(_ response: MessageResponseStream.Element, into reply: TakenReply) {
        guard !Task.isCancelled, reply.error == nil else { return }
        do {
            switch try MessagePiece(response) {
            case .reasoningChunk(let piece): write(piece, isReasoning: true)
            case .chunk(let piece): write(piece, isReasoning: false)
            case .functionCall(let more):
                endRow()
                for call in more.map({ ConversationCall($0) }) {
                    shown.add(.call(call))
                    reply.calls.append(call)
                }
            case .audioSample: break
            case .complete(let completion):
                reply.isComplete = true
                finish(completion)
            }
        } catch {
            reply.error = error
        }
    }

    private func finish(_ completion: MessageCompletion) {
        endRow()
        leftOutCount = completion.trimming?.removedMessages.count ?? 0
        switch completion.finishReason {
        case .stop, .interrupted, .constraint: break
        case .exceedContext:
            let tokens = { (count: Int) in "\(count) \(count == 1 ? "token" : "tokens")" }
            let (limit, remedies): (String, [ConversationProblem.Remedy]) =
                switch completion.limit {
                case .maxTokens(let count):
                    ("after \(tokens(count)), the most that a reply may have", [.retry, .edit])
                case .contextSize(let count):
                    ("as the context of \(tokens(count)) is full", [.leaveOutOldTurns, .startOver])
                case nil: ("as the context is full", [.leaveOutOldTurns, .startOver])
                }
            show(ConversationProblem(message: "the reply was cut off \(limit)", remedies: remedies))
        case .error: show(ConversationProblem(message: "the reply ended in an error", remedies: [.retry]))
        }
    }

    /// Runs a function, and adds its result to the history.
    private func perform(
        _ call: ConversationCall, in conversation: any Conversation, _ runCall: CallRunner
    ) async {
        let stopped = "Error: the user stopped this call."
        if Task.isCancelled {
            call.state = .failed(stopped)
        } else {
            call.state = .running
            do {
                call.state = .answered(try await runCall(call.call))
            } catch {
                call.state = .failed(Task.isCancelled ? stopped : "Error: \(error.sentence)")
            }
        }
        conversation.appendToHistory(
            message: ChatMessage(
                role: .tool, content: [.text(call.result ?? "")], toolCallId: call.call.id, name: call.call.name))
    }
}

// MARK: Rows and history

extension ConversationStore {
    private func write(_ piece: String, isReasoning: Bool) {
        if let row = rows.last, row.isUnderWay {
            switch row.content {
            case .reasoning(let text) where isReasoning: return text.append(piece)
            case .answer(let text) where !isReasoning: return text.append(piece)
            case .question, .reasoning, .answer, .call, .problem: break
            }
        }
        // Blank lines between reasoning and answer make no row.
        guard !Self.isBlank(piece) else { return }
        endRow()
        let text = MarkdownText()
        text.append(piece)
        shown.add(isReasoning ? .reasoning(text) : .answer(text), isUnderWay: true)
    }

    private func endRow() {
        guard let row = rows.last, row.isUnderWay else { return }
        row.isUnderWay = false
        switch row.content {
        case .reasoning(let text), .answer(let text): text.finish()
        case .question, .call, .problem: break
        }
    }

    private func show(_ problem: ConversationProblem) {
        endRow()
        shown.add(.problem(problem))
    }

    /// Removes a message, and all that follows it, from the history.
    private func takeBack(_ turn: Turn) {
        while conversation.history.count > turn.historyCount {
            let count = conversation.history.count
            conversation.removeLastMessage()
            // Conversations of an unloaded model do not change; the reply says so.
            guard conversation.history.count < count else { return }
        }
    }

    private func use(_ runner: any ModelRunner, history: [ChatMessage]) {
        reply?.cancel()
        replyID += 1
        end()
        let functions = conversation.functions
        conversation = runner.createConversationFromHistory(history: history)
        conversation.registerFunctions(functions)
        leftOutCount = 0
        suspension = nil
    }

    private static func lastTurn(of history: [ChatMessage]) -> Turn? {
        let isQuestion = { (message: ChatMessage) in
            message.role == .user && ConversationRow.Content(question: message) != nil
        }
        guard let index = history.lastIndex(where: isQuestion) else { return nil }
        let rows = ConversationRows(Array(history[..<index])).all.count
        return Turn(message: history[index], historyCount: index, rowCount: rows)
    }

    private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }
}
