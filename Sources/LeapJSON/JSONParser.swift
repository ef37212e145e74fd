import LeapBase

/// Reads JSON (RFC 8259) in time linear in its length.
///
/// One rule for every text the package reads: arrays and objects nest at most ``maximumDepth`` deep, a byte-order mark
/// at the start is skipped, bytes that are not UTF-8 are refused, an escaped half of a surrogate pair becomes U+FFFD,
/// of two members of one name the last value counts, and a number's exponent is at most ``JSONNumber/maxExponent``
/// either way.
package struct JSONParser {
    /// Arrays and objects may nest this deep.
    package static let maximumDepth = 256

    /// The error of a text that is not JSON.
    package struct Failure: CodedError, Hashable {
        /// A description of the error.
        package let reason: String
        /// The place of the error, in bytes from the start.
        package let offset: Int
        /// The line, counted from 1.
        package let line: Int
        /// The character in the line, counted from 1.
        package let column: Int
        /// True if the text just ended too early.
        package let isIncomplete: Bool

        /// A description of the error and its place.
        package var message: String { "\(reason) at byte \(offset) (line \(line), column \(column))" }
    }

    private let bytes: [UInt8]
    private var position = 0
    /// The number of values that may follow.
    private var remainingValues: Int
    /// The code point in place of an escaped half of a surrogate pair.
    private let half: UInt32

    private init(bytes: [UInt8], half: Unicode.Scalar, maxValues: Int) {
        self.bytes = bytes
        self.half = half.value
        remainingValues = maxValues
    }

    /// Reads one JSON text.
    ///
    /// - Throws: ``JSONParser/Failure`` with the place where reading stopped.
    package static func parse(_ text: String) throws(Failure) -> JSONValue { try parse(Array(text.utf8)) }

    /// Reads one JSON text in UTF-8.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - half: What an escaped half of a surrogate pair becomes.
    ///   - maxValues: How many values the text may have, those inside of others included: a value of two bytes takes
    ///     dozens in memory.
    /// - Throws: ``JSONParser/Failure`` with the place where reading stopped.
    package static func parse(
        _ bytes: [UInt8], replacingHalvesBy half: Unicode.Scalar = "\u{FFFD}", maxValues: Int = .max
    ) throws(Failure) -> JSONValue {
        var parser = JSONParser(bytes: bytes, half: half, maxValues: maxValues)
        if let invalid = bytes.withUnsafeBufferPointer({ UTF8Bytes.firstInvalid($0) }) {
            throw parser.failure("bytes that are not UTF-8", at: invalid)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
        let value = try parser.value()
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.failure("text after the end of the value") }
        return value
    }

    private func failure(_ reason: String, at offset: Int? = nil) -> Failure {
        let offset = min(offset ?? position, bytes.count)
        let before = bytes[..<offset]
        let lineStart = (before.lastIndex(of: 0x0A) ?? -1) + 1
        return Failure(
            reason: reason, offset: offset, line: before.count { $0 == 0x0A } + 1,
            column: bytes[lineStart..<offset].count { $0 & 0xC0 != 0x80 } + 1, isIncomplete: offset >= bytes.count)
    }

    // MARK: Values

    /// An array or object whose end has not been read.
    private struct Container {
        let isObject: Bool
        var elements: [JSONValue] = []
        var members = JSONObject()
        /// The name that the next value belongs to.
        var name = ""

        mutating func add(_ value: JSONValue) {
            if isObject { members.set(name, value) } else { elements.append(value) }
        }

        var value: JSONValue { isObject ? .object(members) : .array(elements) }
        var end: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
    }

    /// Reads a value with a stack of its own, so that a text cannot use up the thread's.
    private mutating func value() throws(Failure) -> JSONValue {
        var containers: [Container] = []
        while true {
            skipSpace()
            guard var value = try scalarOrEmpty(depth: containers.count) else {
                var container = Container(isObject: bytes[position - 1] == UInt8(ascii: "{"))
                if container.isObject { container.name = try name() }
                containers.append(container)
                continue
            }
            while true {
                guard let last = containers.indices.last else { return value }
                containers[last].add(value)
                skipSpace()
                if take(UInt8(ascii: ",")) {
                    if containers[last].isObject { containers[last].name = try name() }
                    break
                }
                guard take(containers[last].end) else {
                    throw failure(containers[last].isObject ? "expected ',' or '}'" : "expected ',' or ']'")
                }
                value = containers.removeLast().value
            }
        }
    }

    /// Reads a value without values inside; nil where an array or object begins that has some, after its bracket.
    private mutating func scalarOrEmpty(depth: Int) throws(Failure) -> JSONValue? {
        guard position < bytes.count else { throw failure("the text ends where a value is expected") }
        guard remainingValues > 0 else { throw failure("too many values") }
        remainingValues -= 1
        switch bytes[position] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let isObject = bytes[position] == UInt8(ascii: "{")
            guard depth < Self.maximumDepth else { throw failure("nested deeper than \(Self.maximumDepth)") }
            position += 1
            let bracket = position
            skipSpace()
            if take(UInt8(ascii: isObject ? "}" : "]")) { return isObject ? .object([:]) : .array([]) }
            position = bracket
            return nil
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        default: throw failure("expected a value")
        }
    }

    /// Reads a member's name and the colon.
    private mutating func name() throws(Failure) -> String {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            throw failure("expected a member name in quotes")
        }
        let name = try string()
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw failure("expected ':'") }
        return name
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Failure) -> JSONValue {
        guard word.withUTF8Buffer({ bytes[position...].starts(with: $0) }) else { throw failure("expected \(word)") }
        position += word.utf8CodeUnitCount
        return value
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    // MARK: Numbers

    private mutating func number() throws(Failure) -> JSONNumber {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            if position < bytes.count, bytes[position] &- 0x30 < 10 { throw failure("a number must not begin with 0") }
        } else {
            try digits()
        }
        if take(UInt8(ascii: ".")) { try digits() }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            let first = position
            try digits()
            var exponent = 0
            for byte in bytes[first..<position] {
                exponent = exponent * 10 + Int(byte - 0x30)
                guard exponent <= JSONNumber.maxExponent else {
                    throw failure("an exponent beyond \(JSONNumber.maxExponent)", at: first)
                }
            }
        }
        return JSONNumber(checked: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits() throws(Failure) {
        let start = position
        while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
        if position == start { throw failure("expected a digit") }
    }

    // MARK: Strings

    private mutating func string() throws(Failure) -> String {
        position += 1
        let start = position
        while position < bytes.count, !Self.needsDecoding(bytes[position]) { position += 1 }
        if take(UInt8(ascii: "\"")) { return String(decoding: bytes[start..<(position - 1)], as: UTF8.self) }
        var text = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            guard byte >= 0x20 else { throw failure("a control character in a string") }
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(into: &text)
            default: text.append(byte)
            }
        }
        throw failure("the string does not end")
    }

    private static func needsDecoding(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20
    }

    private mutating func escape(into text: inout [UInt8]) throws(Failure) {
        guard position < bytes.count else { throw failure("the string does not end") }
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): UTF8Bytes.append(try codePoint(), to: &text)
        default: throw failure("an unknown escape in a string", at: position - 1)
        }
    }

    /// Reads the digits of a `\u` escape, and those of the second one where it is half of a pair.
    private mutating func codePoint() throws(Failure) -> UInt32 {
        let first = try hexadecimal()
        guard (0xD800..<0xE000).contains(first) else { return first }
        guard first < 0xDC00, bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
            return half
        }
        let mark = position
        position += 2
        let second = try hexadecimal()
        guard (0xDC00..<0xE000).contains(second) else {
            position = mark
            return half
        }
        return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard position < bytes.count else { throw failure("the string does not end") }
            guard let digit = HexDigit.value(bytes[position]) else { throw failure("expected four hexadecimal digits") }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }
}
