package import LeapGrammar
import LeapJSON

/// The parser for Gemma 4: `<|tool_call>call:next_trams{count:3,stop:<|"|>Harbour<|"|>}<tool_call|>`.
///
/// Keys have no quotes and stand in the order of the alphabet, strings stand between marks of their own and have no escapes. JSON is read too.
public final class Gemma4FunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Makes a parser.
    public init() {
        super.init(toolCallStartToken: "<|tool_call>", toolCallEndToken: "<tool_call|>")
    }

    static let quote = "<|\"|>"
    private static let callStart = "call:"

    /// Reads one call, or several one behind the other.
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

    /// Writes calls as the model would; lists and objects among the arguments as JSON.
    public override func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        functionCalls.map { call in
            let members = call.separateArguments.members.sorted { CallGrammar.isOrdered($0.key, $1.key) }.map {
                member in
                let written = member.value.string.map { Self.quote + $0 + Self.quote }
                return member.key + ":" + (written ?? JSONWriter.string(member.value, style: .python))
            }
            return toolCallStartToken + Self.callStart + call.name + "{" + members.joined(separator: ",") + "}"
                + toolCallEndToken
        }.joined()
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
        let quote = calls.mark(Self.quote)
        var choices: [GrammarComposition.Piece] = []
        for function in calls.functions {
            let arguments = try calls.separateArguments(
                of: function, separator: .text(","), isSorted: true
            ) { calls, name, type in
                let place = "\(function.name)/\(name)"
                // Strings inside of lists and objects are JSON's.
                let value: GrammarComposition.Piece =
                    CallSchema.types(of: type, in: type) == [.string]
                    ? .sequence([quote, calls.plain(type, name: place, without: Self.quote), quote])
                    : calls.value(type, name: place)
                return .sequence([.text(name + ":"), value])
            }
            choices.append(.sequence([.text(function.name + "{"), arguments, .text("}")]))
        }
        return CallGrammar.Shape(
            opening: toolCallStartToken,
            rest: .sequence([.text(Self.callStart), .choice(choices), calls.mark(toolCallEndToken)]),
            separator: .sequence([]))
    }
}
