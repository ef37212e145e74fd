import LeapJSON

/// Reads objects whose keys have no quotes, and whose strings stand between marks; see ``Gemma4FunctionCallParser``.
///
/// Strings in quotes, quoted keys and values without either, which are text, are read too.
struct BareKeyReader {
    private static let quote = Array(Gemma4FunctionCallParser.quote.utf8)
    private var literals: LiteralReader

    init(_ text: String) {
        literals = LiteralReader(Array(text.utf8))
        literals.skipSpace()
    }

    var isAtEnd: Bool { literals.current == nil }

    /// Returns whether a key stands without marks around it.
    static func isBare(_ key: String) -> Bool { !key.isEmpty && !key.utf8.contains(where: isDelimiter) }

    /// Returns whether a byte ends a key or a value without quotes.
    static func isDelimiter(_ byte: UInt8) -> Bool { ":,{}[]<\"'".utf8.contains(byte) || ASCIIByte.isSpace(byte) }

    /// Reads a mark and the name that stands between it and an object.
    mutating func name(after mark: String) throws(FunctionCallSyntaxError) -> String {
        for scalar in mark.unicodeScalars where !literals.take(scalar) { throw literals.failure("expected \(mark)") }
        let start = literals.position
        while let byte = literals.current, !Self.isDelimiter(byte) { literals.position += 1 }
        let name = String(decoding: literals.bytes[start..<literals.position], as: UTF8.self)
        guard !name.isEmpty else { throw literals.failure("a call without a name") }
        literals.skipSpace()
        return name
    }

    /// Reads an object, and the space behind it.
    mutating func object() throws(FunctionCallSyntaxError) -> JSONObject {
        let object = try object(depth: 0)
        literals.skipSpace()
        return object
    }

    private mutating func object(depth: Int) throws(FunctionCallSyntaxError) -> JSONObject {
        guard literals.take("{") else { throw literals.failure("expected an object of arguments") }
        var object = JSONObject()
        literals.skipSpace()
        while !literals.take("}") {
            let key: String
            if let text = try quoted() { key = text } else { key = try bare(until: ":") }
            literals.skipSpace()
            guard literals.take(":") else { throw literals.failure("expected ':' after a key") }
            object[key] = try value(depth: depth + 1)
            try separator(before: "}")
        }
        return object
    }

    private mutating func value(depth: Int) throws(FunctionCallSyntaxError) -> JSONValue {
        guard depth < LiteralReader.maximumDepth else { throw literals.failure("nested too deep") }
        literals.skipSpace()
        if let text = try quoted() { return .string(text) }
        switch literals.current {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["):
            literals.position += 1
            var values: [JSONValue] = []
            literals.skipSpace()
            while !literals.take("]") {
                values.append(try value(depth: depth + 1))
                try separator(before: "]")
            }
            return .array(values)
        default:
            let text = try bare(until: ",")
            var word = LiteralReader(Array(text.utf8))
            guard let value = try? word.value(), word.current == nil else { return .string(text) }
            return value
        }
    }

    /// A comma, or the end of the list that it is in.
    private mutating func separator(before end: Unicode.Scalar) throws(FunctionCallSyntaxError) {
        literals.skipSpace()
        if literals.take(",") {
            literals.skipSpace()
        } else if literals.current.map(Unicode.Scalar.init) != end {
            throw literals.failure("expected ',' or '\(end)'")
        }
    }

    /// A string between marks or in quotes; nil where none comes next.
    private mutating func quoted() throws(FunctionCallSyntaxError) -> String? {
        if literals.bytes[literals.position...].starts(with: Self.quote) {
            let start = literals.position + Self.quote.count
            guard let end = literals.bytes.firstIndex(of: Self.quote, from: start) else {
                literals.position = literals.bytes.count
                throw literals.failure("a string does not end")
            }
            literals.position = end + Self.quote.count
            return String(decoding: literals.bytes[start..<end], as: UTF8.self)
        }
        guard let first = literals.current, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else {
            return nil
        }
        return try literals.value().string
    }

    /// Text without quotes, space around it left out.
    private mutating func bare(until end: Unicode.Scalar) throws(FunctionCallSyntaxError) -> String {
        let start = literals.position
        while let byte = literals.current, !Self.isDelimiter(byte) || ASCIIByte.isSpace(byte) {
            literals.position += 1
        }
        let text = String(decoding: literals.bytes[start..<literals.position], as: UTF8.self)
        let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !trimmed.isEmpty else { throw literals.failure("expected a key or a value before '\(end)'") }
        return trimmed
    }
}
