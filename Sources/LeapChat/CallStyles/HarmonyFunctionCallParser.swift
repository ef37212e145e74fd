package import LeapGrammar
import LeapJSON

/// The parser for gpt-oss: `<|channel|>commentary to=functions.next_trams <|constrain|>json<|message|>{…}<|call|>`.
///
/// A reply has at most one call, and the call ends the reply. The recipient may also precede the channel, as in the
/// model's own chat template.
public final class HarmonyFunctionCallParser: LeapFunctionCallParser, @unchecked Sendable {
    // Sendable: adds no state.

    /// Creates a parser.
    public init() {
        super.init(
            toolCallStartToken: Self.channelMark + Self.channel + Self.recipientStart,
            toolCallEndToken: ChannelFormat.call)
    }

    private static let recipientStart = " to=" + ChannelFormat.functionNamespace
    static let channel = "commentary"
    private static let channelMark = ChannelFormat.Mark.channel.rawValue
    private static let messageMark = ChannelFormat.Mark.message.rawValue

    /// Reads the text after the namespace: the name, the rest of the header, the arguments.
    public override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        guard let mark = text.firstRange(of: Self.messageMark) else {
            throw FunctionCallSyntaxError(reason: "a call without \(Self.messageMark) before its arguments")
        }
        let name = ChannelHeader.word(text[..<mark.lowerBound])
        guard !name.isEmpty else { throw FunctionCallSyntaxError(reason: "a call without a name") }
        let body = text[mark.upperBound...]
        let arguments = body.allSatisfy(\.isWhitespace) ? [:] : try JSONCallReader.arguments(in: body)
        let call = LeapFunctionCall(name: String(name), arguments: arguments)
        return [CallNames(functions, rule: nameRule).original(call)]
    }

    /// Writes calls in the model's syntax, each as a separate message.
    public override func dump(_ functionCalls: [LeapFunctionCall]) -> String {
        functionCalls.map { call in
            toolCallStartToken + call.name + " " + ChannelFormat.constrain + "json" + Self.messageMark
                + JSONWriter.string(call.argumentValue) + toolCallEndToken
        }.joined()
    }
}

extension HarmonyFunctionCallParser: CallStyle {
    package static let styleName = "harmony"

    package static func found(in text: String) -> HarmonyFunctionCallParser? {
        let isWritten = text.contains(channelMark) && text.contains(recipientStart)
        return isWritten || text.contains(ChannelFormat.constrain) ? HarmonyFunctionCallParser() : nil
    }

    package var marks: CallMarks {
        var marks = CallMarks(starts: [toolCallStartToken, Self.recipientStart])
        marks.inner = [ChannelFormat.constrain, Self.messageMark, Self.channelMark]
        marks.separators = [toolCallEndToken]
        return marks
    }

    package var nameRule: CallNameRule { .words }
    package var channelForm: ChannelForm? { .harmony }

    package func makeExtent(isMarked: Bool) -> (any CallExtent)? { HarmonyExtent() }

    package func shape(_ calls: inout CallGrammar) throws(GrammarError) -> CallGrammar.Shape {
        let constrained = GrammarComposition.Piece.sequence([.text(" "), calls.mark(ChannelFormat.constrain)])
        var choices: [GrammarComposition.Piece] = []
        var recipientFirst: [GrammarComposition.Piece] = []
        for function in calls.functions {
            let body = calls.rule(
                .sequence([.text("json"), calls.mark(Self.messageMark), calls.arguments(of: function)]))
            choices.append(.sequence([.text(function.name), constrained, body]))
            recipientFirst.append(
                .sequence([
                    .text(function.name), calls.mark(Self.channelMark), .text(Self.channel),
                    .choice([constrained, .text(" ")]), body,
                ]))
        }
        // Where the mark is a token, it ends the reply.
        let end = GrammarComposition.Piece.choice([calls.mark(toolCallEndToken), .sequence([])])
        return CallGrammar.Shape(
            opening: toolCallStartToken, openingEnd: Self.recipientStart, rest: .sequence([.choice(choices), end]),
            otherForm: .sequence([.text(Self.recipientStart), .choice(recipientFirst), end]))
    }
}

/// A name, the rest of the header up to `<|message|>`, and one object.
private struct HarmonyExtent: CallExtent {
    private static let mark = Array(ChannelFormat.Mark.message.rawValue.utf8)
    private var header: [UInt8] = []
    private var json: JSONExtent?

    mutating func consume(_ byte: UInt8) -> CallProgress {
        guard json == nil else { return json?.consume(byte) ?? .fails }
        header.append(byte)
        if header.suffix(Self.mark.count) == Self.mark[...] {
            json = JSONExtent()
            return .goesOn
        }
        return header.count <= ChannelHeader.maximumLength ? .goesOn : .fails
    }
}
