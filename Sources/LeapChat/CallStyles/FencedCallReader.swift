import LeapJSON

/// Reads calls of a kind, a name and an object between marks; see ``DeepSeekFunctionCallParser``.
///
/// The object may stand in a block of Markdown. The mark in front of the first call and the one behind each may be
/// missing.
struct FencedCallReader {
    private let bytes: [UInt8]
    private var position = 0

    private static let callStart = Array(DeepSeekFunctionCallParser.callStart.utf8)
    private static let callEnd = Array(DeepSeekFunctionCallParser.callEnd.utf8)
    private static let separator = Array(DeepSeekFunctionCallParser.separator.utf8)
    private static let fence = Array(DeepSeekFunctionCallParser.fence.utf8)

    /// Reads all calls in a text.
    static func calls(in text: String) throws(FunctionCallSyntaxError) -> [LeapFunctionCall] {
        var reader = FencedCallReader(bytes: Array(text.utf8))
        var calls: [LeapFunctionCall] = []
        reader.skipSpace()
        while calls.isEmpty || reader.position < reader.bytes.count {
            guard reader.take(callStart) || calls.isEmpty else {
                throw reader.failure("expected \(DeepSeekFunctionCallParser.callStart)", callStart)
            }
            calls.append(try reader.call())
        }
        return calls
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func call() throws(FunctionCallSyntaxError) -> LeapFunctionCall {
        guard let mark = bytes.firstIndex(of: Self.separator, from: position) else {
            position = bytes.count
            throw failure("expected \(DeepSeekFunctionCallParser.separator)")
        }
        let kind = word(position..<mark)
        position = mark + Self.separator.count
        skipSpace()
        // What stands in front of the mark is the name where an object follows.
        let name = position < bytes.count && bytes[position] == UInt8(ascii: "{") ? kind : line()
        guard !name.isEmpty else { throw failure("a call without a name") }
        skipSpace()
        let isFenced = take(Self.fence)
        if isFenced {
            // The name of the language.
            while position < bytes.count, ASCIIByte.isLetter(bytes[position]) { position += 1 }
            skipSpace()
        }
        let arguments = try arguments(isFenced: isFenced)
        skipSpace()
        _ = take(Self.callEnd)
        skipSpace()
        return LeapFunctionCall(name: name, arguments: arguments)
    }

    /// One object; none where the block is empty.
    private mutating func arguments(isFenced: Bool) throws(FunctionCallSyntaxError) -> JSONObject {
        if isFenced, take(Self.fence) { return [:] }
        var literals = LiteralReader(bytes, at: position)
        let value = try literals.value()
        position = literals.position
        guard let object = value.object else { throw failure("expected one object of arguments") }
        skipSpace()
        guard !isFenced || take(Self.fence) else { throw failure("expected the end of the block", Self.fence) }
        return object
    }

    /// The rest of the line up to a block or an object.
    private mutating func line() -> String {
        let start = position
        while position < bytes.count, ![0x0A, UInt8(ascii: "`"), UInt8(ascii: "{")].contains(bytes[position]) {
            position += 1
        }
        return word(start..<position)
    }

    private func word(_ range: Range<Int>) -> String {
        var text = bytes[range]
        while let last = text.last, ASCIIByte.isSpace(last) { text.removeLast() }
        return String(decoding: text.drop(while: ASCIIByte.isSpace), as: UTF8.self)
    }

    private mutating func skipSpace() {
        while position < bytes.count, ASCIIByte.isSpace(bytes[position]) { position += 1 }
    }

    private mutating func take(_ text: [UInt8]) -> Bool {
        guard bytes[position...].starts(with: text) else { return false }
        position += text.count
        return true
    }

    /// - Parameter expected: a text of which the beginning may stand at the end.
    private func failure(_ reason: String, _ expected: [UInt8] = []) -> FunctionCallSyntaxError {
        let rest = bytes[position...]
        return FunctionCallSyntaxError(
            reason: reason, offset: position, isIncomplete: rest.isEmpty || expected.starts(with: rest))
    }
}
