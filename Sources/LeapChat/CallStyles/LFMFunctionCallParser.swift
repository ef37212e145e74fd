package import LeapGrammar
import LeapJSON

/// The parser for Liquid's models: `<|tool_call_start|>[next_trams(stop="Harbour")]<|tool_call_end|>`.
public final class LFMFunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Creates a parser.
    public init() {
        super.init(toolCallStartToken: "<|tool_call_start|>", toolCallEndToken: "<|tool_call_end|>")
    }

    /// Reads calls in Python's syntax, or JSON objects with a name and arguments.
    public override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        let names = CallNames(functions, rule: nameRule)
        return try PythonicCallReader.calls(in: text, functions: names.spelled(functions)).map(names.original)
    }

    /// Writes calls in Python's syntax.
    public override func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        let calls = functionCalls.map { call in
            if let text = call.argumentText { return "\(call.name)(\(PythonLiteral.string(.string(text))))" }
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

    package var nameRule: CallNameRule { .identifiers }

    package func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape {
        calls.options.spellsLiteralsAsPython = true
        var choices: [GrammarComposition.Piece] = []
        for function in calls.functions {
            let arguments = try calls.separateArguments(of: function, separator: CallGrammar.comma) {
                calls, name, type in
                .sequence([.text(name + "="), calls.value(type, name: "\(function.name)/\(name)")])
            }
            choices.append(.sequence([.text(function.name + "("), arguments, .text(")")]))
        }
        let list = calls.list(.choice(choices))
        return CallGrammar.Shape(
            opening: toolCallStartToken, rest: .sequence([.text("["), list, .text("]"), calls.mark(toolCallEndToken)]))
    }
}
