import LeapBase
import LeapSDK

/// Going back in the conversation.
extension ChatSession {
    func reset() {
        state.withLock {
            $0.conversation = $0.runner.createConversation(systemPrompt: $0.system)
            $0.forgetTurns()
        }
        Terminal.note("(new conversation)")
    }

    func setSystem(_ text: String) {
        guard !text.isEmpty else {
            Terminal.note(state.withLock { $0.system } ?? "(no system message)")
            return
        }
        state.withLock { $0.system = text }
        reset()
    }

    func undo() throws {
        guard let message = takeBack() else { throw CommandError("there is no message to take back") }
        Terminal.note("(taken back: \(Self.excerpt(message)))")
    }

    func retryLast() async throws -> Step {
        guard conversation.history.contains(where: { $0.role == .user }) else {
            throw CommandError("there is no message to answer again")
        }
        return try await retry()
    }

    /// The last message is taken back only when the one in its place is sent.
    func editLast() throws -> Step {
        guard let message = conversation.history.last(where: { $0.role == .user && !$0.text.isEmpty }) else {
            throw CommandError("there is no message to edit")
        }
        state.withLock { $0.isEditing = true }
        if !Terminal.inputIsTerminal {
            Terminal.note("(the next message replaces: \(Self.excerpt(message)))")
        }
        return .edit(message.text)
    }

    /// Takes back the message that is being edited; its pictures, sounds and videos go with the one in its place.
    func undoForEdit() {
        guard let message = takeBack() else { return }
        let pictures = message.content.filter { $0.picture != nil }.enumerated().map { index, content in
            AttachedImage(name: "picture \(index + 1)", content: content)
        }
        let sounds = message.content.filter(\.isSound).enumerated().map { index, content in
            AttachedAudio(name: "sound \(index + 1)", content: content)
        }
        let videos = message.content.filter(\.isVideo).enumerated().map { index, content in
            AttachedVideo(name: "video \(index + 1)", content: content)
        }
        state.withLock {
            ($0.pictures, $0.sounds, $0.videos) = (pictures + $0.pictures, sounds + $0.sounds, videos + $0.videos)
        }
    }

    /// Removes the last message of the person and all that follows it.
    private func takeBack() -> ChatMessage? {
        let conversation = conversation
        let history = conversation.history
        state.withLock { $0.isEditing = false }
        // An empty one means: go on after the results of tools.
        guard let place = history.lastIndex(where: { $0.role == .user && !$0.isEmpty }) else { return nil }
        while conversation.history.count > place {
            let count = conversation.history.count
            conversation.removeLastMessage()
            guard conversation.history.count < count else { break }
        }
        state.withLock { $0.revision += 1 }
        return history[place]
    }

    private static func excerpt(_ message: ChatMessage) -> String {
        let line =
            message.text.split(whereSeparator: \.isNewline).first.map(String.init)
            ?? (message.content.contains(where: \.isSound)
                ? "a sound" : message.content.contains(where: \.isVideo) ? "a video" : "a picture")
        return line.count > 60 ? line.prefix(59) + "…" : line
    }
}

extension ChatSession.State {
    /// Goes on with the same history in a new conversation: functions that were registered in one stay registered.
    mutating func renewConversation() {
        conversation = runner.createConversationFromHistory(history: conversation.history)
        forgetTurns()
    }

    /// Forgets the figures and marks of turns, after the conversation was replaced.
    mutating func forgetTurns() {
        conversation.registerFunctions(allFunctions)
        stats = nil
        isEditing = false
        leftOut = 0
        revision += 1
    }
}

extension ChatMessage {
    fileprivate var isEmpty: Bool { text.isEmpty && content.allSatisfy { $0.text != nil } }
}

extension ChatMessageContent {
    fileprivate var isSound: Bool { if case .audio = self { true } else { false } }
    fileprivate var isVideo: Bool { if case .video = self { true } else { false } }
}
