/// Reads JSON (RFC 8259) with a bound on nesting, keeping the order of members.
package struct JSONParser {
    /// Arrays and objects may nest this deep.
    package static let maximumDepth = 256

    private let bytes: [UInt8]
    private var position = 0

    /// Reads one JSON text.
    ///
    /// - Throws: ``JSONParser/Failure`` with the byte where reading stopped.
    package static func parse(_ text: String) throws(Failure) -> JSONValue {
        try parse(Array(text.utf8))
    }

    /// Reads one JSON text in UTF-8; bytes that are not UTF-8 become U+FFFD.
    package static func parse(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
        var parser = JSONParser(bytes: bytes)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.failure("text after the end of the value") }
        return value
    }

    /// Why a text is not JSON.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        /// What is wrong.
        package let reason: String
        /// Where, in bytes from the start.
        package let offset: Int
        /// Whether the text just ended too early.
        package let isIncomplete: Bool

        package var description: String { "\(reason) at byte \(offset)" }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func failure(_ reason: String) -> Failure {
        Failure(reason: reason, offset: position, isIncomplete: position >= bytes.count)
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func value(depth: Int) throws(Failure) -> JSONValue {
        guard depth < Self.maximumDepth else {
            throw Failure(reason: "nested deeper than \(Self.maximumDepth)", offset: position, isIncomplete: false)
        }
        skipSpace()
        guard position < bytes.count else { throw failure("the text ends where a value is expected") }
        switch bytes[position] {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
        let matches = word.withUTF8Buffer { bytes[position...].starts(with: $0) }
        guard matches else { throw failure("expected \(word)") }
        position += word.utf8CodeUnitCount
        return value
    }

    private mutating func array(depth: Int) throws(Failure) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or ']'") }
        }
    }

    private mutating func object(depth: Int) throws(Failure) -> JSONValue {
        position += 1
        var object = JSONObject()
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(object) }
        while true {
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
                throw failure("expected a member name in quotes")
            }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw failure("expected ':'") }
            object[key] = try value(depth: depth + 1)
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(object) }
            guard take(UInt8(ascii: ",")) else { throw failure("expected ',' or '}'") }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func number() throws(Failure) -> JSONValue {
        let start = position
        var isInteger = true
        if position < bytes.count, bytes[position] == UInt8(ascii: "-") { position += 1 }
        let digits = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"):
                isInteger = false
            default:
                return try number(from: start, digits: digits, isInteger: isInteger)
            }
            position += 1
        }
        return try number(from: start, digits: digits, isInteger: isInteger)
    }

    private func number(from start: Int, digits: Int, isInteger: Bool) throws(Failure) -> JSONValue {
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        let hasLeadingZero =
            position - digits > 1 && bytes[digits] == UInt8(ascii: "0")
            && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[digits + 1])
        guard position > digits, !hasLeadingZero, bytes[position - 1] != UInt8(ascii: "."),
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[digits])
        else {
            throw Failure(reason: "expected a value", offset: start, isIncomplete: position >= bytes.count)
        }
        if isInteger, let value = Int64(text) { return .integer(value) }
        guard !text.contains(".e"), !text.contains(".E"), let value = Double(text), value.isFinite else {
            throw Failure(reason: "'\(text.prefix(40))' is not a number", offset: start, isIncomplete: false)
        }
        return .number(value)
    }

    private mutating func string() throws(Failure) -> String {
        position += 1
        var decoded: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: decoded, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &decoded)
            case 0..<0x20:
                position -= 1
                throw Failure(reason: "a control character in a string", offset: position, isIncomplete: false)
            default: decoded.append(byte)
            }
        }
        throw failure("the string does not end")
    }

    private mutating func escape(into decoded: inout [UInt8]) throws(Failure) {
        guard position < bytes.count else { throw failure("the string does not end") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            var unit = try hexadecimal()
            if (0xD800..<0xDC00).contains(unit), bytes[position...].starts(with: Array("\\u".utf8)) {
                let mark = position
                position += 2
                let low = try hexadecimal()
                if (0xDC00..<0xE000).contains(low) {
                    unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
                } else {
                    position = mark
                }
            }
            // A lone surrogate is no character.
            decoded.append(contentsOf: String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
        default:
            position -= 1
            throw failure("an unknown escape in a string")
        }
    }

    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        guard bytes.count - position >= 4 else {
            position = bytes.count
            throw failure("the string does not end")
        }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
                throw failure("expected four hexadecimal digits")
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }
}
