// Where names, numbers and strings end. Each follows one of the regular expressions of Jinja's lexer.
extension Lexer {
    private func isDigit(_ i: Int) -> Bool { i < source.count && source[i] >= 0x30 && source[i] <= 0x39 }

    /// Returns the end of a run of digits with single underscores between them; nil where none starts.
    private func digitsEnd(_ start: Int) -> Int? {
        guard isDigit(start) else { return nil }
        var i = start
        while true {
            while isDigit(i) { i += 1 }
            guard i < source.count, source[i] == 0x5F, isDigit(i + 1) else { return i }
            i += 1
        }
    }

    /// A float: digits with a fraction, an exponent or both, not right after a dot.
    func floatEnd(_ start: Int) -> Int? {
        if start > 0, source[start - 1] == 0x2E { return nil }
        guard let whole = digitsEnd(start) else { return nil }
        var end = whole
        var isFloat = false
        if end < source.count, source[end] == 0x2E, let fraction = digitsEnd(end + 1) {
            end = fraction
            isFloat = true
        }
        if end < source.count, source[end] | 0x20 == 0x65 {
            var i = end + 1
            if i < source.count, source[i] == 0x2B || source[i] == 0x2D { i += 1 }
            if let exponent = digitsEnd(i) {
                end = exponent
                isFloat = true
            }
        }
        return isFloat ? end : nil
    }

    /// An integer: binary, octal, hexadecimal or decimal, with single underscores.
    func integerEnd(_ start: Int) -> Int? {
        guard isDigit(start) else { return nil }
        func run(_ from: Int, _ accepts: (UInt8) -> Bool) -> Int {
            var i = from
            while i < source.count {
                let at = source[i] == 0x5F ? i + 1 : i
                guard at < source.count, accepts(source[at]) else { break }
                i = at + 1
            }
            return i
        }
        if source[start] == 0x30, start + 1 < source.count {
            let end: Int
            switch source[start + 1] | 0x20 {
            case 0x62: end = run(start + 2) { $0 == 0x30 || $0 == 0x31 }
            case 0x6F: end = run(start + 2) { $0 >= 0x30 && $0 <= 0x37 }
            case 0x78:
                end = run(start + 2) { $0 >= 0x30 && $0 <= 0x39 || ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x66 }
            default: end = start
            }
            if end > start + 2 { return end }
        }
        if source[start] == 0x30 { return run(start + 1) { $0 == 0x30 } }
        return run(start + 1) { $0 >= 0x30 && $0 <= 0x39 }
    }

    /// Letters, digits, underscores and what else Unicode lets follow in identifiers.
    func nameEnd(_ start: Int) -> Int? {
        var i = start
        while i < source.count {
            var next = i
            let c = source.codePoint(at: &next)
            guard CharacterClasses.isWord(c) || c >= 0x80 && CharacterClasses.isIdentifierPart(c) else { break }
            i = next
        }
        return i > start ? i : nil
    }

    /// The offset after the closing quote, or nil where there is none.
    func stringEnd(_ start: Int) -> Int? {
        let quote = source[start]
        var i = start + 1
        while i < source.count {
            if source[i] == 0x5C {
                i += 2
            } else if source[i] == quote {
                return i + 1
            } else {
                i += 1
            }
        }
        return nil
    }
}
