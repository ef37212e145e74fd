import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat

@Suite(.inTurns)
struct ResponseParserTests {
    typealias Event = ResponseParser.Event

    /// The events of a reply that is fed in the given pieces, neighbours of a kind put together.
    private func events(
        _ pieces: [[UInt8]], _ configuration: ResponseParser.Configuration, ending: ResponseParser.Ending = .natural
    ) -> [Event] {
        var parser = ResponseParser(configuration)
        var all: [Event] = []
        for piece in pieces { all += parser.consume(piece) }
        all += parser.finish(ending)
        var merged: [Event] = []
        for event in all {
            switch (merged.last, event) {
            case (.text(let a)?, .text(let b)): merged[merged.count - 1] = .text(a + b)
            case (.reasoning(let a)?, .reasoning(let b)): merged[merged.count - 1] = .reasoning(a + b)
            default: merged.append(event)
            }
        }
        return merged
    }

    private func events(
        _ text: String, _ configuration: ResponseParser.Configuration = .lfm(),
        ending: ResponseParser.Ending = .natural
    ) -> [Event] {
        events([Array(text.utf8)], configuration, ending: ending)
    }

    private func call(_ name: String, _ arguments: JSONObject = [:]) -> LeapFunctionCall {
        LeapFunctionCall(name: name, arguments: arguments)
    }

    private func withoutIssues(_ events: [Event]) -> [Event] {
        events.filter { if case .issue = $0 { false } else { true } }
    }

    private static let lfm = #"<|tool_call_start|>[f(a="x")]<|tool_call_end|>"#
    private static let hermes = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\"}}\n</tool_call>"

    @Test("Plain text passes through at once")
    func plain() {
        var parser = ResponseParser(.lfm())
        #expect(parser.consume("Hel".utf8) == [.text("Hel")])
        #expect(parser.consume("lo <b> 3 < 4".utf8) == [.text("lo <b> 3 < 4")])
        #expect(parser.consume(" <".utf8) == [.text(" ")])
        #expect(parser.consume("|too".utf8) == [])
        #expect(parser.consume("l".utf8) == [])
        #expect(parser.consume("s".utf8) == [.text("<|tools")])
        #expect(parser.finish(.natural) == [])
        #expect(parser.text == "Hello <b> 3 < 4 <|tools")
    }

