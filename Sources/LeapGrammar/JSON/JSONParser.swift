/// A strict, bounded JSON reader (RFC 8259): depth ≤ 512, exact numbers, lone surrogates become U+FFFD.
package struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private static let maximumDepth = 512

    /// Parses a whole document.
    ///
    /// - Throws: ``GrammarError`` `.invalidJSON` with the byte offset.
    package static func parse(_ bytes: [UInt8]) throws(GrammarError) -> JSONValue {
        let result: Result<JSONValue, GrammarError> = bytes.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(bytes: buffer)
            do throws(GrammarError) { return .success(try parser.document()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    package static func parse(_ text: String) throws(GrammarError) -> JSONValue { try parse(Array(text.utf8)) }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func document() throws(GrammarError) -> JSONValue {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { position = 3 }
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw fail("text after the end of the document") }
        return value
    }

    private func fail(_ reason: String) -> GrammarError {
        GrammarError(.invalidJSON, at: "", "not JSON: \(reason) at byte \(position) of \(bytes.count)")
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func expect(_ literal: StaticString, _ value: JSONValue) throws(GrammarError) -> JSONValue {
        let length = literal.utf8CodeUnitCount
        guard position + length <= bytes.count else { throw fail("unknown word") }
        for index in 0..<length where bytes[position + index] != literal.utf8Start[index] { throw fail("unknown word") }
        position += length
        return value
    }

    private mutating func value(depth: Int) throws(GrammarError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw fail("nesting deeper than \(Self.maximumDepth)") }
        skipSpace()
        guard position < bytes.count else { throw fail("the text ends where a value was expected") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try expect("true", .bool(true))
        case UInt8(ascii: "f"): return try expect("false", .bool(false))
        case UInt8(ascii: "n"): return try expect("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw fail("unexpected character")
        }
    }

    private mutating func object(depth: Int) throws(GrammarError) -> JSONValue {
        position += 1
        var object = JSONObject()
        skipSpace()
        if position < bytes.count, bytes[position] == UInt8(ascii: "}") {
            position += 1
            return .object(object)
        }
        while true {
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw fail("expected a key") }
            let key = try string()
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { throw fail("expected ':'") }
            position += 1
            object.set(key, try value(depth: depth + 1))
            skipSpace()
            guard position < bytes.count else { throw fail("the text ends inside an object") }
            if bytes[position] == UInt8(ascii: ",") {
                position += 1
            } else if bytes[position] == UInt8(ascii: "}") {
                position += 1
                return .object(object)
            } else {
                throw fail("expected ',' or '}'")
            }
        }
    }

    private mutating func array(depth: Int) throws(GrammarError) -> JSONValue {
        position += 1
        var items: [JSONValue] = []
        skipSpace()
        if position < bytes.count, bytes[position] == UInt8(ascii: "]") {
            position += 1
            return .array(items)
        }
        while true {
            items.append(try value(depth: depth + 1))
            skipSpace()
            guard position < bytes.count else { throw fail("the text ends inside an array") }
            if bytes[position] == UInt8(ascii: ",") {
                position += 1
            } else if bytes[position] == UInt8(ascii: "]") {
                position += 1
                return .array(items)
            } else {
                throw fail("expected ',' or ']'")
            }
        }
    }

    private mutating func number() throws(GrammarError) -> JSONValue {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        guard position < bytes.count else { throw fail("a number without digits") }
        if bytes[position] == UInt8(ascii: "0") { position += 1 } else { try digits() }
        var isFloat = false
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isFloat = true
            position += 1
            try digits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isFloat = true
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            try digits()
        }
        guard let decimal = ExactDecimal(jsonText: bytes[start..<position]) else {
            throw fail("a number whose exponent is too large")
        }
        return .number(decimal, isFloatSpelled: isFloat)
    }

    private mutating func digits() throws(GrammarError) {
        let start = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        if position == start { throw fail("a number without digits") }
    }

    private mutating func string() throws(GrammarError) -> String {
        position += 1
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                let text = String(decoding: bytes[start..<position], as: UTF8.self)
                position += 1
                return text
            }
            if byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            position += 1
        }
        return try escapedString(from: start)
    }

    private mutating func escapedString(from start: Int) throws(GrammarError) -> String {
        var text = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                return String(decoding: text, as: UTF8.self)
            }
            if byte < 0x20 { throw fail("a control character inside a string") }
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard position < bytes.count else { break }
            let escape = bytes[position]
            position += 1
            switch escape {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escape)
            case UInt8(ascii: "b"): text.append(8)
            case UInt8(ascii: "f"): text.append(12)
            case UInt8(ascii: "n"): text.append(10)
            case UInt8(ascii: "r"): text.append(13)
            case UInt8(ascii: "t"): text.append(9)
            case UInt8(ascii: "u"): UTF8Coding.append(try unicodeEscape(), to: &text)
            default: throw fail("unknown escape")
            }
        }
        throw fail("the text ends inside a string")
    }

    private mutating func hexDigits() throws(GrammarError) -> UInt32 {
        guard position + 4 <= bytes.count else { throw fail("\\u needs four hexadecimal digits") }
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = UTF8Coding.hexValue(bytes[position]) else {
                throw fail("\\u needs four hexadecimal digits")
            }
            value = value << 4 | digit
            position += 1
        }
        return value
    }

    private mutating func unicodeEscape() throws(GrammarError) -> UInt32 {
        let first = try hexDigits()
        if first >> 10 == 0x36 {
            guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            else { return 0xFFFD }
            let mark = position
            position += 2
            let second = try hexDigits()
            if second >> 10 == 0x37 { return 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF }
            position = mark
            return 0xFFFD
        }
        return first >> 10 == 0x37 ? 0xFFFD : first
    }
}
