/// Messages on channels; see ``ChannelFormat``.
extension ResponseParser {
    /// The mark between a message's header and its text.
    static let messageMark = Array(ChannelFormat.Mark.message.rawValue.utf8)

    /// The marks that end a message's text; the last two begin the next header.
    static let messageEnds = [
        ChannelFormat.Mark.end.rawValue, ChannelFormat.turnEnd, ChannelFormat.call,
        ChannelFormat.Mark.start.rawValue, ChannelFormat.Mark.channel.rawValue,
    ].map { Array($0.utf8) }

    /// Marks of ends that say nothing more.
    private static let plainEnds = messageEnds.prefix(3)

    /// A header, up to the text of its message.
    mutating func stepHeader() -> Bool {
        let first = pending.firstIndex { !ASCIIByte.isSpace($0) } ?? pending.count
        let rest = pending[first...]
        if let end = Self.plainEnds.first(where: { rest.starts(with: $0) }) {
            pending.removeFirst(first + end.count)
            return true
        }
        guard ChannelHeader.mayBegin(rest) else {
            if Self.plainEnds.contains(where: { $0.starts(with: rest) }) { return false }
            // A model that writes no headers; a mark that begins none is text.
            beginMessage()
            if let mark = Self.messageEnds.first(where: { rest.starts(with: $0) }) {
                let length = first + mark.count
                write(text: pending[..<length], isEnd: true)
                pending.removeFirst(length)
            }
            return true
        }
        let end = pending.firstIndex(of: Self.messageMark)
        if let cut = Self.plainEnds.compactMap({ pending.firstIndex(of: $0) }).min(), cut < end ?? .max {
            // A message that ends in its header.
            pending.removeFirst(cut)
            return true
        }
        guard let end else { return false }
        let header = ChannelHeader(String(decoding: pending[..<end], as: UTF8.self))
        let written = Array(pending[..<(end + Self.messageMark.count)])
        if header.isReasoning {
            pending.removeFirst(written.count)
            beginReasoning()
        } else if let function = header.function {
            if readsCallsInHeaders {
                pending.replaceSubrange(..<written.count, with: Array(function.utf8) + Self.messageMark)
                beginCall(after: written)
            } else {
                // Nothing reads calls: they stay in the text as they were written.
                beginMessage()
                write(text: written[...], isEnd: true)
                pending.removeFirst(written.count)
            }
        } else {
            pending.removeFirst(written.count)
            beginMessage()
        }
        return true
    }

    /// Begins the text of a message; a further one begins a paragraph.
    private mutating func beginMessage() {
        beginText(reasoning.isEmpty ? .start : .afterReasoning)
        if hasMessage { leading = Array("\n\n".utf8) }
        hasMessage = true
    }

    /// The reply is over inside of a header, or where one may begin.
    mutating func finishHeader() {
        let rest = pending.drop { ASCIIByte.isSpace($0) }
        guard !ChannelHeader.mayBegin(rest), !Self.plainEnds.contains(where: { $0.starts(with: rest) }) else { return }
        beginMessage()
        write(text: pending[...], isEnd: true)
    }
}
