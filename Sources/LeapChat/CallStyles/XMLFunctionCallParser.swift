package import LeapGrammar
import LeapJSON

/// The parser for LFM3, Qwen3-Coder and Qwen3.5, which put each argument in its own tag.
///
/// ```text
/// <tool_call>
/// <function=next_trams>
/// <parameter=stop>
/// Harbour
/// </parameter>
/// </function>
/// </tool_call>
/// ```
/// Strings appear as they are, without quotes and escapes; all other values are JSON. The parameter's schema tells the
/// parser which of the two it reads.
public final class XMLFunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Creates a parser.
    public init() {
        super.init(toolCallStartToken: "<tool_call>", toolCallEndToken: "</tool_call>")
    }

    /// Reads calls in tags, or JSON objects with a name and arguments.
    public override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        let names = CallNames(functions, rule: nameRule)
        return try TaggedCallReader.calls(in: text, tags: Self.tags, functions: names.spelled(functions))
            .map(names.original)
    }

    /// Writes calls in tags, one after the other.
    public override func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        functionCalls.map { call in
            var text = toolCallStartToken + "\n<function=" + call.name + ">\n"
            for member in call.separateArguments.members {
                let written = member.value.string ?? JSONWriter.string(member.value, style: .python)
                text += "<parameter=" + member.key + ">\n" + written + "\n" + Self.parameterEnd + "\n"
            }
            return text + Self.functionEnd + "\n" + toolCallEndToken
        }.joined(separator: "\n")
    }

    private static let functionEnd = "</function>"
    private static let parameterEnd = "</parameter>"
    private static let tags = TaggedCallReader.Tags(
        functionStart: "<function=", functionEnd: functionEnd, parameterStart: "<parameter=",
        parameterEnd: parameterEnd, nameEnd: ">", ownsLineEnds: true)
}

extension XMLFunctionCallParser: CallStyle {
    package static let styleName = "xml"

    package static func found(in text: String) -> XMLFunctionCallParser? {
        text.contains("<function=") ? XMLFunctionCallParser() : nil
    }

    package var nameRule: CallNameRule { .tagged }

    package func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape {
        var choices: [GrammarComposition.Piece] = []
        for function in calls.functions {
            let arguments = try calls.separateArguments(of: function, separator: .sequence([])) { calls, name, type in
                let value = calls.plain(type, name: "\(function.name)/\(name)", without: Self.parameterEnd)
                return .sequence([
                    .text("<parameter=" + name + ">\n"), .choice([value] + Self.words(type)),
                    .text("\n" + Self.parameterEnd + "\n"),
                ])
            }
            choices.append(.sequence([.text(function.name + ">\n"), arguments]))
        }
        return CallGrammar.Shape(
            opening: toolCallStartToken,
            rest: .sequence([
                .text("\n<function="), .choice(choices), .text(Self.functionEnd + "\n"), calls.mark(toolCallEndToken),
            ]), separator: .text("\n"))
    }

    /// Python's words for the truth values and null that a schema admits, as templates write them: without lists of
    /// values and other demands.
    private static func words(_ schema: JSONValue) -> [GrammarComposition.Piece] {
        guard let object = schema.object,
            object.keys.allSatisfy({ ["type", "description", "title", "default"].contains($0) })
        else { return [] }
        let types = object["type"]?.array?.compactMap(\.string) ?? object["type"]?.string.map { [$0] } ?? []
        guard !types.contains("string") else { return [] }
        let words = (types.contains("boolean") ? ["True", "False"] : []) + (types.contains("null") ? ["None"] : [])
        return words.map { .text($0) }
    }
}
