import LeapCore

/// The rows of a conversation, of which each has a number of its own.
@MainActor
struct ConversationRows {
    private(set) var all: [ConversationRow] = []
    private var nextID = 0

    /// Makes the rows of messages that a conversation began with.
    init(_ history: [ChatMessage] = []) {
        for message in history { add(message) }
    }

    /// Adds a row.
    @discardableResult
    mutating func add(_ content: ConversationRow.Content, isUnderWay: Bool = false) -> ConversationRow {
        let row = ConversationRow(id: nextID, content, isUnderWay: isUnderWay)
        nextID += 1
        all.append(row)
        return row
    }

    /// Removes the rows behind the first so many.
    mutating func keep(_ count: Int) { all.removeSubrange(min(count, all.count)...) }

    private mutating func add(_ message: ChatMessage) {
        switch message.role {
        case .system: break
        case .user: if let question = ConversationRow.Content(question: message) { add(question) }
        case .assistant:
            if let reasoning = message.reasoningContent, !reasoning.isEmpty { add(.reasoning(MarkdownText(reasoning))) }
            if !message.text.isEmpty { add(.answer(MarkdownText(message.text))) }
            for call in message.functionCalls ?? [] { add(.call(ConversationCall(call))) }
        case .tool: answer(message)
        }
    }

    /// Gives a stored result to its call: that of its id, else the first one without a result.
    private func answer(_ message: ChatMessage) {
        let calls = all.compactMap { row -> ConversationCall? in
            guard case .call(let call) = row.content else { return nil }
            return call
        }
        let waiting = calls.filter { $0.state == .waiting }
        let call = message.toolCallId.flatMap { id in waiting.first { $0.call.id == id } } ?? waiting.first
        call?.state = .answered(message.text)
    }
}

extension ConversationRow.Content {
    /// The row of a message of the person; nil for the empty one that lets the model go on after results.
    init?(question message: ChatMessage) {
        let pictures = message.content.compactMap(\.picture)
        guard !message.text.isEmpty || !pictures.isEmpty else { return nil }
        self = .question(text: message.text, pictures: pictures)
    }
}
