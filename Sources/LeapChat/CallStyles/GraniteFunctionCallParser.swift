package import LeapGrammar

/// The parser for IBM's Granite 3: `<|tool_call|>[{"name": …, "arguments": {…}}]`, also with `<tool_call>`.
///
/// The list has no end mark: its closing bracket ends it. For Granite 4, use ``HermesFunctionCallParser``.
public final class GraniteFunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state that changes.
    private let other: String

    /// Creates a parser.
    public convenience init() { self.init(start: "<|tool_call|>", other: "<tool_call>") }

    init(start: String, other: String) {
        self.other = other
        super.init(toolCallStartToken: start, toolCallEndToken: "")
    }

    /// Writes calls as one list.
    public override func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        toolCallStartToken + CallObject.list(functionCalls, argumentsKey: "arguments")
    }
}

extension GraniteFunctionCallParser: CallStyle {
    package static let styleName = "granite"
    private static let plainMark = "plainMark"

    package var form: String { toolCallStartToken == "<tool_call>" ? Self.plainMark : "" }

    package convenience init?(form: String) {
        switch form {
        case "": self.init()
        case Self.plainMark: self.init(start: "<tool_call>", other: "<|tool_call|>")
        default: return nil
        }
    }

    package static func found(in text: String) -> GraniteFunctionCallParser? {
        if text.contains("<|tool_call|>") { return GraniteFunctionCallParser() }
        guard text.contains("<tool_call>"), !text.contains("</tool_call>") else { return nil }
        return GraniteFunctionCallParser(form: plainMark)
    }

    package var marks: CallMarks {
        var marks = CallMarks(starts: [toolCallStartToken, other])
        marks.separators = ["</tool_call>"]
        return marks
    }

    package func makeExtent(isMarked: Bool) -> (any CallExtent)? { JSONExtent() }

    package func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape {
        let objects = calls.list(calls.objects(argumentsKey: "arguments"))
        return CallGrammar.Shape(
            opening: toolCallStartToken, rest: .sequence([.text("["), objects, .text("]")]))
    }
}
