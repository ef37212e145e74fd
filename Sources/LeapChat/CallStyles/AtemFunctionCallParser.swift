package import LeapGrammar
import LeapJSON

/// The parser for Muse Glimmer, which puts each argument in an element of its own.
///
/// ```text
/// <atem:function_calls>
/// <atem:invoke name="next_trams">
/// <atem:parameter name="stop">Harbour</atem:parameter>
/// </atem:invoke>
/// </atem:function_calls>
/// ```
/// Strings appear as they are, without quotes and escapes, and with their white space; all other values are JSON. The
/// model writes each call as a message to the function: `<|start|>assistant to=next_trams<|message|>`.
public final class AtemFunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Creates a parser.
    public init() {
        super.init(toolCallStartToken: "<atem:function_calls>", toolCallEndToken: "</atem:function_calls>")
    }

    /// Reads calls in elements, or JSON objects with a name and arguments.
    ///
    /// A name with a namespace that no function has, as `weather.get_weather`, is that of the function behind it.
    public override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        let names = CallNames(functions, rule: nameRule)
        let spelled = names.spelled(functions)
        let known = Set(spelled.map(\.name))
        return try TaggedCallReader.calls(in: text, tags: Self.tags, functions: spelled) { name in
            guard !known.contains(name), let leaf = name.split(separator: ".").last.map(String.init),
                known.contains(leaf)
            else { return name }
            return leaf
        }.map(names.original)
    }

    /// Writes calls in elements, each in a block of its own.
    public override func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        functionCalls.map { call in
            var text = toolCallStartToken + "\n" + Self.invokeStart + call.name + Self.nameEnd + "\n"
            for member in call.separateArguments.members {
                let written = member.value.string ?? JSONWriter.string(member.value, style: .python)
                text += Self.parameterStart + member.key + Self.nameEnd + written + Self.parameterEnd + "\n"
            }
            return text + Self.invokeEnd + "\n" + toolCallEndToken
        }.joined(separator: "\n")
    }

    private static let invokeStart = "<atem:invoke name=\""
    private static let invokeEnd = "</atem:invoke>"
    private static let parameterStart = "<atem:parameter name=\""
    private static let parameterEnd = "</atem:parameter>"
    private static let nameEnd = "\">"
    private static let tags = TaggedCallReader.Tags(
        functionStart: invokeStart, functionEnd: invokeEnd, parameterStart: parameterStart, parameterEnd: parameterEnd,
        nameEnd: nameEnd, ownsLineEnds: false)

    private static let startMark = ChannelFormat.Mark.start.rawValue
    private static let messageMark = ChannelFormat.Mark.message.rawValue
    private static let messageEnd = ChannelForm.atem.messageEnd
}

extension AtemFunctionCallParser: CallStyle {
    package static let styleName = "atem"

    package static func found(in text: String) -> AtemFunctionCallParser? {
        text.contains("<atem:invoke") || text.contains("<atem:function_calls>") ? AtemFunctionCallParser() : nil
    }

    package var marks: CallMarks {
        var marks = CallMarks(starts: [toolCallStartToken], end: toolCallEndToken)
        marks.headers = [Self.startMark, Self.messageMark, Self.messageEnd]
        return marks
    }

    package var nameRule: CallNameRule { .attributes }
    package var channelForm: ChannelForm? { .atem }

    package func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape {
        var choices: [GrammarComposition.Piece] = []
        for function in calls.functions {
            let arguments = try calls.separateArguments(of: function, separator: .sequence([])) { calls, name, type in
                let value = calls.plain(type, name: "\(function.name)/\(name)", without: Self.parameterEnd)
                return .sequence([
                    .text(Self.parameterStart + name + Self.nameEnd), value, .text(Self.parameterEnd + "\n"),
                ])
            }
            let invoked = GrammarComposition.Piece.sequence([.text(function.name + Self.nameEnd + "\n"), arguments])
            // The header of the call's message names the function too.
            let header: [GrammarComposition.Piece] =
                calls.opensBefore
                ? [
                    .text(function.name), calls.mark(Self.messageMark),
                    .text(toolCallStartToken + "\n" + Self.invokeStart),
                ] : []
            choices.append(.sequence(header + [invoked]))
        }
        let end = GrammarComposition.Piece.sequence([.text(Self.invokeEnd + "\n"), calls.mark(toolCallEndToken)])
        guard calls.opensBefore else {
            return CallGrammar.Shape(
                opening: toolCallStartToken,
                rest: .sequence([.text("\n" + Self.invokeStart), .choice(choices), end]), separator: .text("\n"))
        }
        // Each call is a message.
        return CallGrammar.Shape(
            opening: ChannelHeads.recipientWord, openingEnd: "=", rest: .sequence([.choice(choices), end]),
            separator: .sequence([
                calls.mark(Self.messageEnd), calls.mark(Self.startMark),
                .text(ChannelFormat.role + ChannelHeads.recipientWord),
            ]))
    }
}
