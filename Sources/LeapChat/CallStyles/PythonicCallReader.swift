import LeapJSON

/// Reads calls as Liquid's models write them: `[next_trams(stop="Harbour", count=3), now()]`.
///
/// The brackets may be missing, names may have hyphens and those of functions dots, arguments may have names or not
/// (then they go to the parameters of the registered function in order). Where JSON stands instead, as these models
/// write when a prompt asks for it, that is read.
struct PythonicCallReader {
    private var literals: LiteralReader
    private let functions: [LeapFunction]

    /// Reads all calls in a text.
    static func calls(in text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        var reader = PythonicCallReader(literals: LiteralReader(Array(text.utf8)), functions: functions)
        return try reader.calls()
    }

    private init(literals: LiteralReader, functions: [LeapFunction]) {
        self.literals = literals
        self.functions = functions
    }

    private mutating func calls() throws(FunctionCallSyntaxError) -> [LeapFunctionCall] {
        literals.skipSpace()
        if let json = try JSONCallReader.calls(at: &literals) { return json }
        let isBracketed = literals.take("[")
        var calls: [LeapFunctionCall] = []
        while true {
            literals.skipSpace()
            if isBracketed, literals.take("]") { break }
            if !isBracketed, literals.current == nil, !calls.isEmpty { break }
            calls.append(try call())
            literals.skipSpace()
            if literals.take(",") || (!isBracketed && literals.take(";")) { continue }
            if isBracketed {
                guard literals.take("]") else { throw literals.failure("expected ',' or ']'") }
                break
            }
            // Without brackets, calls may stand on lines of their own; what follows must be one.
        }
        literals.skipSpace()
        guard literals.current == nil else { throw literals.failure("text after the calls") }
        guard !calls.isEmpty else { throw literals.failure("no call") }
        return calls
    }

    private mutating func call() throws(FunctionCallSyntaxError) -> LeapFunctionCall {
        let name = try self.name(allowsDots: true)
        literals.skipSpace()
        guard literals.take("(") else { throw literals.failure("expected '(' after '\(name)'") }
        let parameters = functions.first { $0.name == name }?.parameters ?? []
        var arguments = JSONObject()
        var positional = 0
        var twice: String?
        while true {
            literals.skipSpace()
            if literals.take(")") { break }
            var key: String
            if let keyword = keyword() {
                key = keyword
            } else {
                key = positional < parameters.count ? parameters[positional].name : String(positional)
                positional += 1
            }
            if arguments[key] != nil { twice = twice ?? key }
            arguments[key] = try literals.value()
            literals.skipSpace()
            if literals.take(",") { continue }
            guard literals.take(")") else { throw literals.failure("expected ',' or ')'") }
            break
        }
        let issue = twice.map { "argument '\($0)' is given twice; the last value is used" }
        return LeapFunctionCall(name: name, arguments: arguments, issue: issue)
    }

    /// Reads `name =` if that comes next, and nothing otherwise.
    private mutating func keyword() -> String? {
        let mark = literals
        if let name = try? name(allowsDots: false) {
            literals.skipSpace()
            if literals.take("="), literals.current != UInt8(ascii: "=") { return name }
        }
        literals = mark
        return nil
    }

    private mutating func name(allowsDots: Bool) throws(FunctionCallSyntaxError) -> String {
        let start = literals.position
        while let byte = literals.current {
            let continues =
                ASCIIByte.isLetter(byte) || ASCIIByte.isDigit(byte)
                || byte == UInt8(ascii: "-") || (allowsDots && byte == UInt8(ascii: "."))
            guard continues else { break }
            literals.position += 1
        }
        let name = literals.bytes[start..<literals.position]
        guard let first = name.first, ASCIIByte.isLetter(first) else {
            throw literals.failure("expected a function name")
        }
        return String(decoding: name, as: UTF8.self)
    }
}
