extension TemplateValue {
    /// Reads a JSON text (RFC 8259, nothing more), with numbers as Python's `json` reads them: an integer literal is
    /// an integer whatever its size, one with a fraction or an exponent is a float.
    ///
    /// - Throws: ``TemplateError`` with code `json`, naming the byte offset.
    public init(json: String) throws(TemplateError) {
        try self.init(json: Array(json.utf8))
    }

    /// Reads a JSON text from its UTF-8 bytes.
    public init(json: [UInt8]) throws(TemplateError) {
        var reader = JSONReader(json)
        self = try reader.readDocument()
    }

    /// The JSON text of the value as Python's `json.dumps(value, ensure_ascii=False)` writes it.
    ///
    /// - Parameter indent: spaces per level; nil writes one line with `", "` and `": "`.
    public func json(indent: Int? = nil) throws(TemplateError) -> String {
        var writer = JSONWriter()
        if let indent {
            writer.indent = Text([UInt8](repeating: 0x20, count: max(0, indent)))
            writer.itemSeparator = ","
        }
        return try writer.text(of: self)
    }
}

extension JSONWriter {
    fileprivate func text(of value: TemplateValue) throws(TemplateError) -> String {
        var out = [UInt8]()
        var conversion = ValueConversion()
        try append(conversion.convert(value), to: &out, nil)
        return Text(out).string
    }
}

