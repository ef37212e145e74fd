import LeapGrammar
import LeapJSON

/// The parser for Liquid's models: `<|tool_call_start|>[next_trams(stop="Harbour")]<|tool_call_end|>`.
public final class LFMFunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Makes a parser.
    public init() {
        super.init(toolCallStartToken: "<|tool_call_start|>", toolCallEndToken: "<|tool_call_end|>")
    }

    /// Reads calls in Python's syntax; JSON objects with name and arguments are read too.
    public override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        try PythonicCallReader.calls(in: text, functions: functions)
    }

    /// Writes calls in Python's syntax.
    public override func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        let calls = functionCalls.map { call in
            let arguments = call.argumentObject.members.map { "\($0.key)=\(PythonLiteral.string($0.value))" }
            return "\(call.name)(\(arguments.joined(separator: ", ")))"
        }
        return toolCallStartToken + "[" + calls.joined(separator: ", ") + "]" + toolCallEndToken
    }
}

extension LFMFunctionCallParser: CallStyle {
    package static let styleName = "lfm"

    package static func found(in text: String) -> LFMFunctionCallParser? {
        // The templates of Liquid's models write no calls, but lists of tools.
        let marks = ["<|tool_call_start|>", "<|tool_list_start|>", "\"List of tools: [\""]
        return marks.contains(where: text.contains) ? LFMFunctionCallParser() : nil
    }

    package var isCode: Bool { true }

    package func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape {
        calls.options.spellsLiteralsAsPython = true
        var choices: [GrammarComposition.Piece] = []
        for function in calls.functions { choices.append(try Self.call(function, &calls)) }
        let list = calls.list(.choice(choices))
        return CallGrammar.Shape(
            opening: toolCallStartToken, rest: .sequence([.text("["), list, .text("]"), calls.mark(toolCallEndToken)]))
    }

    /// `name(` the arguments in order, optional ones or not, `)`.
    private static func call(
        _ function: LeapFunction, _ calls: inout CallGrammar
    ) throws(GrammarError) -> GrammarComposition.Piece {
        let schema = CallSchema.closed(function.argumentSchema, isRoot: true)
        try checkRoot(schema, function, relaxed: calls.options.relaxedKeywords)
        // Per parameter and whether an argument stands before it: the rest of the list.
        var rests: [Bool: GrammarComposition.Piece] = [true: .sequence([]), false: .sequence([])]
        for parameter in function.parameters.reversed() {
            let type = CallSchema.property(parameter.name, of: schema) ?? .bool(true)
            let value = calls.value(type, name: "\(function.name)/\(parameter.name)")
            let after = rests[true] ?? .sequence([])
            var next: [Bool: GrammarComposition.Piece] = [:]
            for hasOthers in [true, false] {
                let separator = hasOthers ? [CallGrammar.comma] : []
                let given = GrammarComposition.Piece.sequence(
                    separator + [.text(parameter.name + "="), value, after])
                next[hasOthers] = calls.rule(
                    parameter.optional ? .choice([given, rests[hasOthers] ?? .sequence([])]) : given)
            }
            rests = next
        }
        return .sequence([.text(function.name + "("), rests[false] ?? .sequence([]), .text(")")])
    }

    /// Keywords that tie arguments to one another; Python's syntax lists them one by one.
    private static let unsupported = [
        "$ref", "allOf", "anyOf", "oneOf", "not", "if", "minProperties", "maxProperties", "propertyNames",
        "patternProperties", "dependentRequired", "dependentSchemas", "dependencies",
    ]

    private static func checkRoot(
        _ schema: JSONValue, _ function: LeapFunction, relaxed: Set<String>
    ) throws(GrammarError) {
        for keyword in unsupported where schema.object?[keyword] != nil && !relaxed.contains(keyword) {
            throw GrammarError(
                .unsupported, at: "/\(function.name)/\(keyword)",
                "arguments that are written one by one cannot be held to \(keyword) of all arguments; move it into a "
                    + "parameter, or name it in relaxedKeywords")
        }
    }
}
