package import LeapGrammar

/// The parser for NVIDIA's Nemotron Nano 2: `<TOOLCALL>[{"name": …, "arguments": {…}}]</TOOLCALL>`.
///
/// For Nemotron 3, use ``XMLFunctionCallParser``.
public final class NemotronFunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Creates a parser.
    public init() {
        super.init(toolCallStartToken: "<TOOLCALL>", toolCallEndToken: "</TOOLCALL>")
    }

    /// Writes calls as one list.
    public override func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        toolCallStartToken + CallObject.list(functionCalls, argumentsKey: "arguments") + toolCallEndToken
    }
}

extension NemotronFunctionCallParser: CallStyle {
    package static let styleName = "nemotron"

    package static func found(in text: String) -> NemotronFunctionCallParser? {
        text.contains("<TOOLCALL>") ? NemotronFunctionCallParser() : nil
    }

    package func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape {
        let objects = calls.list(calls.objects(argumentsKey: "arguments"))
        return CallGrammar.Shape(
            opening: toolCallStartToken,
            rest: .sequence([.text("["), objects, .text("]"), calls.mark(toolCallEndToken)]))
    }
}
