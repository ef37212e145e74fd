package import LeapGrammar
import LeapJSON

/// The parser for Llama 3.1 to 3.3: `{"name": …, "parameters": {…}}` as the whole reply, or after `<|python_tag|>`.
///
/// Without the mark, an object is a call if it names a registered function and begins the reply or follows another
/// call. Every other object is text. The parser also reads calls of built-in tools:
/// `<|python_tag|>brave_search.call(query="…")`.
public final class Llama3FunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Creates a parser.
    public init() { super.init(toolCallStartToken: "<|python_tag|>", toolCallEndToken: "") }

    /// Reads objects with a name and parameters, or a call in Python's syntax.
    public override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        if text.drop(while: \.isWhitespace).first == "{" { return try JSONCallReader.calls(in: text) }
        return try PythonicCallReader.calls(in: text, functions: functions).map { call in
            guard call.name.hasSuffix(".call") else { return call }
            return LeapFunctionCall(name: String(call.name.dropLast(5)), arguments: call.argumentObject)
        }
    }

    /// Writes calls as objects, without the mark.
    public override func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        functionCalls.map { CallObject.text($0, argumentsKey: "parameters") }.joined(separator: "; ")
    }
}

extension Llama3FunctionCallParser: CallStyle {
    package static let styleName = "llama3"

    package static func found(in text: String) -> Llama3FunctionCallParser? {
        let isWritten = text.contains("\"name\": ") && text.contains("\"parameters\": ")
        return text.contains("<|python_tag|>") || isWritten ? Llama3FunctionCallParser() : nil
    }

    package var marks: CallMarks {
        var marks = CallMarks(starts: [toolCallStartToken])
        marks.separators = [";"]
        marks.allowsBareObject = true
        return marks
    }

    package func makeExtent(isMarked: Bool) -> (any CallExtent)? {
        isMarked ? Llama3Extent() : BareObjectExtent()
    }

    /// The mark may stand before the object, as it is part of free text; these models make one call at a time.
    package func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape {
        var choices: [GrammarComposition.Piece] = []
        for function in calls.functions {
            choices.append(
                .sequence([
                    .text(String(JSONWriter.quoted(function.name).dropFirst()) + ", \"parameters\": "),
                    calls.arguments(of: function), .text("}"),
                ]))
        }
        return CallGrammar.Shape(opening: "{\"name\": \"", rest: .choice(choices))
    }
}

/// An object, or code up to the end of the reply.
private struct Llama3Extent: CallExtent {
    private var json = JSONExtent()
    private var isCode: Bool?

    mutating func consume(_ byte: UInt8) -> CallProgress {
        if isCode == nil, !ASCIIByte.isSpace(byte) { isCode = byte != UInt8(ascii: "{") }
        return isCode == true ? .goesOn : json.consume(byte)
    }
}
