import LeapJSON

/// Reads the literals that models write as arguments: Python's, and JSON's where they differ.
///
/// Strings with either quote, one or three of them, prefixes and every escape of Python and JSON; integers in four
/// bases, floats; True/False/None and true/false/null; lists, tuples, sets and dictionaries. Adjacent strings are
/// joined, as Python does. A number beyond 64 bits becomes a floating-point one.
/// Source: "The Python Language Reference", 2.4 Literals and 6.2 Atoms.
struct LiteralReader {
    /// Lists and dictionaries may nest this deep.
    static let maximumDepth = 128

    let bytes: [UInt8]
    var position: Int

    init(_ bytes: [UInt8], at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    func failure(_ reason: String) -> FunctionCallSyntaxError {
        FunctionCallSyntaxError(reason: reason, offset: position, isIncomplete: position >= bytes.count)
    }

    /// Moves over spaces, line ends, line continuations and comments.
    mutating func skipSpace() {
        while let byte = current {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, 0x0C: position += 1
            case UInt8(ascii: "\\") where position + 1 < bytes.count && bytes[position + 1] == 0x0A: position += 2
            case UInt8(ascii: "#"):
                while let byte = current, byte != 0x0A { position += 1 }
            default: return
            }
        }
    }

    /// Moves over a byte if it comes next.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard let next = current, next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    /// Reads one value; space before it is skipped.
    mutating func value(depth: Int = 0) throws(FunctionCallSyntaxError) -> JSONValue {
        guard depth < Self.maximumDepth else {
            throw FunctionCallSyntaxError(reason: "nested deeper than \(Self.maximumDepth)", offset: position)
        }
        skipSpace()
        guard let byte = current else { throw failure("the text ends where a value is expected") }
        switch byte {
        case UInt8(ascii: "["): return .array(try sequence(until: "]", depth: depth).values)
        case UInt8(ascii: "("):
            let tuple = try sequence(until: ")", depth: depth)
            // Parentheses around one value are no tuple.
            return tuple.values.count == 1 && !tuple.hasComma ? tuple.values[0] : .array(tuple.values)
        case UInt8(ascii: "{"): return try braces(depth: depth)
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try strings())
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try number()
        default:
            if startsPrefixedString { return .string(try strings()) }
            return try word()
        }
    }

    private mutating func word() throws(FunctionCallSyntaxError) -> JSONValue {
        let start = position
        while let byte = current, ASCIIByte.isLetter(byte) || ASCIIByte.isDigit(byte) { position += 1 }
        switch String(decoding: bytes[start..<position], as: UTF8.self) {
        case "True", "true": return .bool(true)
        case "False", "false": return .bool(false)
        case "None", "null": return .null
        case let word:
            // A word may be cut off at the end of the text.
            let end = position
            position = end < bytes.count ? start : end
            throw failure(word.isEmpty ? "expected a value" : "'\(word)' is not a literal")
        }
    }

    private mutating func sequence(
        until end: Unicode.Scalar, depth: Int
    ) throws(FunctionCallSyntaxError) -> (values: [JSONValue], hasComma: Bool) {
        position += 1
        var values: [JSONValue] = []
        var hasComma = false
        while true {
            skipSpace()
            if take(end) { return (values, hasComma) }
            guard values.isEmpty || hasComma else { throw failure("expected ',' or '\(end)'") }
            values.append(try value(depth: depth + 1))
            skipSpace()
            if take(",") {
                hasComma = true
            } else if take(end) {
                return (values, hasComma)
            } else {
                throw failure("expected ',' or '\(end)'")
            }
        }
    }

    private mutating func braces(depth: Int) throws(FunctionCallSyntaxError) -> JSONValue {
        position += 1
        skipSpace()
        if take("}") { return .object([:]) }
        var object = JSONObject()
        var elements: [JSONValue] = []
        while true {
            let key = try value(depth: depth + 1)
            skipSpace()
            if take(":") {
                guard elements.isEmpty else { throw failure("a set with a key") }
                object[Self.name(of: key)] = try value(depth: depth + 1)
                skipSpace()
            } else {
                guard object.isEmpty else { throw failure("expected ':'") }
                elements.append(key)
            }
            let hasComma = take(",")
            skipSpace()
            if take("}") { return elements.isEmpty ? .object(object) : .array(elements) }
            guard hasComma else { throw failure("expected ',' or '}'") }
        }
    }

    /// A dictionary's key as a member name.
    private static func name(of key: JSONValue) -> String {
        key.string ?? JSONWriter.string(key)
    }
}
