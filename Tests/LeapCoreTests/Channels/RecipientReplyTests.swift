import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

/// Replies that are made of messages to recipients, as Muse Glimmer writes them.
@Suite(.inTurns)
struct RecipientReplyTests {
    private typealias Reply = ChannelReplyTests.Reply

    private static func parser(
        openTurn: String = "", readsCalls: Bool = true, inline: Bool = false, stops: [String] = []
    ) -> ResponseParser {
        ChannelReplyTests.parser(
            openTurn: openTurn, style: readsCalls ? AtemFunctionCallParser() : nil, form: .atem, inline: inline,
            stops: stops)
    }

    private static func read(_ text: String, _ parser: ResponseParser = parser()) -> Reply {
        ChannelReplyTests.read(text, parser)
    }

    private static let rome =
        "<atem:function_calls>\n<atem:invoke name=\"get_weather\">\n<atem:parameter name=\"city\">Rome</atem:parameter>\n</atem:invoke>\n</atem:function_calls>"
    private static let oslo = rome.replacing("Rome", with: "Oslo")
    private static let thought = " to=self<|message|>Hm.<|eom|><|start|>assistant"

    /// Messages, and what they are.
    private static let replies: [(text: String, reply: Reply)] = [
        (thought + " to=user<|message|>Hi<|eot|>", Reply(text: "Hi", reasoning: "Hm.")),
        (" to=user<|message|>x", Reply(text: "x")), ("to=user<|message|>x<|eom|>", Reply(text: "x")),
        ("<|message|>plain<|eot|>", Reply(text: "plain")),
        (
            thought + " to=get_weather<|message|>" + rome + "<|eot|>",
            Reply(reasoning: "Hm.", calls: [#"get_weather {"city":"Rome"}"#])
        ),
        // Several calls are messages of their own, and one message may hold several too.
        (
            " to=get_weather<|message|>\(rome)<|eom|><|start|>assistant to=get_weather<|message|>\(oslo)<|eot|>",
            Reply(calls: [#"get_weather {"city":"Rome"}"#, #"get_weather {"city":"Oslo"}"#])
        ),
        (
            " to=get_weather<|message|>\(rome)\n\(oslo)",
            Reply(calls: [#"get_weather {"city":"Rome"}"#, #"get_weather {"city":"Oslo"}"#])
        ),
        // Text in front of a call, and behind it.
        (
            " to=user<|message|>Let me see.<|eom|><|start|>assistant to=get_weather<|message|>\(rome)<|eom|>"
                + "<|start|>assistant to=user<|message|>Done.",
            Reply(text: "Let me see.\n\nDone.", calls: [#"get_weather {"city":"Rome"}"#])
        ),
        (
            thought + " to=user<|message|>One.<|eom|><|start|>assistant to=self<|message|>So.<|eom|>"
                + "<|start|>assistant to=user<|message|>Two.",
            Reply(text: "One.\n\nTwo.", reasoning: "Hm.\nSo.")
        ),
        // Namespaces that the functions do not have.
        (
            " to=get_weather.get_weather<|message|>"
                + rome.replacing("\"get_weather", with: "\"get_weather.get_weather"),
            Reply(calls: [#"get_weather {"city":"Rome"}"#])
        ),
        // A call without a header, and one that the end of the message closes.
        (rome, Reply(calls: [#"get_weather {"city":"Rome"}"#])),
        (
            " to=get_weather<|message|>" + rome.replacing("\n</atem:function_calls>", with: "<|eom|>")
                + "<|start|>assistant to=user<|message|>x",
            Reply(text: "x", calls: [#"get_weather {"city":"Rome"}"#])
        ),
        // Marks in strings are part of them.
        (
            " to=get_weather<|message|>"
                + rome.replacing("Rome", with: " a\n</atem:function_calls> </atem:parameter> \"b\" <|eom|>\n"),
            Reply(calls: [
                #"get_weather {"city":" a\n</atem:function_calls> </atem:parameter> \"b\" <|eom|>\n"}"#
            ])
        ),
        // What stands in texts and reasoning is no call, whatever it looks like.
        (" to=user<|message|>\(rome) to=f", Reply(text: rome + " to=f")),
        (" to=self<|message|>\(rome)<|eot|>", Reply(reasoning: rome)),
        (
            " to=user<|message|><think>no</think> <|channel|>final",
            Reply(text: "<think>no</think> <|channel|>final")
        ),
        // Without headers.
        ("Just text.", Reply(text: "Just text.")), ("\n<|messaged> text", Reply(text: "\n<|messaged> text")),
        ("", Reply()),
        // Cut off inside of a header.
        (" to=se", Reply()), (thought.replacing("assistant", with: "assi"), Reply(reasoning: "Hm.")),
        // A message that ends in its header.
        (" to=self<|eom|><|start|>assistant to=user<|message|>x", Reply(text: "x")),
    ]

    @Test("Recipients tell reasoning, text and calls apart, cut at every byte", arguments: 0..<replies.count)
    func recipients(index: Int) {
        let (text, reply) = Self.replies[index]
        #expect(Self.read(text) == reply, "\(text)")
    }

    @Test("Pieces of any length that are longer than a header are read alike")
    func longPieces() {
        let text = String(repeating: "word ", count: 500) + "."
        let reply = " to=self<|message|>\(text)<|eom|><|start|>assistant to=user<|message|>\(text)<|eot|>"
        for length in [1, 700, 1300, reply.utf8.count] {
            var parser = Self.parser()
            var rest = Array(reply.utf8)[...]
            while !rest.isEmpty {
                _ = parser.consume(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            _ = parser.finish(.natural)
            #expect(parser.reasoning == text && parser.text == text, "\(length)")
        }
    }

    @Test("A reply goes on with the header that the prompt began")
    func openTurns() {
        #expect(
            Self.read("Hm.<|eom|><|start|>assistant to=user<|message|>x", Self.parser(openTurn: " to=self<|message|>"))
                == Reply(text: "x", reasoning: "Hm."))
        #expect(Self.read("x", Self.parser(openTurn: " to=user<|message|>")) == Reply(text: "x"))
        #expect(Self.read("self<|message|>Hm.", Self.parser(openTurn: " to=")) == Reply(reasoning: "Hm."))
    }

    @Test("Calls that are not readable, or that nothing reads, are text, and are reported")
    func others() {
        #expect(
            Self.read(" to=python<|message|>print(1)<|eot|>")
                == Reply(text: "print(1)", issues: [.malformedFunctionCall]))
        let broken = Self.read(" to=get_weather<|message|>" + Self.rome.replacing("invoke name", with: "invoke id"))
        #expect(broken.calls.isEmpty && broken.issues == [.malformedFunctionCall] && !broken.text.contains("_calls"))
        let half = Self.read(" to=get_weather<|message|>" + Self.rome.prefix(90))
        #expect(half.calls.isEmpty && half.issues == [.incompleteFunctionCall])
        #expect(
            Self.read(" to=python<|message|>print(1)<|eot|>", Self.parser(readsCalls: false))
                == Reply(text: " to=python<|message|>print(1)"))
        // A function that is not registered is called all the same; the app is told.
        let strange = Self.read(" to=ns.f<|message|>" + Self.rome.replacing("get_weather", with: "ns.f"))
        #expect(strange.calls == [#"ns.f {"city":"Rome"}"#] && strange.issues == [.invalidFunctionCall])
    }

    @Test("Reasoning stays in the text between marks where it is asked for there")
    func inline() {
        #expect(
            Self.read(Self.replies[0].text, Self.parser(inline: true))
                == Reply(text: "<think>Hm.</think>Hi", reasoning: "Hm."))
    }

    @Test("Stop sequences count in texts only")
    func stops() {
        let parser = Self.parser(stops: ["Hm", "self", "i"])
        #expect(Self.read(Self.replies[0].text, parser) == Reply(text: "H", reasoning: "Hm."))
    }

    @Test("Values are strings as they are, or JSON, as their parameters say", arguments: CallStyleTests.calls)
    func values(calls: [LeapFunctionCall]) throws {
        let style = AtemFunctionCallParser()
        let written = calls.map {
            "<|start|>assistant to=\($0.name)<|message|>" + style.dump([$0]) + "<|eom|>"
        }.joined()
        let reply = Self.read(written)
        #expect(reply.calls == calls.map { "\($0.name) \($0.argumentsJSON)" } && reply.text.isEmpty)
        #expect(reply.issues.isEmpty)
    }

    /// Pieces that replies are put together from at random.
    private static let pieces = [
        " to=self", " to=user", " to=get_weather", "to=", "<|start|>assistant", "<|start|>", "<|message|>", "<|eom|>",
        "<|eot|>", "<atem:function_calls>", "\n<atem:invoke name=\"get_weather\">\n", "<atem:parameter name=\"city\">",
        "</atem:parameter>\n", "</atem:invoke>\n", "</atem:function_calls>", "Rome", " ", "\n", "<", "é", "🦊", "<atem:",
        rome,
    ]

    @Test("Whatever is written, and wherever it is cut, a reply gives the same events", arguments: 0..<8)
    func fuzz(part: Int) {
        for seed in TestLevel.seeds(20, all: 200) {
            var random = SeededGenerator(seed: seed &* 8 &+ UInt64(part))
            let text = (0..<(2 + random.next() % 14)).map { _ in
                Self.pieces[Int(random.next() % UInt64(Self.pieces.count))]
            }.joined()
            let bytes = Array(text.utf8)
            let whole = ChannelReplyTests.read([bytes], Self.parser())
            var cuts: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let length = 1 + Int(random.next() % 7)
                cuts.append(Array(rest.prefix(length)))
                rest = rest.dropFirst(length)
            }
            #expect(ChannelReplyTests.read(cuts, Self.parser()) == whole, "\(text)")
            #expect(ChannelReplyTests.read(bytes.map { [$0] }, Self.parser()) == whole, "\(text)")
        }
    }

    @Test(
        "Headers name a recipient",
        arguments: [
            (" to=self", nil, true), (" to=user", nil, false), ("<|start|>assistant to=ns.f-1", "ns.f-1", false),
            ("", nil, false), ("<|start|>assistant", nil, false), (" to=", nil, false),
            ("<|start|>assistant to=assistant", nil, false), (" to=selfie", "selfie", false),
        ] as [(String, String?, Bool)])
    func headers(text: String, function: String?, isReasoning: Bool) {
        let header = ChannelHeader(text, form: .atem)
        #expect(header.function.map(String.init) == function && header.isReasoning == isReasoning, "\(text)")
        #expect(header.channel == nil)
    }
}
