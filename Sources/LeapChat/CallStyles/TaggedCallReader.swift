import LeapJSON

/// Reads calls whose arguments stand in tags of their own; see ``XMLFunctionCallParser``.
///
/// A value ends with the first end tag that the next parameter or the end of the function follows, so values may hold
/// end tags. One line end behind the start tag and one before the end tag belong to the tags. The tag that ends a
/// function may be missing. Where JSON stands instead, that is read.
struct TaggedCallReader {
    private let bytes: [UInt8]
    private let functions: [LeapFunction]
    private var position = 0

    private static let functionStart = Array("<function=".utf8)
    private static let functionEnd = Array(XMLFunctionCallParser.functionEnd.utf8)
    private static let parameterStart = Array("<parameter=".utf8)
    private static let parameterEnd = Array(XMLFunctionCallParser.parameterEnd.utf8)

    /// Reads all calls in a text.
    static func calls(in text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        let bytes = Array(text.utf8)
        var literals = LiteralReader(bytes)
        literals.skipSpace()
        if let calls = try JSONCallReader.calls(at: &literals) { return calls }
        var reader = TaggedCallReader(bytes: bytes, functions: functions)
        return try reader.calls()
    }

    private init(bytes: [UInt8], functions: [LeapFunction]) {
        self.bytes = bytes
        self.functions = functions
    }

    private mutating func calls() throws(FunctionCallSyntaxError) -> [LeapFunctionCall] {
        var calls: [LeapFunctionCall] = []
        skipSpace()
        while calls.isEmpty || position < bytes.count {
            calls.append(try call())
            skipSpace()
        }
        return calls
    }

    private mutating func call() throws(FunctionCallSyntaxError) -> LeapFunctionCall {
        guard take(Self.functionStart) else { throw failure("expected <function=", Self.functionStart) }
        let name = try self.name()
        let schema = functions.first { $0.name == name }.map { CallSchema.inlined($0.argumentSchema) }
        var arguments = JSONObject()
        var twice: String?
        skipSpace()
        while !take(Self.functionEnd) {
            if position == bytes.count, !arguments.isEmpty { break }
            guard take(Self.parameterStart) else {
                throw failure("expected <parameter= or </function>", Self.parameterStart, Self.functionEnd)
            }
            let key = try self.name()
            if arguments[key] != nil { twice = twice ?? key }
            arguments[key] = Self.value(try text(), key, of: schema)
            skipSpace()
        }
        let issue = twice.map { "argument '\($0)' is given twice; the last value is used" }
        return LeapFunctionCall(name: name, arguments: arguments, issue: issue)
    }

    /// Reads the text up to the end of a tag.
    private mutating func name() throws(FunctionCallSyntaxError) -> String {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: ">"), bytes[position] != 0x0A { position += 1 }
        let name = String(decoding: bytes[start..<position], as: UTF8.self).trimmed
        guard position < bytes.count, bytes[position] == UInt8(ascii: ">"), !name.isEmpty else {
            throw failure("expected a name and '>'")
        }
        position += 1
        return name
    }

    /// The text of a value.
    private mutating func text() throws(FunctionCallSyntaxError) -> String {
        let start = position
        var end = start
        while let found = bytes.firstIndex(of: Self.parameterEnd, from: end) {
            position = found + Self.parameterEnd.count
            skipSpace()
            let isEnd = position == bytes.count || begins(Self.parameterStart) || begins(Self.functionEnd)
            if isEnd {
                position = found + Self.parameterEnd.count
                return Self.withoutLineEnds(bytes[start..<found])
            }
            end = found + 1
        }
        position = bytes.count
        throw failure("expected </parameter>")
    }

    private static func withoutLineEnds(_ text: ArraySlice<UInt8>) -> String {
        var text = text
        if text.starts(with: [0x0D, 0x0A]) { text = text.dropFirst() }
        if text.first == 0x0A { text = text.dropFirst() }
        if text.last == 0x0A { text = text.dropLast(text.suffix(2).elementsEqual([0x0D, 0x0A]) ? 2 : 1) }
        return String(decoding: text, as: UTF8.self)
    }

    // MARK: Values

    /// Returns a text as a value, by the schema of its parameter: strings are written without quotes, all else as JSON.
    private static func value(_ text: String, _ key: String, of schema: JSONValue?) -> JSONValue {
        let parameter = schema?.object?["properties"]?.object?[key]
        let types = parameter.flatMap { CallSchema.types(of: $0, in: schema ?? $0) }
        let admitsStrings = types?.contains(.string) ?? true
        if types == [.string] { return .string(text) }
        guard let value = literal(text, isStrict: admitsStrings) else { return .string(text) }
        if admitsStrings, value.string != nil { return .string(text) }
        let isAdmitted = types.map { $0.contains(CallSchema.valueType(of: value)) } ?? true
        return isAdmitted || !admitsStrings ? value : .string(text)
    }

    /// A text as one literal.
    ///
    /// - Parameter isStrict: whether it may have been a string: then only JSON and Python's three words are no strings.
    private static func literal(_ text: String, isStrict: Bool) -> JSONValue? {
        var literals = LiteralReader(Array(text.utf8))
        guard let value = try? literals.value() else { return nil }
        literals.skipSpace()
        guard literals.current == nil else { return nil }
        let isWord = ["True", "False", "None"].contains(text.trimmed)
        return isStrict && !isWord ? (try? JSONParser.parse(text)) : value
    }

    // MARK: Bytes

    private mutating func skipSpace() {
        while position < bytes.count, ASCIIByte.isSpace(bytes[position]) { position += 1 }
    }

    private func begins(_ text: [UInt8]) -> Bool { bytes[position...].starts(with: text) }

    private mutating func take(_ text: [UInt8]) -> Bool {
        guard begins(text) else { return false }
        position += text.count
        return true
    }

    /// - Parameter expected: texts of which the beginning may stand at the end.
    private func failure(_ reason: String, _ expected: [UInt8]...) -> FunctionCallSyntaxError {
        let rest = bytes[position...]
        return FunctionCallSyntaxError(
            reason: reason, offset: position, isIncomplete: rest.isEmpty || expected.contains { $0.starts(with: rest) })
    }
}

extension String {
    /// Without space around it.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
