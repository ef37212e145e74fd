package import LeapGrammar
import LeapJSON

/// The parser for Mistral's models: `[TOOL_CALLS][{"name": …, "arguments": {…}}]`, and the newer
/// `[TOOL_CALLS]name[ARGS]{…}`.
///
/// It reads both forms. It writes and enforces the form that the model's chat template uses.
public final class MistralFunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state that changes.

    /// A Boolean value that indicates whether every call has its own mark, with the name before the arguments.
    public let namesBeforeArguments: Bool

    /// Creates a parser.
    ///
    /// - Parameter namesBeforeArguments: whether the parser writes calls as `[TOOL_CALLS]name[ARGS]{…}`.
    public init(namesBeforeArguments: Bool) {
        self.namesBeforeArguments = namesBeforeArguments
        super.init(toolCallStartToken: "[TOOL_CALLS]", toolCallEndToken: "")
    }

    /// Creates a parser that writes calls as a list.
    public convenience init() { self.init(namesBeforeArguments: false) }

    private static let argumentsMark = "[ARGS]"
    private static let idMark = "[CALL_ID]"

    /// Reads a list of objects, or `name[ARGS]{…}`; skips an id between the name and the arguments.
    public override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        let body = text.drop(while: \.isWhitespace)
        guard let brace = body.firstIndex(of: "{"), body.first != "[", body.first != "{" else {
            return try super.parse(text, functions: functions)
        }
        var header = body[..<brace]
        for mark in [Self.idMark, Self.argumentsMark] {
            if let place = header.firstRange(of: mark) { header = header[..<place.lowerBound] }
        }
        let name = header.filter { !$0.isWhitespace }
        guard !name.isEmpty else { throw FunctionCallSyntaxError(reason: "a call without a name") }
        let call = LeapFunctionCall(
            name: String(name), arguments: try JSONCallReader.arguments(in: body[brace...]))
        return [CallNames(functions, rule: .words).original(call)]
    }

    /// Writes calls in the model's syntax.
    public override func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        guard namesBeforeArguments else {
            return toolCallStartToken + CallObject.list(functionCalls, argumentsKey: "arguments")
        }
        return functionCalls.map { call in
            toolCallStartToken + call.name + Self.argumentsMark
                + JSONWriter.string(call.argumentValue, style: .python)
        }.joined()
    }
}

extension MistralFunctionCallParser: CallStyle {
    package static let styleName = "mistral"
    private static let namesFirst = "namesBeforeArguments"

    package var form: String { namesBeforeArguments ? Self.namesFirst : "" }

    package convenience init?(form: String) {
        guard form.isEmpty || form == Self.namesFirst else { return nil }
        self.init(namesBeforeArguments: form == Self.namesFirst)
    }

    package static func found(in text: String) -> MistralFunctionCallParser? {
        guard text.contains("[TOOL_CALLS]") else { return nil }
        return MistralFunctionCallParser(namesBeforeArguments: text.contains(argumentsMark))
    }

    package var marks: CallMarks {
        var marks = CallMarks(starts: [toolCallStartToken])
        marks.inner = [Self.argumentsMark, Self.idMark]
        return marks
    }

    package var nameRule: CallNameRule { namesBeforeArguments ? .words : .quoted }

    package func makeExtent(isMarked: Bool) -> (any CallExtent)? { MistralExtent() }

    package func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape {
        guard namesBeforeArguments else {
            let objects = calls.list(calls.objects(argumentsKey: "arguments"))
            return CallGrammar.Shape(
                opening: toolCallStartToken,
                rest: .sequence([CallGrammar.space, .text("["), objects, .text("]")]))
        }
        var choices: [GrammarComposition.Piece] = []
        for function in calls.functions {
            choices.append(
                .sequence([.text(function.name), calls.mark(Self.argumentsMark), calls.arguments(of: function)]))
        }
        return CallGrammar.Shape(opening: toolCallStartToken, rest: .choice(choices), separator: .sequence([]))
    }
}

/// A list of objects, or a name, marks, and one object.
private struct MistralExtent: CallExtent {
    private var json = JSONExtent()
    private var header: [UInt8] = []
    private var isInJSON = false
    private static let maximumHeader = 256

    mutating func consume(_ byte: UInt8) -> CallProgress {
        if isInJSON { return json.consume(byte) }
        if header.isEmpty, ASCIIByte.isSpace(byte) { return .goesOn }
        if byte == UInt8(ascii: "{") || (byte == UInt8(ascii: "[") && header.isEmpty) {
            isInJSON = true
            return json.consume(byte)
        }
        header.append(byte)
        let isNamePart =
            ASCIIByte.isLetter(byte) || ASCIIByte.isDigit(byte) || ASCIIByte.isSpace(byte)
            || ".-[]".utf8.contains(byte)
        return isNamePart && header.count <= Self.maximumHeader ? .goesOn : .fails
    }
}
