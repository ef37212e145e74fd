import LeapBase

/// Reads ECMAScript regular expressions (`u` semantics, with the leniency of patterns found in schemas).
///
/// Refused: back-references, flags other than `i` and `s`, what other dialects add. Each error says where.
struct RegexParser {
    private let text: [UInt32]
    private var position = 0
    private var depth = 0
    /// `(?i)`: each character also stands for those that differ from it by case alone.
    private var ignoresCase = false
    /// `(?s)`: the full stop takes line ends too.
    private var dotTakesAll = false
    private static let maximumLength = 20_000
    private static let maximumRepeat = 1_000_000

    static func parse(_ pattern: String) throws(GrammarError) -> RegexNode {
        var parser = RegexParser(text: pattern.unicodeScalars.map(\.value))
        guard parser.text.count <= maximumLength else {
            throw GrammarError(.tooComplex, "the pattern has more than \(maximumLength) characters")
        }
        let node = try parser.alternatives()
        guard parser.position == parser.text.count else { throw parser.fail("unmatched ')'") }
        return node
    }

    private init(text: [UInt32]) { self.text = text }

    private func fail(_ reason: String) -> GrammarError {
        GrammarError(.invalidPattern, "the pattern cannot be read: \(reason) at character \(position)")
    }

    private func refuse(_ what: String) -> GrammarError {
        GrammarError(.unsupported, "the pattern uses \(what) at character \(position), which cannot be enforced")
    }

    private func at(_ character: Character) -> Bool {
        position < text.count && text[position] == character.unicodeScalars.first?.value
    }

    private func at(_ string: String) -> Bool {
        let scalars = string.unicodeScalars.map(\.value)
        return position + scalars.count <= text.count && Array(text[position..<position + scalars.count]) == scalars
    }

    private mutating func take(_ character: Character) -> Bool {
        guard at(character) else { return false }
        position += 1
        return true
    }

    private func folded(_ set: CodePointSet) -> CodePointSet { ignoresCase ? CaseFolding.closure(of: set) : set }

