package import LeapGrammar
import LeapJSON

/// The parser for Gemma 4: `<|tool_call>call:next_trams{count:3,stop:<|"|>Harbour<|"|>}<tool_call|>`.
///
/// Keys are unquoted and in alphabetical order. Strings, also in lists and objects, are enclosed in special marks and
/// have no escapes. The parser reads JSON as well.
public final class Gemma4FunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Creates a parser.
    public init() {
        super.init(toolCallStartToken: "<|tool_call>", toolCallEndToken: "<tool_call|>")
    }

    static let quote = "<|\"|>"
    private static let callStart = "call:"

    /// Reads one call, or several consecutive calls.
    public override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        let names = CallNames(functions, rule: nameRule)
        var reader = BareKeyReader(text)
        var calls: [LeapFunctionCall] = []
        repeat {
            let name = try reader.name(after: Self.callStart)
            let arguments = try reader.object()
            calls.append(names.original(LeapFunctionCall(name: name, arguments: arguments)))
        } while !reader.isAtEnd
        return calls
    }

    /// Writes calls in the model's syntax.
    public override func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        functionCalls.map { call in
            toolCallStartToken + Self.callStart + call.name + Self.written(.object(call.separateArguments))
                + toolCallEndToken
        }.joined()
    }

    private static func written(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): return quote + text + quote
        case .array(let values): return "[" + values.map(written).joined(separator: ",") + "]"
        case .object(let object):
            let members = object.members.sorted { CallGrammar.isOrdered($0.key, $1.key) }.map { member in
                (BareKeyReader.isBare(member.key) ? member.key : quote + member.key + quote) + ":"
                    + written(member.value)
            }
            return "{" + members.joined(separator: ",") + "}"
        default: return JSONWriter.string(value)
        }
    }
}

extension Gemma4FunctionCallParser: CallStyle {
    package static let styleName = "gemma4"

    package static func found(in text: String) -> Gemma4FunctionCallParser? {
        text.contains("<|tool_call>") && text.contains("<tool_call|>") ? Gemma4FunctionCallParser() : nil
    }

    package var marks: CallMarks {
        var marks = CallMarks(starts: [toolCallStartToken], end: toolCallEndToken)
        marks.inner = [Self.quote]
        // The model asks for the result by beginning it.
        marks.turnEnds = ["<|tool_response>"]
        return marks
    }

    package var nameRule: CallNameRule { .identifiers }

    package func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape {
        var choices: [GrammarComposition.Piece] = []
        for function in calls.functions {
            let arguments = try calls.separateArguments(
                of: function, separator: .text(","), isSorted: true
            ) { calls, name, type in
                .sequence([
                    .text(name + ":"), BareValueGrammar.value(type, name: "\(function.name)/\(name)", in: &calls),
                ])
            }
            choices.append(.sequence([.text(function.name + "{"), arguments, .text("}")]))
        }
        return CallGrammar.Shape(
            opening: toolCallStartToken,
            rest: .sequence([.text(Self.callStart), .choice(choices), calls.mark(toolCallEndToken)]),
            separator: .sequence([]))
    }
}
