package import LeapGrammar

/// The parser for Hermes, Qwen and models trained like them: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`.
public final class HermesFunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Creates a parser.
    public init() {
        super.init(toolCallStartToken: "<tool_call>", toolCallEndToken: "</tool_call>")
    }
}

extension HermesFunctionCallParser: CallStyle {
    package static let styleName = "hermes"

    package static func found(in text: String) -> HermesFunctionCallParser? {
        text.contains("<tool_call>") && text.contains("</tool_call>") ? HermesFunctionCallParser() : nil
    }

    package func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape {
        let object = calls.objects(argumentsKey: "arguments")
        return CallGrammar.Shape(
            opening: toolCallStartToken,
            rest: .sequence([CallGrammar.lineEnd, object, CallGrammar.lineEnd, calls.mark(toolCallEndToken)]),
            separator: .text("\n"))
    }
}
