extension FilterCall {
    func wordwrap() throws(TemplateError) -> Value {
        let bound = try bind(["width", "break_long_words", "wrapstring", "break_on_hyphens"])
        let width = try integer(bound[0], default: 79)
        var joint: Text = "\n"
        if let given = bound[2], !given.isNone {
            guard let text = given.text else { throw .type("wrapstring must be a string, not \(given.typeName)") }
            joint = text
        }
        if case .undefined(let u) = value { throw u.error }
        guard let text = value.text else { throw .type("'\(value.typeName)' object has no attribute 'splitlines'") }
        let wrapper = TextWrapper(
            width: width, breaksLongWords: bound[1]?.isTrue ?? true, breaksOnHyphens: bound[3]?.isTrue ?? true)
        if width <= 0, !text.isEmpty { throw .value("invalid width \(width) (must be > 0)") }
        var out = [UInt8]()
        for (i, line) in try text.splitLines(renderer).enumerated() {
            if i > 0 {
                try renderer.checkSize(out.count + joint.bytes.count)
                out += joint.bytes
            }
            for (j, part) in try wrapper.wrap(line, renderer).enumerated() {
                if j > 0 {
                    try renderer.checkSize(out.count + joint.bytes.count)
                    out += joint.bytes
                }
                out += part.bytes
            }
            try renderer.checkSize(out.count)
        }
        try renderer.charge(bytes: out.count)
        return .string(Text(out))
    }
}

/// Python's `textwrap` with tabs and white space left alone, as Jinja's `wordwrap` uses it.
struct TextWrapper {
    let width: Int
    let breaksLongWords: Bool
    let breaksOnHyphens: Bool

    private static func isSpace(_ c: UInt32) -> Bool { (c >= 0x09 && c <= 0x0D) || c == 0x20 }
    private static func isLetter(_ c: UInt32) -> Bool {
        CharacterClasses.isWord(c) && !CharacterClasses.isDecimal(c) && c != 0x5F
    }
    private static func isWordPunctuation(_ c: UInt32) -> Bool {
        CharacterClasses.isWord(c) || [0x21, 0x22, 0x27, 0x26, 0x2E, 0x2C, 0x3F].contains(c)
    }

    /// A run of white space, a word or what is left of one; slices, so that cutting a long word copies nothing.
    private typealias Chunk = ArraySlice<UInt32>

    /// Accounts for the pieces and the lines, which take more memory than their text.
    func wrap(_ text: Text, _ renderer: Renderer) throws(TemplateError) -> [Text] {
        var chunks: [Chunk] = try split(text.codePoints, renderer).reversed()
        var lines = [Text]()
        while !chunks.isEmpty {
            try renderer.charge(parts: 1)
            try renderer.step()
            var line = [Chunk]()
            var length = 0
            if let first = chunks.last, Self.isBlank(first), !lines.isEmpty { chunks.removeLast() }
            while let chunk = chunks.last, length + chunk.count <= width {
                line.append(chunk)
                length += chunk.count
                chunks.removeLast()
            }
            if let chunk = chunks.last, chunk.count > width {
                breakWord(&chunks, &line, width - length)
            }
            if let last = line.last, Self.isBlank(last) { line.removeLast() }
            if !line.isEmpty { lines.append(Text(codePoints: line.joined())) }
        }
        return lines
    }

    private static func isBlank(_ chunk: Chunk) -> Bool { chunk.allSatisfy(CharacterClasses.isSpace) }

    private func breakWord(_ chunks: inout [Chunk], _ line: inout [Chunk], _ space: Int) {
        guard let chunk = chunks.last else { return }
        if breaksLongWords {
            var head = chunk.prefix(max(0, space))
            if breaksOnHyphens, chunk.count > space, let hyphen = head.lastIndex(of: 0x2D), hyphen > head.startIndex,
                head[..<hyphen].contains(where: { $0 != 0x2D })
            {
                head = head[...hyphen]
            }
            line.append(head)
            chunks[chunks.count - 1] = chunk[head.endIndex...]
        } else if line.isEmpty {
            line.append(chunk)
            chunks.removeLast()
        }
    }

    /// Runs of white space and words, the words cut after hyphens and around dashes where asked for.
    private func split(_ text: [UInt32], _ renderer: Renderer) throws(TemplateError) -> [Chunk] {
        var chunks = [Chunk]()
        var i = 0
        while i < text.count {
            let start = i
            if Self.isSpace(text[i]) {
                while i < text.count, Self.isSpace(text[i]) { i += 1 }
            } else if !breaksOnHyphens {
                while i < text.count, !Self.isSpace(text[i]) { i += 1 }
            } else if let end = dashEnd(text, i) {
                i = end
            } else {
                i += 1
                while i < text.count, !endsWord(text, start, i) { i += 1 }
                if i < text.count, text[i] == 0x2D, hyphenBreaks(text, start, i) { i += 1 }
            }
            try renderer.charge(parts: 1)
            chunks.append(text[start..<i])
        }
        return chunks
    }

    /// Two or more hyphens between words.
    private func dashEnd(_ text: [UInt32], _ i: Int) -> Int? {
        guard i > 0, Self.isWordPunctuation(text[i - 1]) else { return nil }
        var end = i
        while end < text.count, text[end] == 0x2D { end += 1 }
        guard end - i >= 2, end < text.count, CharacterClasses.isWord(text[end]) else { return nil }
        return end
    }

    /// Returns whether the word that started at `start` may end before `i`, or right after a hyphen there.
    private func endsWord(_ text: [UInt32], _ start: Int, _ i: Int) -> Bool {
        if Self.isSpace(text[i]) { return true }
        guard text[i] == 0x2D else { return false }
        return hyphenBreaks(text, start, i) || dashEnd(text, i) != nil
    }

    /// Returns whether the hyphen at `i` joins two words: two letters (or a letter, a hyphen and a letter) before it,
    /// and a letter, perhaps a hyphen, and a letter after it.
    private func hyphenBreaks(_ text: [UInt32], _ start: Int, _ i: Int) -> Bool {
        func letter(_ at: Int) -> Bool { at >= 0 && at < text.count && Self.isLetter(text[at]) }
        func hyphen(_ at: Int) -> Bool { at >= 0 && at < text.count && text[at] == 0x2D }
        let before = letter(i - 1) && (letter(i - 2) || hyphen(i - 2) && letter(i - 3))
        let after = letter(i + 1) && (letter(i + 2) || hyphen(i + 2) && letter(i + 3))
        return before && after && i > start
    }
}
