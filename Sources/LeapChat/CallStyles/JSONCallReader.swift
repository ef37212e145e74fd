import LeapJSON

/// Reads calls that are objects: `{"name": "next_trams", "arguments": {"stop": "Harbour"}}`, or a list of them.
///
/// Python's spelling of the same (single quotes, True) is read too, as models mix them.
enum JSONCallReader {
    /// Reads all calls in a text.
    static func calls(in text: String) throws(FunctionCallSyntaxError) -> [LeapFunctionCall] {
        var literals = LiteralReader(Array(text.utf8))
        literals.skipSpace()
        guard let calls = try calls(at: &literals) else {
            throw literals.failure("expected an object with name and arguments")
        }
        return calls
    }

    /// Reads the calls to the end of the text, if an object or a list of objects comes next; otherwise nothing.
    static func calls(at literals: inout LiteralReader) throws(FunctionCallSyntaxError) -> [LeapFunctionCall]? {
        var lookahead = literals
        if lookahead.take("[") { lookahead.skipSpace() }
        guard lookahead.current == UInt8(ascii: "{") else { return nil }
        var calls: [LeapFunctionCall] = []
        // Several objects may follow each other without a list around them.
        while literals.current != nil {
            for value in elements(try literals.value()) { calls.append(try call(value)) }
            literals.skipSpace()
            if literals.take(",") { literals.skipSpace() }
        }
        guard !calls.isEmpty else { throw literals.failure("no call") }
        return calls
    }

    /// Reads a call's arguments: one object, and nothing else.
    static func arguments(in text: some StringProtocol) throws(FunctionCallSyntaxError) -> JSONObject {
        var literals = LiteralReader(Array(text.utf8))
        let value = try literals.value()
        literals.skipSpace()
        guard let arguments = value.object, literals.current == nil else {
            throw literals.failure("expected one object of arguments")
        }
        return arguments
    }

    private static func elements(_ value: JSONValue) -> [JSONValue] {
        value.array ?? [value]
    }

    private static func call(_ value: JSONValue) throws(FunctionCallSyntaxError) -> LeapFunctionCall {
        guard let object = value.object?["function"]?.object ?? value.object, let name = object["name"]?.string else {
            throw FunctionCallSyntaxError(reason: "an object without a name")
        }
        switch object["arguments"] ?? object["parameters"] ?? .null {
        case .null: return LeapFunctionCall(name: name, arguments: [:])
        case .object(let arguments): return LeapFunctionCall(name: name, arguments: arguments)
        case .string(let text):
            // Some models put the arguments into a string, as OpenAI's interface does.
            var literals = LiteralReader(Array(text.utf8))
            if let arguments = (try? literals.value())?.object {
                return LeapFunctionCall(name: name, arguments: arguments)
            }
            throw FunctionCallSyntaxError(reason: "the arguments of '\(name)' are a string that holds no object")
        case let other:
            throw FunctionCallSyntaxError(reason: "the arguments of '\(name)' are \(other.kind); expected an object")
        }
    }
}
