import LeapJSON

/// Reads calls whose arguments stand in tags of their own; see ``XMLFunctionCallParser`` and
/// ``AtemFunctionCallParser``.
///
/// A value ends with the first end tag that the next parameter or the end of the function follows, so values may hold
/// end tags. The tag that ends a function may be missing. Where JSON stands instead, that is read.
struct TaggedCallReader {
    /// The tags around functions and parameters.
    struct Tags: Sendable {
        /// The text in front of the name of a function, and the tag behind its parameters.
        let functionStart: [UInt8]
        let functionEnd: [UInt8]
        /// The text in front of the name of a parameter, and the tag behind its value.
        let parameterStart: [UInt8]
        let parameterEnd: [UInt8]
        /// The text behind a name.
        let nameEnd: [UInt8]
        /// True if one line end behind the start tag of a value and one before its end tag belong to the tags.
        let ownsLineEnds: Bool

        init(
            functionStart: String, functionEnd: String, parameterStart: String, parameterEnd: String, nameEnd: String,
            ownsLineEnds: Bool
        ) {
            self.functionStart = Array(functionStart.utf8)
            self.functionEnd = Array(functionEnd.utf8)
            self.parameterStart = Array(parameterStart.utf8)
            self.parameterEnd = Array(parameterEnd.utf8)
            self.nameEnd = Array(nameEnd.utf8)
            self.ownsLineEnds = ownsLineEnds
        }
    }

    private let bytes: [UInt8]
    private let tags: Tags
    private let functions: [LeapFunction]
    private let resolve: (String) -> String
    private var position = 0

    /// Reads all calls in a text.
    ///
    /// - Parameter resolve: gives the name of the function that a written name stands for.
    static func calls(
        in text: String, tags: Tags, functions: [LeapFunction], resolve: @escaping (String) -> String = { $0 }
    ) throws -> [LeapFunctionCall] {
        let bytes = Array(text.utf8)
        var literals = LiteralReader(bytes)
        literals.skipSpace()
        if let calls = try JSONCallReader.calls(at: &literals) { return calls }
        var reader = TaggedCallReader(bytes: bytes, tags: tags, functions: functions, resolve: resolve)
        return try reader.calls()
    }

    private init(
        bytes: [UInt8], tags: Tags, functions: [LeapFunction], resolve: @escaping (String) -> String
    ) {
        (self.bytes, self.tags, self.functions, self.resolve) = (bytes, tags, functions, resolve)
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
        guard take(tags.functionStart) else {
            throw failure("expected \(Self.text(tags.functionStart))", tags.functionStart)
        }
        let name = resolve(try self.name())
        let schema = functions.first { $0.name == name }.map { CallSchema.inlined($0.argumentSchema) }
        var arguments = JSONObject()
        var twice: String?
        skipSpace()
        while !take(tags.functionEnd) {
            if position == bytes.count, !arguments.isEmpty { break }
            guard take(tags.parameterStart) else {
                throw failure(
                    "expected \(Self.text(tags.parameterStart)) or \(Self.text(tags.functionEnd))", tags.parameterStart,
                    tags.functionEnd)
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
        while position < bytes.count, !begins(tags.nameEnd), bytes[position] != 0x0A { position += 1 }
        let name = String(decoding: bytes[start..<position], as: UTF8.self).trimmed
        guard position < bytes.count, !name.isEmpty, take(tags.nameEnd) else {
            throw failure("expected a name and '\(Self.text(tags.nameEnd))'")
        }
        return name
    }

    /// The text of a value.
    private mutating func text() throws(FunctionCallSyntaxError) -> String {
        let start = position
        var end = start
        while let found = bytes.firstIndex(of: tags.parameterEnd, from: end) {
            position = found + tags.parameterEnd.count
            skipSpace()
            let isEnd = position == bytes.count || begins(tags.parameterStart) || begins(tags.functionEnd)
            if isEnd {
                position = found + tags.parameterEnd.count
                let value = bytes[start..<found]
                return tags.ownsLineEnds ? Self.withoutLineEnds(value) : String(decoding: value, as: UTF8.self)
            }
            end = found + 1
        }
        position = bytes.count
        throw failure("expected \(Self.text(tags.parameterEnd))")
    }

    private static func text(_ tag: [UInt8]) -> String { String(decoding: tag, as: UTF8.self) }

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
