package import LeapGrammar
import LeapJSON

/// The parser for DeepSeek-R1 and the models distilled from it:
/// `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>next_trams`, followed by a block of JSON on the next
/// lines.
///
/// It also reads the form of DeepSeek-V3.1: `<｜tool▁call▁begin｜>next_trams<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`. The mark
/// that closes all calls may be missing at the end of a reply.
public final class DeepSeekFunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Creates a parser.
    public init() {
        super.init(toolCallStartToken: "<｜tool▁calls▁begin｜>", toolCallEndToken: "<｜tool▁calls▁end｜>")
    }

    static let callStart = "<｜tool▁call▁begin｜>"
    static let callEnd = "<｜tool▁call▁end｜>"
    static let separator = "<｜tool▁sep｜>"
    static let kind = "function"
    static let fence = "```"
    private static let opening = "\n" + fence + "json\n"
    private static let closing = "\n" + fence

    /// Reads one call, or several consecutive calls.
    public override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        let names = CallNames(functions, rule: nameRule)
        return try FencedCallReader.calls(in: text).map(names.original)
    }

    /// Writes calls in the model's syntax.
    public override func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        let calls = functionCalls.map { call in
            Self.callStart + Self.kind + Self.separator + call.name + Self.opening
                + JSONWriter.string(call.argumentValue, style: .python) + Self.closing + Self.callEnd
        }
        return toolCallStartToken + calls.joined(separator: "\n") + toolCallEndToken
    }
}

extension DeepSeekFunctionCallParser: CallStyle {
    package static let styleName = "deepseek"

    package static func found(in text: String) -> DeepSeekFunctionCallParser? {
        text.contains(callStart) && text.contains(separator) ? DeepSeekFunctionCallParser() : nil
    }

    package var marks: CallMarks {
        var marks = CallMarks(starts: [toolCallStartToken, Self.callStart], end: toolCallEndToken)
        marks.inner = [Self.separator, Self.callEnd]
        return marks
    }

    package var nameRule: CallNameRule { .words }

    package func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape {
        var choices: [GrammarComposition.Piece] = []
        for function in calls.functions {
            choices.append(.sequence([.text(function.name + Self.opening), calls.arguments(of: function)]))
        }
        let call = GrammarComposition.Piece.sequence([
            calls.mark(Self.callStart), .text(Self.kind), calls.mark(Self.separator), .choice(choices),
            .text(Self.closing), calls.mark(Self.callEnd),
        ])
        return CallGrammar.Shape(
            opening: toolCallStartToken,
            rest: .sequence([calls.list(call, separator: .text("\n")), calls.mark(toolCallEndToken)]))
    }
}
