import LeapBase

extension ResponseParser {
    /// Text up to the next mark.
    mutating func stepText() -> Bool {
        let first = pending.firstIndex { !ASCIIByte.isSpace($0) } ?? pending.count
        let marks = textMarks(first)
        guard let found = firstMark(of: marks, first) else {
            writeText(before: marks, first)
            return false
        }
        write(text: pending[..<found.index], isEnd: true)
        return take(found.mark, at: found.index, found.bytes)
    }

    /// Returns the marks that may come next.
    ///
    /// - Parameter first: the index of the first pending byte that is visible.
    private func textMarks(_ first: Int) -> [(mark: Mark, bytes: [UInt8])] {
        var marks: [(mark: Mark, bytes: [UInt8])] = stops.map { (.stop, $0) }
        if hasChannels { marks += messageEnds.map { (.messageEnd, $0) } }
        if !readsCallsInHeaders || takesCall {
            marks += callStarts.map { (.callStart, $0) }
            if segment == .afterCall, !isVisible { marks += separators.map { (.separator, $0) } }
        }
        if !hasChannels {
            if !configuration.continuesText, isAllowed(.thinkStart, at: 0, first) {
                marks.append((.thinkStart, reasoningStart))
            }
            // Models that were told not to think may write the end of what they did not begin.
            if segment == .start, !configuration.inlineThinkingTags { marks.append((.thinkEnd, reasoningEnd)) }
        }
        return marks
    }

    /// Returns whether a mark counts at an index: some do only where nothing visible stands before them.
    private func isAllowed(_ mark: Mark, at index: Int, _ first: Int) -> Bool {
        switch mark {
        case .thinkStart, .thinkEnd: !isVisible && index <= first
        case .separator: index <= first
        case .callStart where configuration.readsTextAsAnswer || takesCall: !isVisible && index <= first
        default: true
        }
    }

    /// Returns the mark that begins first in what is pending; nil where none is whole.
    private func firstMark(
        of marks: [(mark: Mark, bytes: [UInt8])], _ first: Int
    ) -> (mark: Mark, index: Int, bytes: [UInt8])? {
        var found: (mark: Mark, index: Int, bytes: [UInt8])?
        for (mark, bytes) in marks {
            guard let index = pending.firstIndex(of: bytes), isAllowed(mark, at: index, first) else { continue }
            if index < found?.index ?? .max { found = (mark, index, bytes) }
        }
        if allowsBareCalls, !isBareCallRejected, !isVisible, first < found?.index ?? pending.count,
            pending[first] == UInt8(ascii: "{")
        {
            found = (.bareCall, first, [])
        }
        return found
    }

    /// Passes on what is pending, but for an end that may become a mark.
    private mutating func writeText(before marks: [(mark: Mark, bytes: [UInt8])], _ first: Int) {
        var held = 0
        for (mark, bytes) in marks {
            let length = pending.suffixLength(thatBegins: bytes)
            if isAllowed(mark, at: pending.count - length, first) { held = max(held, length) }
        }
        let end = pending.count - held
        let kept = write(text: pending[..<end], isEnd: held > 0)
        pending.removeFirst(end - kept)
    }

    /// Takes a mark, and what was before it, off what is pending and does what the mark says.
    ///
    /// - Returns: whether the parser goes on with what follows.
    private mutating func take(_ mark: Mark, at index: Int, _ bytes: [UInt8]) -> Bool {
        guard mark != .messageEnd else {
            // The mark may be the beginning of the next header.
            pending.removeFirst(index)
            endMessage()
            mode = .header
            return true
        }
        pending.removeFirst(index + bytes.count)
        switch mark {
        case .stop:
            isStopped = true
            let text = String(decoding: bytes, as: UTF8.self)
            if configuration.stopSequences.contains(text) { stopSequence = text }
            return false
        case .callStart, .bareCall: beginCall(after: bytes)
        case .separator: break
        case .thinkStart: beginReasoning()
        case .thinkEnd: beginText(.afterReasoning)
        case .messageEnd: break
        }
        return true
    }

    /// Passes text on, its leading space once something visible follows.
    ///
    /// - Parameter isEnd: whether a character cut off at the end will not be completed by what comes next.
    /// - Returns: how many bytes at the end were not taken, as their character is not complete.
    @discardableResult
    mutating func write(text bytes: ArraySlice<UInt8>, isEnd: Bool) -> Int {
        let kept = isEnd ? 0 : UTF8Bytes.incompleteTail(bytes)
        var bytes = bytes.dropLast(kept)
        guard !isVisible else {
            emit(text: bytes)
            return kept
        }
        let visible = bytes.firstIndex { !ASCIIByte.isSpace($0) }
        var space = bytes[..<(visible ?? bytes.endIndex)]
        if segment == .afterReasoning, leading.isEmpty, !configuration.inlineThinkingTags {
            space = space.drop { $0 == 0x0A || $0 == 0x0D }
        }
        leading.append(contentsOf: space)
        if let visible {
            bytes = bytes[visible...]
            emit(text: leading[...])
            emit(text: bytes)
            leading = []
            isVisible = true
        }
        return kept
    }

    mutating func emit(text bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else { return }
        let string = String(decoding: bytes, as: UTF8.self)
        text += string
        events.append(.text(string))
    }

    /// Begins a new stretch of text.
    mutating func beginText(_ segment: Segment) {
        mode = .text
        self.segment = segment
        isVisible = false
        isBareCallRejected = false
        leading = []
        // One message may hold several calls.
        takesCall = takesCall && segment == .afterCall
    }
}

extension Array where Element == UInt8 {
    /// Returns the index of the first occurrence of a byte string from `start` on; nil where there is none.
    func firstIndex(of bytes: [UInt8], from start: Int = 0) -> Int? {
        guard let first = bytes.first, count >= bytes.count else { return nil }
        var index = start
        while index <= count - bytes.count {
            if self[index] == first, self[index..<index + bytes.count].elementsEqual(bytes) { return index }
            index += 1
        }
        return nil
    }

    /// The length of the longest end of this that could still become `bytes`.
    func suffixLength(thatBegins bytes: [UInt8]) -> Int {
        var length = Swift.min(count, bytes.count - 1)
        while length > 0 {
            if self[(count - length)...].elementsEqual(bytes[..<length]) { return length }
            length -= 1
        }
        return 0
    }
}
