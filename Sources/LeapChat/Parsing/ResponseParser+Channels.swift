/// Messages on channels; see ``ChannelFormat``.
extension ResponseParser {
    /// The mark between a message's header and its text.
    static let messageMark = Array(ChannelFormat.Mark.message.rawValue.utf8)

    /// A header, up to the text of its message.
    mutating func stepHeader() -> Bool {
        let first = pending.firstIndex { !ASCIIByte.isSpace($0) } ?? pending.count
        let rest = pending[first...]
        if let end = plainEnds.first(where: { rest.starts(with: $0) }) {
            pending.removeFirst(first + end.count)
            return true
        }
        let end = pending.firstIndex(of: Self.messageMark)
        let ends = plainEnds.compactMap { mark in pending.firstIndex(of: mark).map { (start: $0, end: $0 + mark.count) }
        }
        let cut = ends.min { $0.start < $1.start }
        // What a piece has behind the header does not count for its length.
        let seen = min(end.map { $0 + Self.messageMark.count } ?? pending.count, cut?.end ?? pending.count)
        guard ChannelHeader.mayBegin(rest, length: seen - first, form: form) else {
            if plainEnds.contains(where: { $0.starts(with: rest) }) { return false }
            // A model that writes no headers; a mark that begins none is text.
            beginMessage(mayCall: true)
            if let mark = messageEnds.first(where: { rest.starts(with: $0) }) {
                let end = first + mark.count
                write(text: pending[..<end], isEnd: true)
                pending.removeFirst(end)
            }
            return true
        }
        if let cut, cut.start < end ?? .max {
            // A message that ends in its header.
            pending.removeFirst(cut.start)
            return true
        }
        guard let end else { return false }
        let header = ChannelHeader(String(decoding: pending[..<end], as: UTF8.self), form: form)
        let written = Array(pending[..<(end + Self.messageMark.count)])
        if header.isReasoning {
            pending.removeFirst(written.count)
            beginReasoning()
        } else if let function = header.function {
            if readsCallsInHeaders {
                beginCallMessage(to: String(function), written)
            } else {
                // Nothing reads calls: they stay in the text as they were written.
                beginMessage()
                write(text: written[...], isEnd: true)
                pending.removeFirst(written.count)
            }
        } else {
            pending.removeFirst(written.count)
            beginMessage(mayCall: header.recipient == nil)
        }
        return true
    }

    /// Begins a message that is a call.
    ///
    /// - Parameter header: its bytes, with which the pending ones begin.
    private mutating func beginCallMessage(to function: String, _ header: [UInt8]) {
        switch form {
        case .harmony:
            pending.replaceSubrange(..<header.count, with: Array(function.utf8) + Self.messageMark)
            beginCall(after: header)
        case .atem:
            // The call has marks of its own; where they do not come the message is text.
            pending.removeFirst(header.count)
            beginText(reasoning.isEmpty ? .start : .afterReasoning)
            if hasMessage { leading = Array("\n\n".utf8) }
            takesCall = true
            awaitedCall = function
        }
    }

    /// Begins the text of a message; a further one begins a paragraph.
    ///
    /// - Parameter mayCall: whether it may be a call instead, where calls have marks of their own.
    private mutating func beginMessage(mayCall: Bool = false) {
        beginText(reasoning.isEmpty ? .start : .afterReasoning)
        if hasMessage { leading = Array("\n\n".utf8) }
        hasMessage = true
        takesCall = mayCall && readsCallsInHeaders && form == .atem
    }

    /// Ends the text of a message.
    mutating func endMessage() {
        guard let function = awaitedCall else { return }
        awaitedCall = nil
        guard isVisible else { return }
        hasMessage = true
        report(.malformedFunctionCall, "a message to '\(function)' holds no call", text: "")
    }

    /// The reply is over inside of a header, or where one may begin.
    mutating func finishHeader() {
        let rest = pending.drop { ASCIIByte.isSpace($0) }
        guard !ChannelHeader.mayBegin(rest, form: form), !plainEnds.contains(where: { $0.starts(with: rest) }) else {
            return
        }
        beginMessage()
        write(text: pending[...], isEnd: true)
    }
}
