import LeapBase

extension ResponseParser {
    mutating func beginReasoning() {
        mode = .reasoning
        leading = []
        // A second stretch of reasoning begins on a line of its own.
        heldLineEnds = reasoning.isEmpty ? 0 : 1
        hasReasoning = false
        if configuration.inlineThinkingTags { emit(text: Self.thinkStart[...]) }
    }

    /// Reasoning up to its end mark, or up to a call that the model did not wait with.
    mutating func stepReasoning() -> Bool {
        var marks: [(mark: Mark, bytes: [UInt8])] =
            hasChannels ? messageEnds.map { (.messageEnd, $0) } : [(.thinkEnd, reasoningEnd)]
        if !hasChannels, configuration.functionCallParser?.startTokenEndsReasoning == true {
            for start in callStarts where callStarts.count == 1 || start.isControlMark {
                marks.append((.callStart, start))
            }
        }
        var found: (mark: Mark, index: Int, bytes: [UInt8])?
        for (mark, bytes) in marks {
            guard let index = pending.firstIndex(of: bytes) else { continue }
            if index < found?.index ?? .max { found = (mark, index, bytes) }
        }
        guard let found else {
            let held = marks.map { pending.suffixLength(thatBegins: $0.bytes) }.max() ?? 0
            let end = pending.count - held
            let kept = write(reasoning: pending[..<end], isEnd: held > 0)
            pending.removeFirst(end - kept)
            return false
        }
        write(reasoning: pending[..<found.index], isEnd: true)
        pending.removeFirst(found.index)
        heldLineEnds = 0
        if found.mark == .callStart {
            pending.removeFirst(found.bytes.count)
            beginCall(after: found.bytes)
            return true
        }
        if configuration.inlineThinkingTags { emit(text: Self.thinkEnd[...]) }
        if found.mark == .messageEnd {
            mode = .header
        } else {
            pending.removeFirst(found.bytes.count)
            beginText(.afterReasoning)
        }
        return true
    }

    /// Passes reasoning on without the line ends before its first and after its last other character.
    ///
    /// - Returns: how many bytes at the end were not taken, as their character is not complete.
    @discardableResult
    mutating func write(reasoning bytes: ArraySlice<UInt8>, isEnd: Bool) -> Int {
        let kept = isEnd ? 0 : UTF8Bytes.incompleteTail(bytes)
        var bytes = bytes.dropLast(kept)
        if configuration.inlineThinkingTags { emit(text: bytes) }
        if !hasReasoning { bytes = bytes.drop { $0 == 0x0A } }
        let body = bytes.lastIndex { $0 != 0x0A }.map { bytes[...$0] } ?? []
        guard !body.isEmpty else {
            if hasReasoning { heldLineEnds += bytes.count }
            return kept
        }
        let string = String(repeating: "\n", count: heldLineEnds) + String(decoding: body, as: UTF8.self)
        heldLineEnds = bytes.count - body.count
        hasReasoning = true
        reasoning += string
        if !configuration.inlineThinkingTags { events.append(.reasoning(string)) }
        return kept
    }
}

extension BidirectionalCollection where Element == UInt8 {
    /// True if it looks like a control token, which no model writes by accident.
    var isControlMark: Bool {
        ["|", "｜"].contains { bar in
            starts(with: ("<" + bar).utf8) && suffix(bar.utf8.count + 1).elementsEqual((bar + ">").utf8)
        }
    }
}
