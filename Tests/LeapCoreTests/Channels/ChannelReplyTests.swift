import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

/// Replies that are made of messages on channels, as openai-harmony reads them.
@Suite(.inTurns)
struct ChannelReplyTests {
    private static let functions = CallStyleTests.functions

    private static func parser(
        openTurn: String = "", readsCalls: Bool = true, inline: Bool = false, stops: [String] = []
    ) -> ResponseParser {
        parser(
            openTurn: openTurn, style: readsCalls ? HarmonyFunctionCallParser() : nil, form: .harmony, inline: inline,
            stops: stops)
    }

    static func parser(
        openTurn: String, style: (any CallStyle)?, form: ChannelForm, inline: Bool, stops: [String]
    ) -> ResponseParser {
        ResponseParser(
            .init(
                functionCallParser: style, functions: functions, inlineThinkingTags: inline, stopSequences: stops,
                openTurn: openTurn, channelForm: form))
    }

    struct Reply: Equatable {
        var text = ""
        var reasoning = ""
        var calls: [String] = []
        var issues: [GenerationIssue.Kind] = []
    }

    static func read(_ pieces: [[UInt8]], _ parser: ResponseParser) -> Reply {
        var parser = parser
        for piece in pieces { _ = parser.consume(piece) }
        _ = parser.finish(.natural)
        return Reply(
            text: parser.text, reasoning: parser.reasoning,
            calls: parser.calls.map { "\($0.name) \($0.argumentsJSON)" },
            issues: parser.issues.map(\.kind))
    }

    /// Reads a reply whole, and cut at every byte, which must give the same.
    static func read(_ text: String, _ parser: ResponseParser) -> Reply {
        let bytes = Array(text.utf8)
        let whole = read([bytes], parser)
        for cut in 0...bytes.count {
            let parts = read([Array(bytes[..<cut]), Array(bytes[cut...])], parser)
            #expect(parts == whole, "cut at \(cut) of \(text)")
        }
        #expect(read(bytes.map { [$0] }, parser) == whole, "byte by byte: \(text)")
        return whole
    }