    private mutating func alternatives() throws(GrammarError) -> RegexNode {
        depth += 1
        defer { depth -= 1 }
        guard depth < 200 else { throw GrammarError(.tooComplex, "the pattern nests more than 200 groups") }
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func sequence() throws(GrammarError) -> RegexNode {
        var parts: [RegexNode] = []
        while position < text.count, !at("|"), !at(")") {
            let atom = try atom()
            parts.append(try quantified(atom))
        }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
    }

    private mutating func quantified(_ atom: RegexNode) throws(GrammarError) -> RegexNode {
        var node = atom
        var minimum = 0
        var maximum = -1
        if take("*") {
            minimum = 0
        } else if take("+") {
            minimum = 1
        } else if take("?") {
            maximum = 1
        } else if at("{"), let range = try counts() {
            (minimum, maximum) = range
        } else {
            return node
        }
        _ = take("?")
        if at("*") || at("+") { throw fail("nothing to repeat") }
        node = .repetition(node, minimum: minimum, maximum: maximum)
        return node
    }

    /// `{m}`, `{m,}`, `{m,n}`; nil where the brace is a plain character.
    private mutating func counts() throws(GrammarError) -> (Int, Int)? {
        let start = position
        position += 1
        guard let minimum = try count() else {
            position = start
            return nil
        }
        var maximum = minimum
        if take(",") { maximum = try count() ?? -1 }
        guard take("}") else {
            position = start
            return nil
        }
        if maximum >= 0, maximum < minimum { throw fail("a repetition whose maximum is below its minimum") }
        return (minimum, maximum)
    }

    private mutating func count() throws(GrammarError) -> Int? {
        let start = position
        var value = 0
        while position < text.count, text[position] >= 0x30, text[position] <= 0x39 {
            value = value * 10 + Int(text[position] - 0x30)
            if value > Self.maximumRepeat { throw refuse("a repetition of more than \(Self.maximumRepeat)") }
            position += 1
        }
        return position == start ? nil : value
    }

    private mutating func atom() throws(GrammarError) -> RegexNode {
        let character = text[position]
        switch Character(Unicode.Scalar(character) ?? " ") {
        case "^":
            position += 1
            return .startAnchor
        case "$":
            position += 1
            return .endAnchor
        case ".":
            position += 1
            return .set(dotTakesAll ? .all : CodePointSet.lineTerminators.complement)
        case "(": return try group()
        case "[": return .set(try characterClass())
        case "\\": return try escape()
        case "*", "+", "?": throw fail("nothing to repeat")
        case "{":
            let start = position
            if try counts() != nil {
                position = start
                throw fail("nothing to repeat")
            }
            position = start + 1
            return .set(CodePointSet(character))
        default:
            position += 1
            return .set(folded(CodePointSet(character)))
        }
    }

    private mutating func group() throws(GrammarError) -> RegexNode {
        let start = position
        position += 1
        let flags = (ignoresCase, dotTakesAll)
        var look: (isAhead: Bool, isNegated: Bool)?
        if take("?") {
            if take(":") {
            } else if take("=") {
                look = (true, false)
            } else if take("!") {
                look = (true, true)
            } else if at("<=") || at("<!") {
                look = (false, at("<!"))
                position += 2
            } else if at("<") || at("P<") {
                _ = take("P")
                position += 1
                while position < text.count, !at(">") { position += 1 }
                guard take(">") else { throw fail("a group name without end") }
            } else if try readFlags() {
                // Up to the end of the group around it.
                return .empty
            }
        }
        let node = try alternatives()
        (ignoresCase, dotTakesAll) = flags
        guard take(")") else { throw fail("a group without ')'") }
        return look.map { .look(node, isAhead: $0.isAhead, isNegated: $0.isNegated, at: start) } ?? node
    }

    /// `i`, `s`, `-i` and so on, with the colon or parenthesis after them.
    ///
    /// - Returns: Whether it was the parenthesis.
    private mutating func readFlags() throws(GrammarError) -> Bool {
        var isOn = true
        while position < text.count {
            if take(")") { return true }
            if take(":") { return false }
            switch Character(Unicode.Scalar(text[position]) ?? " ") {
            case "i": ignoresCase = isOn
            case "s": dotTakesAll = isOn
            case "u" where isOn: break
            case "-" where isOn: isOn = false
            default: throw refuse("a flag other than i and s, or an unknown group,")
            }
            position += 1
        }
        throw fail("a group without ')'")
    }

    private mutating func escape() throws(GrammarError) -> RegexNode {
        if position + 1 < text.count {
            switch text[position + 1] {
            case 0x62, 0x42:
                if ignoresCase { throw refuse("a word boundary that ignores case") }
                position += 2
                return .boundary(isNegated: text[position - 1] == 0x42)
            case 0x31...0x39: throw refuse("a back-reference")
            case 0x6B: if position + 2 < text.count, text[position + 2] == 0x3C { throw refuse("a back-reference") }
            case 0x41:
                // \A and \z, \Z are no ECMAScript but common; they mean the ends of the text.
                position += 2
                return .startAnchor
            case 0x5A, 0x7A:
                position += 2
                return .endAnchor
            default: break
            }
        }
        return .set(folded(try escapedSet(inClass: false)))
    }

    /// A class escape or a single character.
    private mutating func escapedSet(inClass: Bool) throws(GrammarError) -> CodePointSet {
        position += 1
        guard position < text.count else { throw fail("'\\' at the end") }
        let character = text[position]
        position += 1
        switch Character(Unicode.Scalar(character) ?? " ") {
        case "d": return .digits
        case "D": return CodePointSet.digits.complement
        case "w": return folded(.word)
        case "W": return folded(.word).complement
        case "s": return .space
        case "S": return CodePointSet.space.complement
        case "t": return CodePointSet(9)
        case "n": return CodePointSet(10)
        case "v": return CodePointSet(11)
        case "f": return CodePointSet(12)
        case "r": return CodePointSet(13)
        case "b" where inClass: return CodePointSet(8)
        case "0": return CodePointSet(0)
        case "c":
            if position < text.count, let letter = Unicode.Scalar(text[position]), letter.properties.isAlphabetic,
                letter.isASCII
            {
                position += 1
                return CodePointSet(letter.value & 31)
            }
            throw fail("\\c needs a letter")
        case "x": return CodePointSet(try hexadecimal(2))
        case "u":
            let value = try unicodeEscape()
            // No text in UTF-8 holds one; as an end of a class's range it says where the range ends.
            if !inClass, value >> 11 == 0x1B { throw refuse("an unpaired surrogate") }
            return CodePointSet(value)
        case "p", "P":
            let negated = character == 0x50
            let name = try propertyName()
            guard let set = UnicodeClasses.set(named: name) else {
                throw refuse("the unknown Unicode property \"\(name)\"")
            }
            return negated ? set.complement : set
        case "h", "R", "H", "N", "X", "K", "G", "C":
            position -= 1
            throw refuse("the escape \\\(Character(Unicode.Scalar(character) ?? " ")) of another dialect")
        default:
            if Unicode.Scalar(character)?.properties.isAlphabetic == true || character >= 0x30 && character <= 0x39 {
                position -= 1
                throw refuse("the unknown escape \\\(Character(Unicode.Scalar(character) ?? " "))")
            }
            return CodePointSet(character)
        }
    }

    private mutating func hexadecimal(_ count: Int) throws(GrammarError) -> UInt32 {
        guard position + count <= text.count else { throw fail("too few hexadecimal digits") }
        var value: UInt32 = 0
        for _ in 0..<count {
            guard text[position] < 0x80, let digit = HexDigit.value(UInt8(text[position])) else {
                throw fail("too few hexadecimal digits")
            }
            value = value << 4 | digit
            position += 1
        }
        return value
    }

    private mutating func unicodeEscape() throws(GrammarError) -> UInt32 {
        if take("{") {
            var value: UInt32 = 0
            var digits = 0
            while position < text.count, text[position] < 0x80, let digit = HexDigit.value(UInt8(text[position])) {
                value = value << 4 | digit
                digits += 1
                position += 1
                if value > 0x10FFFF { throw fail("a code point above 10FFFF") }
            }
            guard digits > 0, take("}") else { throw fail("\\u{ needs hexadecimal digits and '}'") }
            return value
        }
        let first = try hexadecimal(4)
        guard first >> 10 == 0x36, at("\\u") else { return first }
        let mark = position
        position += 2
        let second = try hexadecimal(4)
        if second >> 10 == 0x37 { return 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF }
        position = mark
        return first
    }

    private mutating func propertyName() throws(GrammarError) -> String {
        guard position < text.count else { throw fail("\\p needs a property") }
        guard take("{") else {
            position += 1
            return String(Character(Unicode.Scalar(text[position - 1]) ?? " "))
        }
        var name = ""
        while position < text.count, !at("}") {
            name.unicodeScalars.append(Unicode.Scalar(text[position]) ?? " ")
            position += 1
        }
        guard take("}") else { throw fail("\\p{ needs '}'") }
        return name
    }

    private mutating func characterClass() throws(GrammarError) -> CodePointSet {
        position += 1
        let negated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while true {
            guard position < text.count else { throw fail("a class without ']'") }
            if at("]") {
                position += 1
                break
            }
            let low = try classAtom()
            guard at("-"), position + 1 < text.count, text[position + 1] != 0x5D else {
                ranges += low.ranges
                continue
            }
            // A range needs single characters at both ends; otherwise the hyphen is a member.
            let mark = position
            position += 1
            let high = try classAtom()
            if let first = low.single, let last = high.single {
                guard first <= last else {
                    position = mark
                    throw fail("a class range out of order")
                }
                ranges.append(first...last)
            } else {
                ranges += low.ranges + high.ranges + [0x2D...0x2D]
            }
        }
        let set = folded(CodePointSet(ranges).intersection(.all))
        if set.isEmpty, !negated, !ranges.isEmpty { throw refuse("a class of unpaired surrogates only") }
        return negated ? set.complement : set
    }

    /// `[[:alpha:]]` and its like, which ECMAScript reads as letters and punctuation.
    private func refusePosixClass() throws(GrammarError) {
        let mark = text[position + 1]
        var end = position + 2
        while end < text.count, text[end] | 0x20 >= 0x61, text[end] | 0x20 <= 0x7A { end += 1 }
        if end + 1 < text.count, end > position + 2, text[end] == mark, text[end + 1] == 0x5D {
            throw refuse("a POSIX class (write \\p{…} or the characters)")
        }
    }

    private mutating func classAtom() throws(GrammarError) -> CodePointSet {
        guard position < text.count else { throw fail("a class without ']'") }
        if at("\\") { return try escapedSet(inClass: true) }
        if at("[:") || at("[=") || at("[.") { try refusePosixClass() }
        position += 1
        return CodePointSet(text[position - 1])
    }
}

extension CodePointSet {
    /// The only member of a set of one.
    fileprivate var single: UInt32? {
        ranges.count == 1 && ranges[0].lowerBound == ranges[0].upperBound ? ranges[0].lowerBound : nil
    }
}