    @Test("Text before a call streams, the call comes whole, space around calls does not appear")
    func textAndCalls() {
        let f = call("f", ["a": "x"])
        #expect(withoutIssues(events("Let me check." + Self.lfm)) == [.text("Let me check."), .calls([f])])
        #expect(withoutIssues(events(" \n" + Self.lfm + "\n" + Self.lfm + "\n")) == [.calls([f]), .calls([f])])
        #expect(withoutIssues(events(Self.lfm + "\nDone.")) == [.calls([f]), .text("\nDone.")])
        let hermes = ResponseParser.Configuration(functionCallParser: HermesFunctionCallParser())
        #expect(
            withoutIssues(events("Ok\n" + Self.hermes + "\n" + Self.hermes, hermes)) == [
                .text("Ok\n"), .calls([f]), .calls([f]),
            ])
    }

    @Test("Without a parser the marks stay in the text")
    func noParser() {
        #expect(events(Self.lfm, .init(functionCallParser: nil)) == [.text(Self.lfm)])
    }

    @Test("A parser of one's own is used")
    func ownParser() {
        let configuration = ResponseParser.Configuration(functionCallParser: SlashParser())
        #expect(
            withoutIssues(events("a«call»now«/call»b", configuration)) == [
                .text("a"), .calls([call("now")]), .text("b"),
            ])
    }

    @Test("Calls that do not fit are delivered and marked")
    func marked() {
        let found = events(Self.lfm, .lfm(functions: [LeapFunctionTests.weather]))
        guard case .calls(let calls)? = found.first, case .issue(let issue)? = found.last else {
            Issue.record("\(found)")
            return
        }
        #expect(calls[0].issue == "no function named 'f' is registered; there are: get_weather")
        #expect(issue.kind == .invalidFunctionCall)
        let fitting = events(
            #"<|tool_call_start|>[get_weather(city="Rome")]<|tool_call_end|>"#,
            .lfm(functions: [LeapFunctionTests.weather]))
        #expect(fitting == [.calls([call("get_weather", ["city": "Rome"])])])
    }

    @Test("Half a call stays text without its mark and is reported")
    func cutOff() {
        for ending in [ResponseParser.Ending.cutOff, .natural] {
            let found = events(#"Sure. <|tool_call_start|>[f(a="x"#, ending: ending)
            #expect(withoutIssues(found) == [.text(#"Sure. [f(a="x"#)])
            guard case .issue(let issue)? = found.last else {
                Issue.record("\(found)")
                return
            }
            #expect(issue.kind == .incompleteFunctionCall)
            #expect(issue.text == #"<|tool_call_start|>[f(a="x"#)
        }
        #expect(withoutIssues(events("<|tool_call_start|>[f()]<|tool_c", ending: .cutOff)) == [.text("[f()]")])
    }

    @Test("A whole call without its end mark counts where the model said that it was done, and only there")
    func missingEnd() {
        #expect(withoutIssues(events("<|tool_call_start|>[f()]")) == [.calls([call("f")])])
        #expect(withoutIssues(events("<|tool_call_start|>[f()]", ending: .cutOff)) == [.text("[f()]")])
    }

    @Test("What is no call between the marks becomes text and is reported")
    func malformed() {
        let found = events("a<|tool_call_start|>nothing<|tool_call_end|>b")
        #expect(withoutIssues(found) == [.text("anothing"), .text("b")])
        #expect(
            found.contains { if case .issue(let issue) = $0 { issue.kind == .malformedFunctionCall } else { false } })
        let deep = "<|tool_call_start|>[f(x=" + String(repeating: "[", count: 10_000) + "<|tool_call_end|>ok"
        #expect(events(deep).last == .text("ok"))
    }

    @Test("An end mark inside of a string does not end a call")
    func markInString() {
        let text = #"<|tool_call_start|>[f(a="<|tool_call_end|>", b=1)]<|tool_call_end|>!"#
        #expect(
            withoutIssues(events(text)) == [
                .calls([call("f", ["a": "<|tool_call_end|>", "b": .integer(1)])]), .text("!"),
            ])
        let open = #"<|tool_call_start|>[f(a="<|tool_call_end|> and on"#
        #expect(withoutIssues(events(open)) == [.text(#"[f(a=""#), .text(" and on")])
    }

    @Test("A call that never ends is text in the end, and takes bounded memory")
    func endless() {
        var parser = ResponseParser(.lfm())
        _ = parser.consume("<|tool_call_start|>[f(a=\"".utf8)
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
        var text = 0
        for _ in 0..<16 {
            for case .text(let string) in parser.consume(block) { text += string.utf8.count }
            #expect(parser.pending.count <= ResponseParser.maximumCallLength)
        }
        #expect(text > 1 << 19)
        #expect(parser.issues.map(\.kind) == [.malformedFunctionCall])
    }

    @Test("Reasoning is told from the answer")
    func reasoning() {
        #expect(events("<think>a b</think>c") == [.reasoning("a b"), .text("c")])
        #expect(events("\n<think>\n\na\n\nb\n\n</think>\n\nc\n\nd") == [.reasoning("a\n\nb"), .text("c\n\nd")])
        #expect(events("<think>\n\n</think>\n\nc") == [.text("c")])
        #expect(events("<think>a") == [.reasoning("a")])
        #expect(events("a <think>b</think>") == [.text("a <think>b</think>")])
        #expect(events("</think>\n\nb </think>") == [.text("b </think>")])
        #expect(events("\n</think>b", .lfm(inlineThinkingTags: true)) == [.text("\n</think>b")])
        #expect(events("a</think>b", .lfm(startsInReasoning: true)) == [.reasoning("a"), .text("b")])
        #expect(events("<think>a</think><think>b</think>c") == [.reasoning("a\nb"), .text("c")])
        #expect(events("<think>a</thin") == [.reasoning("a</thin")])
    }

    @Test("Reasoning with its marks in the text, where that is asked for")
    func inline() {
        var parser = ResponseParser(.lfm(inlineThinkingTags: true))
        _ = parser.consume("<think>\na\n</think>\n\nb".utf8)
        _ = parser.finish(.natural)
        #expect(parser.text == "<think>\na\n</think>\n\nb")
        #expect(parser.reasoning == "a")
        #expect(
            events("a</think>b", .lfm(startsInReasoning: true, inlineThinkingTags: true)) == [
                .text("<think>a</think>b")
            ])
    }

    @Test("A call of Liquid's models ends reasoning that was not closed; Hermes marks in reasoning are words")
    func callInReasoning() {
        #expect(
            withoutIssues(events("<think>a\n" + Self.lfm + "b")) == [
                .reasoning("a"), .calls([call("f", ["a": "x"])]), .text("b"),
            ])
        let hermes = ResponseParser.Configuration(functionCallParser: HermesFunctionCallParser())
        #expect(
            events("<think>use <tool_call> now</think>b", hermes) == [.reasoning("use <tool_call> now"), .text("b")])
    }

    @Test("A stop sequence ends the reply and is not part of it")
    func stop() {
        var parser = ResponseParser(.lfm(stopSequences: ["END", "\n\n"]))
        #expect(parser.consume("one E".utf8) == [.text("one ")])
        #expect(parser.consume("N".utf8) == [])
        #expect(parser.consume("D two".utf8) == [])
        #expect(parser.isStopped)
        #expect(parser.finish(.natural) == [])
        #expect(events("a\nb\n\nc", .lfm(stopSequences: ["END", "\n\n"])) == [.text("a\nb")])
    }

    static let replies: [String] = [
        "Hello, wörld! 漢字 😀 e\u{301} <|not a mark|> </think> <thin",
        "<think>\nAnna starts with 3 🍎.\n\n3 + 4 = 7\n</think>\n\nAnna has 7 🍎.",
        "Let me check that.\n"
            + #"<|tool_call_start|>[get_weather(city="São Paulo", days=[1, 2], o={"k": 'v"', "漢": None}), now()]<|tool_call_end|>"#
            + "\n" + #"<|tool_call_start|>[f(a="<|tool_call_end|>", b=1)]<|tool_call_end|> Done 😀."#,
        "<think>a" + lfm + hermes,
        hermes + "\n" + hermes + " ok",
        "x <|tool_call_start|>broken<|tool_call_end|> y <|tool_call_start|>[half(a='😀",
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"text\": \"say </tool_call> 😀\"}}\n</tool_call>tail",
        " \n\t<think></think>\n\n", "", "\n", "<", "<think", "<|tool_call_start|>",
    ]

    @Test("Events do not depend on where the pieces are cut", arguments: replies)
    func splits(reply: String) {
        let bytes = Array(reply.utf8)
        let configurations: [ResponseParser.Configuration] = [
            .lfm(), .init(functionCallParser: HermesFunctionCallParser()), .init(functionCallParser: nil),
            .lfm(startsInReasoning: true), .lfm(inlineThinkingTags: true), .lfm(stopSequences: ["7", "漢", "</"]),
            .lfm(startsInReasoning: true, inlineThinkingTags: true),
        ]
        for configuration in configurations {
            for ending in [ResponseParser.Ending.natural, .cutOff] {
                let whole = events([bytes], configuration, ending: ending)
                #expect(events(bytes.map { [$0] }, configuration, ending: ending) == whole)
                for cut in stride(from: 0, through: bytes.count, by: TestLevel.rounds(3, all: 1)) {
                    let pieces = [Array(bytes[..<cut]), Array(bytes[cut...])]
                    #expect(events(pieces, configuration, ending: ending) == whole, "cut at \(cut) of \(reply)")
                }
            }
        }
    }

    @Test("Events do not depend on the cuts for random replies either, broken UTF-8 included")
    func randomSplits() {
        let seed = UInt64.random(in: 0..<UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let words = [
            "<think>", "</think>", "<|tool_call_start|>", "<|tool_call_end|>", "<tool_call>", "</tool_call>", "[f(a=\"",
            "\")]", "[f()]",
            "{\"name\": \"f\"}", "\n", " ", "text", "😀", "é", "<", "<|", "STOP",
        ]
        for _ in 0..<400 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...12, using: &generator) {
                if Int.random(in: 0..<12, using: &generator) == 0 {
                    bytes.append(UInt8.random(in: 0x80...0xFF, using: &generator))
                } else {
                    bytes += Array((words.randomElement(using: &generator) ?? "").utf8)
                }
            }
            let parser: LeapFunctionCallParser? =
                [LFMFunctionCallParser(), HermesFunctionCallParser(), nil].randomElement(using: &generator) ?? nil
            let configuration = ResponseParser.Configuration(
                functionCallParser: parser, startsInReasoning: .random(using: &generator),
                inlineThinkingTags: .random(using: &generator),
                stopSequences: Bool.random(using: &generator) ? ["STOP"] : [])
            let ending: ResponseParser.Ending = Bool.random(using: &generator) ? .natural : .cutOff
            let whole = events([bytes], configuration, ending: ending)
            for _ in 0..<4 {
                var pieces: [[UInt8]] = []
                var rest = bytes[...]
                while !rest.isEmpty {
                    let length = Int.random(in: 1...min(5, rest.count), using: &generator)
                    pieces.append(Array(rest.prefix(length)))
                    rest = rest.dropFirst(length)
                }
                #expect(events(pieces, configuration, ending: ending) == whole, "seed \(seed): \(bytes)")
            }
        }
    }

    @Test("No piece of a mark is ever in a chunk of a reply with whole calls")
    func noMarkup() {
        for reply in Self.replies where reply.contains("[get_weather") {
            for event in events(Array(reply.utf8).map { [$0] }, .lfm()) {
                if case .text(let text) = event { #expect(!text.contains("tool_call") && !text.contains("<|")) }
            }
        }
    }
}

/// A parser with marks outside of ASCII.
private final class SlashParser: LeapFunctionCallParser, @unchecked Sendable {
    init() { super.init(toolCallStartToken: "«call»", toolCallEndToken: "«/call»") }

    override func parse(_ text: String, functions: [LeapFunction]) throws -> [LeapFunctionCall] {
        [LeapFunctionCall(name: text, arguments: [:] as [String: Any?])]
    }
}

extension ResponseParser.Configuration {
    /// A reply of one of Liquid's models.
    fileprivate static func lfm(
        functions: [LeapFunction] = [], startsInReasoning: Bool = false, inlineThinkingTags: Bool = false,
        stopSequences: [String] = []
    ) -> Self {
        Self(
            functionCallParser: LFMFunctionCallParser(), functions: functions, startsInReasoning: startsInReasoning,
            inlineThinkingTags: inlineThinkingTags, stopSequences: stopSequences)
    }
}