    /// Messages, and what they are.
    ///
    /// Texts, channels and recipients are those that the package openai-harmony finds in the same tokens.
    private static let replies: [(text: String, reply: Reply)] = [
        (
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hi",
            Reply(text: "Hi", reasoning: "Hm.")
        ),
        ("<|channel|>final<|message|>x<|end|>", Reply(text: "x")),
        ("<|message|>plain<|end|>", Reply(text: "plain")),
        ("<|channel|>final <|constrain|>json<|message|>{\"a\": 1}", Reply(text: "{\"a\": 1}")),
        (
            "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\":\"Rome\"}",
            Reply(calls: [#"get_weather {"city":"Rome"}"#])
        ),
        (
            " to=functions.get_weather<|channel|>commentary json<|message|>{\"city\":\"Rome\"}<|call|>",
            Reply(calls: [#"get_weather {"city":"Rome"}"#])
        ),
        (
            "<|channel|>analysis to=functions.get_weather code<|message|>{\"city\":\"Rome\"}<|call|>",
            Reply(calls: [#"get_weather {"city":"Rome"}"#])
        ),
        (
            "<|channel|>commentary to=get_weather<|message|>{\"city\": \"<|end|> } <|call|>\"}<|call|>",
            Reply(calls: [##"get_weather {"city":"<|end|> } <|call|>"}"##])
        ),
        (
            "<|channel|>analysis<|message|>A<|end|><|start|>assistant<|channel|>commentary<|message|>Let me see.<|end|>"
                + "<|start|>assistant to=functions.get_weather<|channel|>commentary <|constrain|>json<|message|>{\"city\":\"Oslo\"}",
            Reply(text: "Let me see.", reasoning: "A", calls: [#"get_weather {"city":"Oslo"}"#])
        ),
        (
            "<|channel|>analysis<|message|>A<|end|><|start|>assistant<|channel|>commentary<|message|>One.<|end|>"
                + "<|start|>assistant<|channel|>analysis<|message|>B<|end|><|start|>assistant<|channel|>final<|message|>Two.",
            Reply(text: "One.\n\nTwo.", reasoning: "A\nB")
        ),
        // What stands in texts is text, whatever other models mean by it.
        (
            "<|channel|>final<|message|><think>no</think> <tool_call>{\"name\": \"get_weather\"}</tool_call> to=functions.f",
            Reply(text: "<think>no</think> <tool_call>{\"name\": \"get_weather\"}</tool_call> to=functions.f")
        ),
        // Without headers.
        ("Just text.", Reply(text: "Just text.")),
        ("\n<|channelled> text", Reply(text: "\n<|channelled> text")),
        ("", Reply()),
        // Cut off inside of a header.
        ("<|channel|>ana", Reply()),
        ("<|channel|>analysis<|message|>Hm.<|end|><|start|>assi", Reply(reasoning: "Hm.")),
        // A message that ends in its header.
        ("<|channel|>analysis<|end|><|start|>assistant<|channel|>final<|message|>x", Reply(text: "x")),
    ]

    @Test("Channels become reasoning, text and calls, cut at every byte", arguments: 0..<replies.count)
    func channels(index: Int) {
        let (text, reply) = Self.replies[index]
        #expect(Self.read(text, Self.parser()) == reply, "\(text)")
    }

    @Test("A reply goes on with the header that the prompt began")
    func openTurns() {
        #expect(
            Self.read(
                "Hm.<|end|><|start|>assistant<|channel|>final<|message|>x",
                Self.parser(openTurn: "<|channel|>analysis<|message|>")) == Reply(text: "x", reasoning: "Hm."))
        #expect(Self.read("x", Self.parser(openTurn: "<|channel|>final<|message|>")) == Reply(text: "x"))
        #expect(
            Self.read("analysis<|message|>Hm.", Self.parser(openTurn: "<|channel|>")) == Reply(reasoning: "Hm."))
    }

    @Test("Calls that are not readable, or that nothing reads, are text")
    func others() {
        let code = "<|channel|>commentary to=python<|message|>print(1)<|call|>"
        let broken = Self.read(code, Self.parser())
        #expect(broken.calls.isEmpty && broken.issues == [.malformedFunctionCall])
        #expect(broken.text.contains("print(1)"))
        #expect(
            Self.read(code, Self.parser(readsCalls: false))
                == Reply(text: "<|channel|>commentary to=python<|message|>print(1)"))
        let half = "<|channel|>commentary to=functions.get_weather<|message|>{\"city\": \"Ro"
        let cut = Self.read(half, Self.parser())
        #expect(cut.calls.isEmpty && cut.issues == [.incompleteFunctionCall])
        // A call without arguments that the mark of its end follows at once.
        let bare = "<|channel|>commentary to=functions.list-open-issues<|message|>"
        #expect(Self.read(bare, Self.parser()).calls.count == 1)
    }

    @Test("Reasoning stays in the text between marks where it is asked for there")
    func inline() {
        #expect(
            Self.read(Self.replies[0].text, Self.parser(inline: true))
                == Reply(text: "<think>Hm.</think>Hi", reasoning: "Hm."))
    }

    @Test("Stop sequences count in texts only")
    func stops() {
        let parser = Self.parser(stops: ["Hm", "final", "i"])
        #expect(Self.read(Self.replies[0].text, parser) == Reply(text: "H", reasoning: "Hm."))
    }

    @Test("A header without an end is bounded, and is text")
    func endless() {
        let text = "<|channel|>" + String(repeating: "a", count: 2 * ChannelHeader.maximumLength)
        var parser = Self.parser()
        _ = parser.consume(text.utf8)
        #expect(parser.text == text)
        #expect(Self.read(String(text.prefix(1500)), Self.parser()).text == text.prefix(1500))
    }

    @Test(
        "Headers name a channel and a recipient",
        arguments: [
            ("<|channel|>final", "final", nil),
            ("<|start|>assistant to=functions.a-b.c<|channel|>commentary json", "commentary", "a-b.c"),
            ("<|channel|>commentary to=functions.f <|constrain|>json", "commentary", "f"),
            ("<|channel|>commentary to=assistant", "commentary", nil),
            ("", nil, nil), ("<|start|>assistant", nil, nil), ("<|channel|> to=", "", nil),
        ] as [(String, String?, String?)])
    func headers(text: String, channel: String?, function: String?) {
        let header = ChannelHeader(text)
        #expect(header.channel.map(String.init) == channel && header.function.map(String.init) == function, "\(text)")
    }
}
