/// Cuts a template into tokens, with `trim_blocks` and `lstrip_blocks` on and the final newline dropped, as
/// transformers sets Jinja up.
struct Lexer {
    let source: [UInt8]
    var position = 0
    var line = 1
    private(set) var tokens: [Token] = []
    /// The closing brackets that are due inside the current tag.
    private var brackets: [Token.Kind] = []

    /// The tokens of `source`.
    static func tokenize(_ source: String) throws(TemplateError) -> [Token] {
        var lexer = Lexer(source)
        try lexer.run()
        return lexer.tokens
    }

    private init(_ source: String) {
        var bytes = Self.normalizeNewlines(Array(source.utf8))
        if bytes.last == 0x0A { bytes.removeLast() }
        self.source = bytes
    }

    /// `\r\n` and `\r` become `\n`.
    static func normalizeNewlines(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x0D) else { return bytes }
        var out = [UInt8]()
        out.reserveCapacity(bytes.count)
        for (i, byte) in bytes.enumerated() {
            if byte == 0x0A, i > 0, bytes[i - 1] == 0x0D { continue }
            out.append(byte == 0x0D ? 0x0A : byte)
        }
        return out
    }

    private enum Opening {
        case variable, block, comment, raw
    }

    private mutating func run() throws(TemplateError) {
        while position < source.count {
            guard let at = nextOpening() else {
                emitData(source[position...])
                break
            }
            try open(at)
        }
        add(.eof, .empty)
    }

    /// The offset of the next `{{`, `{%` or `{#`.
    private func nextOpening() -> Int? {
        var i = position
        while i + 1 < source.count {
            if source[i] == 0x7B, source[i + 1] == 0x7B || source[i + 1] == 0x25 || source[i + 1] == 0x23 { return i }
            i += 1
        }
        return nil
    }

    private mutating func open(_ at: Int) throws(TemplateError) {
        var kind: Opening = source[at + 1] == 0x7B ? .variable : source[at + 1] == 0x25 ? .block : .comment
        var next = at + 2
        let sign = next < source.count ? source[next] : 0
        let hasSign = sign == 0x2D || sign == 0x2B
        if kind == .block, let end = rawBegin(at) {
            kind = .raw
            next = end
        } else if hasSign {
            next += 1
        }
        emitText(until: at, sign: hasSign ? sign : 0, stripsLine: kind != .variable)
        let opened = source[at..<next]
        switch kind {
        case .variable: add(.variableBegin, .empty)
        case .block: add(.blockBegin, .empty)
        case .comment, .raw: break
        }
        advance(over: opened)
        position = next
        switch kind {
        case .comment: try skipComment()
        case .raw: try readRaw()
        case .variable: try readTag(end: .variableEnd)
        case .block: try readTag(end: .blockEnd)
        }
    }

    /// Emits the text before a tag, without the white space that the tag takes away.
    private mutating func emitText(until at: Int, sign: UInt8, stripsLine: Bool) {
        var text = source[position..<at]
        let whole = text
        if sign == 0x2D {
            text = Self.trimmedRight(text)
        } else if sign != 0x2B, stripsLine {
            // Nothing but white space between the line's start and the tag goes.
            let lineStart = text.lastIndex(of: 0x0A).map { $0 + 1 } ?? text.startIndex
            let startsLine = lineStart > text.startIndex || position == 0 || source[position - 1] == 0x0A
            let tail = text[lineStart...]
            if startsLine, !tail.isEmpty, Self.isSpace(tail) { text = text[..<lineStart] }
        }
        emitData(text)
        for byte in whole[text.endIndex...] where byte == 0x0A { line += 1 }
    }

    private mutating func emitData(_ text: ArraySlice<UInt8>) {
        if !text.isEmpty { add(.data, Text(text)) }
        for byte in text where byte == 0x0A { line += 1 }
    }

    private mutating func add(_ kind: Token.Kind, _ text: Text) {
        tokens.append(Token(kind: kind, text: text, line: line))
    }

    private mutating func advance(over text: ArraySlice<UInt8>) {
        for byte in text where byte == 0x0A { line += 1 }
    }

    static func isSpace(_ text: ArraySlice<UInt8>) -> Bool {
        Text(text).codePoints.allSatisfy(CharacterClasses.isSpace)
    }

    static func trimmedRight(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let kept = Text(text).stripped(.right).bytes.count
        return text.prefix(kept)
    }

    /// The offset after white space that starts at `from`.
    func skipSpace(_ from: Int) -> Int {
        var i = from
        while i < source.count {
            var next = i
            guard CharacterClasses.isSpace(source.codePoint(at: &next)) else { break }
            i = next
        }
        return i
    }

    // MARK: Comments and raw text

    private mutating func skipComment() throws(TemplateError) {
        var i = position
        while i + 1 < source.count, !(source[i] == 0x23 && source[i + 1] == 0x7D) { i += 1 }
        guard i + 1 < source.count else { throw failure("Missing end of comment tag") }
        // A sign right before the end belongs to it, unless it already closed the opening ("{#-#}").
        let sign = i > position ? source[i - 1] : 0
        let end = afterTag(i + 2, sign: sign)
        advance(over: source[position..<end])
        position = end
    }

    /// Returns the position at which the template goes on after a tag that ends at `end`.
    private func afterTag(_ end: Int, sign: UInt8) -> Int {
        if sign == 0x2D { return skipSpace(end) }
        if sign != 0x2B, end < source.count, source[end] == 0x0A { return end + 1 }
        return end
    }

    /// The end of a `{% raw %}` tag that starts at `at`, if one does.
    private func rawBegin(_ at: Int) -> Int? {
        guard let name = keyword(Array("raw".utf8), at + 2) else { return nil }
        return closing(name, signs: [0x2D], trimsNewline: false)
    }

    /// The offset after an optional sign, white space, `word` and white space.
    private func keyword(_ word: [UInt8], _ from: Int) -> Int? {
        var i = from
        if i < source.count, source[i] == 0x2D || source[i] == 0x2B { i += 1 }
        i = skipSpace(i)
        guard source.matches(word, at: i) else { return nil }
        return skipSpace(i + word.count)
    }

    private func closing(_ at: Int, signs: [UInt8], trimsNewline: Bool) -> Int? {
        guard at < source.count else { return nil }
        var i = at
        var sign: UInt8 = 0
        if signs.contains(source[i]) {
            sign = source[i]
            i += 1
        }
        guard source.matches([0x25, 0x7D], at: i) else { return nil }
        if !trimsNewline, sign == 0 { return i + 2 }
        return afterTag(i + 2, sign: sign)
    }

    private mutating func readRaw() throws(TemplateError) {
        var i = position
        while i + 1 < source.count {
            if source[i] == 0x7B, source[i + 1] == 0x25, let name = keyword(Array("endraw".utf8), i + 2),
                let end = closing(name, signs: [0x2D, 0x2B], trimsNewline: true)
            {
                let sign = source[i + 2]
                emitText(until: i, sign: sign == 0x2D || sign == 0x2B ? sign : 0, stripsLine: true)
                advance(over: source[i..<end])
                position = end
                return
            }
            i += 1
        }
        throw failure("Missing end of raw directive")
    }

    func failure(_ message: String) -> TemplateError { TemplateError(.syntax, message, line: line) }

    // MARK: Inside tags

    private mutating func readTag(end kind: Token.Kind) throws(TemplateError) {
        brackets = []
        while true {
            if brackets.isEmpty, let end = tagEnd(kind) {
                add(kind, .empty)
                advance(over: source[position..<end])
                position = end
                return
            }
            guard position < source.count else { return }
            try readToken()
        }
    }

    /// The offset after the tag's end, if it is here.
    private func tagEnd(_ kind: Token.Kind) -> Int? {
        guard position < source.count else { return nil }
        var i = position
        var sign: UInt8 = 0
        if source[i] == 0x2D || source[i] == 0x2B && kind == .blockEnd {
            sign = source[i]
            i += 1
        }
        guard source.matches(kind == .blockEnd ? [0x25, 0x7D] : [0x7D, 0x7D], at: i) else { return nil }
        if kind == .variableEnd { return sign == 0x2D ? skipSpace(i + 2) : i + 2 }
        return afterTag(i + 2, sign: sign)
    }

    private mutating func readToken() throws(TemplateError) {
        let start = position
        let afterSpace = skipSpace(start)
        if afterSpace > start {
            advance(over: source[start..<afterSpace])
            position = afterSpace
            return
        }
        if let end = floatEnd(start) { return take(.float, end) }
        if let end = integerEnd(start) { return take(.integer, end) }
        if let end = nameEnd(start) {
            let name = Text(source[start..<end])
            guard name.isIdentifier else { throw failure("Invalid character in identifier") }
            add(.name, name)
            position = end
            return
        }
        if source[start] == 0x27 || source[start] == 0x22, let end = stringEnd(start) {
            let body = Array(source[(start + 1)..<(end - 1)])
            do {
                add(.string, try StringLiteral.unescape(body))
            } catch {
                throw error.at(line: line)
            }
            advance(over: source[start..<end])
            position = end
            return
        }
        for candidate in Operators.all where source.matches(candidate.text, at: start) {
            try balance(candidate.kind)
            add(candidate.kind, .empty)
            position = start + candidate.text.count
            return
        }
        var next = start
        let point = source.codePoint(at: &next)
        throw failure("unexpected char \(Repr.string(Text(codePoints: [point]))) at \(Text(source[..<start]).count)")
    }

    private mutating func take(_ kind: Token.Kind, _ end: Int) {
        add(kind, Text(source[position..<end].filter { $0 != 0x5F }))
        position = end
    }

    private mutating func balance(_ kind: Token.Kind) throws(TemplateError) {
        switch kind {
        case .lbrace: brackets.append(.rbrace)
        case .lparen: brackets.append(.rparen)
        case .lbracket: brackets.append(.rbracket)
        case .rbrace, .rparen, .rbracket:
            guard let due = brackets.popLast() else { throw failure("unexpected '\(kind.description)'") }
            guard due == kind else {
                throw failure("unexpected '\(kind.description)', expected '\(due.description)'")
            }
        default: break
        }
    }
}