/// A strict JSON reader.
private struct JSONReader {
    private let bytes: [UInt8]
    private var i = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func readDocument() throws(TemplateError) -> TemplateValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw failure("a byte order mark is not JSON") }
        let value = try readValue(depth: 0)
        skipSpace()
        guard i == bytes.count else { throw failure("unexpected text after the value") }
        return value
    }

    private func failure(_ message: String) -> TemplateError {
        TemplateError(.json, "invalid JSON at byte \(i): \(message)")
    }

    private mutating func skipSpace() {
        while i < bytes.count, bytes[i] == 0x20 || bytes[i] == 0x0A || bytes[i] == 0x0D || bytes[i] == 0x09 { i += 1 }
    }

    private mutating func readValue(depth: Int) throws(TemplateError) -> TemplateValue {
        guard depth < TemplateLimits.maxValueDepth else {
            throw failure("nested more than \(TemplateLimits.maxValueDepth) levels deep")
        }
        skipSpace()
        guard i < bytes.count else { throw failure("expected a value, found the end") }
        switch bytes[i] {
        case 0x22: return .string(try readString())
        case 0x7B: return try readObject(depth: depth)
        case 0x5B: return try readArray(depth: depth)
        case 0x74: return try readWord("true", .bool(true))
        case 0x66: return try readWord("false", .bool(false))
        case 0x6E: return try readWord("null", .none)
        case 0x2D, 0x30...0x39: return try readNumber()
        default: throw failure("expected a value, found \(shown)")
        }
    }

    private var shown: String {
        guard i < bytes.count else { return "the end" }
        var offset = i
        return Repr.string(Text(codePoints: [bytes.codePoint(at: &offset)]))
    }

    private mutating func readWord(_ word: String, _ value: TemplateValue) throws(TemplateError) -> TemplateValue {
        guard bytes.matches(Array(word.utf8), at: i) else { throw failure("expected \(word)") }
        i += word.utf8.count
        return value
    }

    private mutating func readArray(depth: Int) throws(TemplateError) -> TemplateValue {
        i += 1
        var items = [TemplateValue]()
        skipSpace()
        if i < bytes.count, bytes[i] == 0x5D {
            i += 1
            return .array(items)
        }
        while true {
            items.append(try readValue(depth: depth + 1))
            skipSpace()
            guard i < bytes.count, bytes[i] == 0x2C || bytes[i] == 0x5D else {
                throw failure("expected ',' or ']', found \(shown)")
            }
            i += 1
            if bytes[i - 1] == 0x5D { return .array(items) }
        }
    }

    private mutating func readObject(depth: Int) throws(TemplateError) -> TemplateValue {
        i += 1
        var object = TemplateObject()
        skipSpace()
        if i < bytes.count, bytes[i] == 0x7D {
            i += 1
            return .object(object)
        }
        while true {
            skipSpace()
            guard i < bytes.count, bytes[i] == 0x22 else { throw failure("expected a key, found \(shown)") }
            let key = try readString()
            skipSpace()
            guard i < bytes.count, bytes[i] == 0x3A else { throw failure("expected ':', found \(shown)") }
            i += 1
            object[key] = try readValue(depth: depth + 1)
            skipSpace()
            guard i < bytes.count, bytes[i] == 0x2C || bytes[i] == 0x7D else {
                throw failure("expected ',' or '}', found \(shown)")
            }
            i += 1
            if bytes[i - 1] == 0x7D { return .object(object) }
        }
    }

    private mutating func readNumber() throws(TemplateError) -> TemplateValue {
        let start = i
        if bytes[i] == 0x2D { i += 1 }
        func isDigit() -> Bool { i < bytes.count && bytes[i] >= 0x30 && bytes[i] <= 0x39 }
        guard isDigit() else { throw failure("expected a digit, found \(shown)") }
        let leading = i
        while isDigit() { i += 1 }
        if bytes[leading] == 0x30, i > leading + 1 { throw failure("a number must not start with 0") }
        var isFloat = false
        if i < bytes.count, bytes[i] == 0x2E {
            isFloat = true
            i += 1
            guard isDigit() else { throw failure("expected a digit after the point, found \(shown)") }
            while isDigit() { i += 1 }
        }
        if i < bytes.count, bytes[i] | 0x20 == 0x65 {
            isFloat = true
            i += 1
            if i < bytes.count, bytes[i] == 0x2B || bytes[i] == 0x2D { i += 1 }
            guard isDigit() else { throw failure("expected a digit in the exponent, found \(shown)") }
            while isDigit() { i += 1 }
        }
        let text = String(decoding: bytes[start..<i], as: UTF8.self)
        if isFloat {
            guard let value = Double(text) else { throw failure("\(text) is no number") }
            return .float(value)
        }
        if let value = Int(text) { return .int(value) }
        guard i - leading <= TemplateLimits.maxIntegerDigits else {
            throw failure("an integer of more than \(TemplateLimits.maxIntegerDigits) digits")
        }
        return .largeInteger(text)
    }

    private mutating func readString() throws(TemplateError) -> String {
        i += 1
        let start = i
        while i < bytes.count, bytes[i] != 0x22, bytes[i] != 0x5C, bytes[i] >= 0x20 { i += 1 }
        if i < bytes.count, bytes[i] == 0x22 {
            i += 1
            return try text(bytes[start..<(i - 1)])
        }
        var out = Array(bytes[start..<i])
        while i < bytes.count {
            switch bytes[i] {
            case 0x22:
                i += 1
                return try text(out[...])
            case 0x5C:
                i += 1
                try readEscape(&out)
            case 0..<0x20: throw failure("a control character must be escaped")
            default:
                out.append(bytes[i])
                i += 1
            }
        }
        throw failure("a string without an end")
    }

    /// Checks the UTF-8.
    private func text(_ slice: ArraySlice<UInt8>) throws(TemplateError) -> String {
        let string = String(decoding: slice, as: UTF8.self)
        guard string.utf8.elementsEqual(slice) else { throw failure("a string is not valid UTF-8") }
        return string
    }

    private mutating func readEscape(_ out: inout [UInt8]) throws(TemplateError) {
        guard i < bytes.count else { throw failure("a string without an end") }
        let escape = bytes[i]
        i += 1
        switch escape {
        case 0x22, 0x5C, 0x2F: out.append(escape)
        case 0x62: out.append(8)
        case 0x66: out.append(12)
        case 0x6E: out.append(10)
        case 0x72: out.append(13)
        case 0x74: out.append(9)
        case 0x75:
            let unit = try readUnit()
            if unit & 0xFC00 == 0xD800, bytes.matches([0x5C, 0x75], at: i) {
                let before = i
                i += 2
                let low = try readUnit()
                if low & 0xFC00 == 0xDC00 {
                    out.append(codePoint: 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF)
                    return
                }
                i = before
            }
            // Swift strings cannot hold a lone surrogate.
            out.append(codePoint: unit & 0xF800 == 0xD800 ? 0xFFFD : unit)
        default: throw failure("'\\\(Text([escape]).string)' is no escape")
        }
    }

    private mutating func readUnit() throws(TemplateError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard i < bytes.count, let digit = StringLiteral.hexValue(bytes[i]) else {
                throw failure("\\u needs four hexadecimal digits")
            }
            value = value << 4 | digit
            i += 1
        }
        return value
    }
}
