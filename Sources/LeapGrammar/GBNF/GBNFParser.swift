import LeapBase

/// Reads GBNF, the grammar notation of llama.cpp.
///
/// Each error says line and column.
struct GBNFParser {
    private let text: [UInt32]
    private let lineStarts: [Int]
    private var position = 0
    private var depth = 0
    private static let maximumLength = 1 << 20
    private static let maximumDepth = 100
    private static let maximumRepeat = 1_000_000
    /// Repetitions of one element, one around the other.
    private static let maximumOperators = 10

    /// The rules of a grammar in the order of the text.
    static func parse(_ text: String) throws(GrammarError) -> [GBNFRule] {
        var parser = GBNFParser(text: text.unicodeScalars.map(\.value))
        guard parser.text.count <= maximumLength else {
            throw GrammarError(.tooComplex, at: "1:1", "the grammar has more than \(maximumLength) characters")
        }
        return try parser.rules()
    }

    private init(text: [UInt32]) {
        self.text = text
        // A byte-order mark is no part of the grammar.
        position = text.first == 0xFEFF ? 1 : 0
        lineStarts = [position] + text.indices.filter { text[$0] == 0x0A }.map { $0 + 1 }
    }

    // MARK: Places and errors

    private func place(of position: Int) -> GBNFPlace {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= position { low = middle } else { high = middle }
        }
        return GBNFPlace(line: low + 1, column: position - lineStarts[low] + 1)
    }

    private func fail(_ reason: String, at position: Int? = nil) -> GrammarError {
        GrammarError(.invalidGrammar, at: place(of: position ?? self.position).pointer, reason)
    }

    private var found: String {
        guard position < text.count, let scalar = Unicode.Scalar(text[position]) else { return "the end" }
        return scalar == "\n" ? "a line break" : "'\(Character(scalar))'"
    }

    // MARK: Characters

    private func at(_ scalar: Unicode.Scalar) -> Bool { position < text.count && text[position] == scalar.value }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard at(scalar) else { return false }
        position += 1
        return true
    }

    /// Skips blanks and comments, and line breaks where they mean nothing.
    private mutating func skipSpace(lineBreaks: Bool) {
        while position < text.count {
            switch text[position] {
            case 0x20, 0x09: position += 1
            case 0x0A, 0x0D:
                guard lineBreaks else { return }
                position += 1
            case 0x23: while position < text.count, text[position] != 0x0A, text[position] != 0x0D { position += 1 }
            default: return
            }
        }
    }

    private static func isNameCharacter(_ character: UInt32) -> Bool {
        character | 0x20 >= 0x61 && character | 0x20 <= 0x7A || character >= 0x30 && character <= 0x39
            || character == 0x2D || character == 0x5F
    }

    private mutating func name() throws(GrammarError) -> String {
        let start = position
        while position < text.count, Self.isNameCharacter(text[position]) { position += 1 }
        if position == start { throw fail("expected a rule name, found \(found)") }
        return String(String.UnicodeScalarView(text[start..<position].compactMap(Unicode.Scalar.init)))
    }

    // MARK: Rules

    private mutating func rules() throws(GrammarError) -> [GBNFRule] {
        var result: [GBNFRule] = []
        skipSpace(lineBreaks: true)
        while position < text.count {
            let start = position
            let name = try name()
            skipSpace(lineBreaks: false)
            guard take(":"), take(":"), take("=") else {
                throw fail("expected \"::=\" after the name \"\(name)\", found \(found)")
            }
            skipSpace(lineBreaks: true)
            let body = try alternatives(nested: false)
            guard position == text.count || at("\n") || at("\r") else {
                throw fail("expected the end of the rule \"\(name)\", found \(found)")
            }
            result.append(GBNFRule(name: name, place: place(of: start), body: body))
            skipSpace(lineBreaks: true)
        }
        return result
    }

    private mutating func alternatives(nested: Bool) throws(GrammarError) -> GBNFNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw GrammarError(
                .tooComplex, at: place(of: position).pointer,
                "more than \(Self.maximumDepth) nested parentheses; name the inner ones as rules")
        }
        var branches = [try sequence(nested: nested)]
        while take("|") {
            skipSpace(lineBreaks: true)
            branches.append(try sequence(nested: nested))
        }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence(nested: Bool) throws(GrammarError) -> GBNFNode {
        var parts: [GBNFNode] = []
        while let atom = try atom() {
            parts.append(try repeated(atom))
            skipSpace(lineBreaks: nested)
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .literal([]) : .sequence(parts)
    }

    /// Reads the element that begins here; nil where none does.
    private mutating func atom() throws(GrammarError) -> GBNFNode? {
        guard position < text.count else { return nil }
        let start = position
        switch text[position] {
        case 0x22: return try literal()
        case 0x5B: return .characters(try characterClass())
        case 0x2E:
            position += 1
            return .characters(.all)
        case 0x28:
            position += 1
            skipSpace(lineBreaks: true)
            let body = try alternatives(nested: true)
            guard take(")") else {
                if position >= text.count { throw fail("this '(' has no ')'", at: start) }
                throw fail("expected ')', found \(found)")
            }
            return body
        case 0x2A, 0x2B, 0x3F, 0x7B: throw fail("there is nothing to repeat before \(found)")
        case 0x3C, 0x21:
            throw GrammarError(
                .unsupported, at: place(of: start).pointer,
                "elements that name tokens are not supported; write their text")
        case let character where Self.isNameCharacter(character):
            return .reference(try name(), at: place(of: start))
        default: return nil
        }
    }

    private mutating func repeated(_ atom: GBNFNode) throws(GrammarError) -> GBNFNode {
        var node = atom
        var operators = 0
        while position < text.count {
            let start = position
            if take("*") {
                node = Self.repetition(node, 0, -1)
            } else if take("+") {
                node = Self.repetition(node, 1, -1)
            } else if take("?") {
                node = Self.repetition(node, 0, 1)
            } else if take("{") {
                let (minimum, maximum) = try counts(start)
                node = .repetition(node, minimum: minimum, maximum: maximum)
            } else {
                break
            }
            operators += 1
            if operators > Self.maximumOperators { throw fail("too many repetitions of one element", at: start) }
        }
        return node
    }

    /// A repetition, as one where what it repeats is one too.
    private static func repetition(_ node: GBNFNode, _ minimum: Int, _ maximum: Int) -> GBNFNode {
        if case .repetition(let body, let low, let high) = node, low <= 1, high < 0 || low == 0 && high == 1 {
            return .repetition(
                body, minimum: min(low, minimum), maximum: max(high, maximum) == 1 && high > 0 && maximum > 0 ? 1 : -1)
        }
        return .repetition(node, minimum: minimum, maximum: maximum)
    }

    /// `m}`, `m,}` and `m,n}`.
    private mutating func counts(_ start: Int) throws(GrammarError) -> (Int, Int) {
        let minimum = try count()
        skipSpace(lineBreaks: false)
        var maximum = minimum
        if take(",") {
            skipSpace(lineBreaks: false)
            maximum = at("}") ? -1 : try count()
            skipSpace(lineBreaks: false)
        }
        guard take("}") else { throw fail("expected '}', found \(found)") }
        if maximum >= 0, maximum < minimum {
            throw fail("a repetition of at least \(minimum) and at most \(maximum)", at: start)
        }
        return (minimum, maximum)
    }

    private mutating func count() throws(GrammarError) -> Int {
        skipSpace(lineBreaks: false)
        let start = position
        var value = 0
        while position < text.count, text[position] >= 0x30, text[position] <= 0x39 {
            value = value * 10 + Int(text[position] - 0x30)
            position += 1
            if value > Self.maximumRepeat {
                throw fail("a repetition of more than \(Self.maximumRepeat)", at: start)
            }
        }
        if position == start { throw fail("expected a number, found \(found)") }
        return value
    }

    // MARK: Texts

    private mutating func literal() throws(GrammarError) -> GBNFNode {
        let start = position
        position += 1
        var characters: [UInt32] = []
        while !at("\"") {
            guard position < text.count, text[position] != 0x0A else { throw fail("this '\"' has no end", at: start) }
            characters.append(try character())
        }
        position += 1
        return .literal(characters)
    }

    private mutating func characterClass() throws(GrammarError) -> CodePointSet {
        let start = position
        position += 1
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while !at("]") {
            guard position < text.count, text[position] != 0x0A else { throw fail("this '[' has no ']'", at: start) }
            let first = position
            let low = try character()
            guard at("-"), position + 1 < text.count, text[position + 1] != 0x5D else {
                ranges.append(low...low)
                continue
            }
            position += 1
            let high = try character()
            guard low <= high else { throw fail("a range whose end is before its beginning", at: first) }
            ranges.append(low...high)
        }
        position += 1
        let set = CodePointSet(ranges).intersection(.all)
        return isNegated ? set.complement : set
    }

    /// A character of a literal or class, as itself or as an escape.
    private mutating func character() throws(GrammarError) -> UInt32 {
        guard position < text.count else { throw fail("the text ends inside an element") }
        let start = position
        position += 1
        guard text[start] == 0x5C else { return text[start] }
        guard position < text.count else { throw fail("'\\' at the end", at: start) }
        let letter = text[position]
        position += 1
        switch Character(Unicode.Scalar(letter) ?? " ") {
        case "x": return try hexadecimal(2, start)
        case "u": return try hexadecimal(4, start)
        case "U": return try hexadecimal(8, start)
        case "n": return 0x0A
        case "r": return 0x0D
        case "t": return 0x09
        default:
            let isPunctuation =
                letter > 0x20 && letter < 0x7F && !(Self.isNameCharacter(letter) && letter != 0x2D && letter != 0x5F)
            guard isPunctuation else { throw fail("an unknown escape", at: start) }
            return letter
        }
    }

    private mutating func hexadecimal(_ count: Int, _ start: Int) throws(GrammarError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            guard position < text.count, text[position] < 0x80, let digit = HexDigit.value(UInt8(text[position]))
            else { throw fail("an escape of fewer than \(count) hexadecimal digits", at: start) }
            value = value << 4 | digit
            position += 1
        }
        guard Unicode.Scalar(value) != nil else { throw fail("an escape that is not a character", at: start) }
        return value
    }
}
