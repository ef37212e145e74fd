import Foundation
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Syntaxes of calls: found in templates, read from what templates write, cut at every byte.
@Suite(.inTurns)
struct CallStyleTests {
    static let functions = [
        LeapFunctionTests.weather, LeapFunctionTests.everything,
        LeapFunction(
            name: "list-open-issues", description: "",
            parameters: [LeapFunctionParameter(name: "max-results", type: .LeapInt(), description: "")]),
    ]

    private static func call(_ name: String, _ arguments: String) -> LeapFunctionCall {
        (try? LeapFunctionCall(name: name, argumentsJSON: arguments)) ?? LeapFunctionCall(name: "", arguments: [:])
    }

    /// Calls with what is hard to read: braces, quotes and marks in strings, nesting, several scripts, numbers of both
    /// kinds.
    static let calls: [[LeapFunctionCall]] = [
        [call("get_weather", #"{"city":"São Paulo"}"#)],
        [
            call(
                "get_weather",
                #"{"city":"a \"}]\" </tool_call> [TOOL_CALLS] <|tool_call_end|> {'x': 1}","unit":"celsius"}"#)
        ],
        [call("everything", #"{"n":0.5,"i":2,"b":true,"l":["漢字","😀 \\ \n"],"o":{"z":false,"y":-3,"x":null}}"#)],
        [call("list-open-issues", #"{"max-results":3}"#)],
        [call("get_weather", #"{"city":"Oslo"}"#), call("get_weather", #"{"city":"Rome","unit":"celsius"}"#)],
    ]

    static func renderer(_ source: String) throws -> PromptRenderer {
        try PromptFormats.renderer(metadata: nil, tokenizer: nil, option: source, manifest: nil, path: "-")
    }

    /// Returns the text that a template writes between the start of the assistant's turn and its end, for a message
    /// with calls.
    static func reply(_ renderer: PromptRenderer, _ calls: [LeapFunctionCall]) throws -> String {
        var request = PromptRequest(messages: [ChatMessage(role: .user, textContent: "What is it?")])
        request.functions = functions
        // Some templates begin replies with an empty thought where none is wanted.
        request.variables = ["enable_thinking": .bool(true), "bos_token": "", "eos_token": ""]
        let start = try renderer.render(request).string
        request.messages.append(ChatMessage(role: .assistant, content: [], functionCalls: calls))
        request.addGenerationPrompt = false
        var text = try renderer.render(request).string[...]
        // Where a template begins the turn with more than the prompt has, that is part of what is written.
        var shared = zip(start, text).prefix { $0 == $1 }.map(\.0)[...]
        if shared.count < start.count {
            // The prompt begins a thought where the message has none; a mark that begins like the thought's is part of
            // what is written.
            while let last = shared.last, last != ">", last != "\n" { shared.removeLast() }
        }
        text = text.dropFirst(shared.count)
        let behindCalls = renderer.callStyle.marks.turnEnds
        let ends = (renderer.formatter.turnEnds + behindCalls).compactMap { text.range(of: $0)?.lowerBound }
        return String(ends.max().map { text[..<$0] } ?? text)
    }

    private static func parser(_ style: any CallStyle) -> ResponseParser {
        ResponseParser(.init(functionCallParser: style, functions: functions))
    }

    /// Reads a reply in pieces.
    private static func read(_ pieces: [[UInt8]], _ style: any CallStyle) -> ResponseParser {
        var parser = parser(style)
        for piece in pieces { _ = parser.consume(piece) }
        _ = parser.finish(.natural)
        return parser
    }

    /// Checks that a reply gives these calls and no text, wherever it is cut.
    private static func expectCalls(_ reply: String, _ style: any CallStyle, _ calls: [LeapFunctionCall]) {
        let bytes = Array(reply.utf8)
        let whole = read([bytes], style)
        #expect(whole.calls == calls, "\(reply)")
        // The template of one sorts keys.
        if !(style is Gemma4FunctionCallParser) {
            #expect(whole.calls.map(\.argumentsJSON) == calls.map(\.argumentsJSON), "\(reply)")
        }
        #expect(!whole.text.contains { !$0.isWhitespace }, "\(whole.text) in \(reply)")
        #expect(whole.issues.isEmpty, "\(whole.issues) in \(reply)")
        guard whole.calls == calls else { return }
        // The single bytes below are cuts at all places too.
        let wrong = stride(from: 0, through: bytes.count, by: TestLevel.rounds(5, all: 1)).filter { cut in
            let parts = read([Array(bytes[..<cut]), Array(bytes[cut...])], style)
            return parts.calls != calls || parts.text != whole.text
        }
        #expect(wrong.isEmpty, "cut at \(wrong) of \(reply)")
        let single = read(bytes.map { [$0] }, style)
        #expect(single.calls == calls && single.text == whole.text, "\(reply)")
    }

    @Test(
        "The style is found in a template, and reads what the template writes, cut at every byte",
        arguments: 0..<StyleTemplates.all.count - 1)
    func templates(index: Int) throws {
        let (style, source) = StyleTemplates.all[index]
        let renderer = try Self.renderer(source)
        #expect(type(of: renderer.callStyle).styleName == style)
        for calls in Self.calls where calls.count == 1 || !["llama3", "harmony"].contains(style) {
            Self.expectCalls(try Self.reply(renderer, calls), renderer.callStyle, calls)
        }
    }

    @Test(
        "The style is found in published templates, and reads what they write, cut at every byte",
        .enabled(if: PublishedTemplate.folder != nil, "the folder of published templates is not there"),
        arguments: PublishedTemplate.here)
    func published(template: PublishedTemplate) throws {
        let renderer = try Self.renderer(String(contentsOf: try #require(template.file), encoding: .utf8))
        #expect(type(of: renderer.callStyle).styleName == template.style)
        for (index, calls) in Self.calls.enumerated()
        where calls.count == 1 || !["llama3", "harmony"].contains(template.style) {
            // It writes strings between single quotes as they are, so the second call cannot be read.
            if template.name == "LFM2.5-8B-A1B", index == 1 { continue }
            Self.expectCalls(try Self.reply(renderer, calls), renderer.callStyle, calls)
        }
    }

    @Test("docs/Models.md tells the styles of published templates, and none that there is not")
    func measuredTable() throws {
        let names = Set(CallStyles.all.map { $0.styleName })
        for row in try MeasuredTable.rows.get() { #expect(names.isSuperset(of: row.styles), "\(row.architecture)") }
        for template in PublishedTemplate.all {
            guard let architecture = template.architecture else { continue }
            #expect(try MeasuredTable.row(architecture).styles.contains(template.style), "\(template.name)")
        }
    }

    @Test(
        "A template that loses calls gets them as the model's text, and they are read where the end behind all of them is missing"
    )
    func distilled() throws {
        let renderer = try Self.renderer(StyleTemplates.distilled)
        let style = try #require(renderer.callStyle as? DeepSeekFunctionCallParser)
        for calls in Self.calls {
            var request = PromptRequest(messages: [
                ChatMessage(role: .user, textContent: "?"),
                ChatMessage(role: .assistant, content: [], functionCalls: calls),
            ])
            request.addGenerationPrompt = false
            let text = try renderer.render(request).string
            let reply = text.replacing("<｜User｜>?<｜Assistant｜>", with: "").replacing("<｜end▁of▁sentence｜>", with: "")
            #expect(text.hasPrefix("<｜User｜>?<｜Assistant｜>") && reply == style.dump(calls))
            Self.expectCalls(reply, style, calls)
            // As published templates write a single call.
            Self.expectCalls(reply.replacing(style.toolCallEndToken, with: ""), style, calls)
        }
    }

    @Test("A call in DeepSeek's syntax ends reasoning, and one that does not end, or has no name or object, is text")
    func fencedCalls() {
        let style = DeepSeekFunctionCallParser()
        var parser = ResponseParser(
            .init(functionCallParser: style, functions: Self.functions, startsInReasoning: true))
        _ = parser.consume(("Hm." + style.dump(Self.calls[0])).utf8)
        _ = parser.finish(.natural)
        #expect(parser.reasoning == "Hm." && parser.calls == Self.calls[0] && parser.text.isEmpty)
        let (start, mark) = (DeepSeekFunctionCallParser.callStart, DeepSeekFunctionCallParser.separator)
        for body in [
            "", "function", "function\(mark)", "function\(mark)\n```json\n{}\n```", "function\(mark)get_weather",
            "function\(mark)get_weather\n```json\n{}", "function\(mark)get_weather\n[1]",
            "function\(mark)get_weather\n```json\n{\"city\": \"a", "\(mark){}", "function\(mark)get_weather\n{}\(mark)",
        ] {
            let found = Self.read([Array((style.toolCallStartToken + start + body).utf8)], style)
            #expect(found.calls.isEmpty && found.issues.count == 1 && found.text == start + body, "\(body)")
        }
    }

    @Test("Every style reads what it writes, with text before and after", arguments: 0...CallStyles.all.count)
    func dumps(index: Int) {
        let style: any CallStyle =
            index < CallStyles.all.count
            ? CallStyles.all[index].init() : MistralFunctionCallParser(namesBeforeArguments: true)
        for calls in Self.calls {
            let written = style.dump(calls)
            Self.expectCalls(written, style, calls)
            Self.expectCalls("\n \n" + written + "\n", style, calls)
            guard !style.marks.allowsBareObject else { continue }
            let reply = Self.read([Array(("Let me see. " + written + " Done.").utf8)], style)
            #expect(reply.calls == calls && reply.text == "Let me see.  Done.", "\(reply.text)")
        }
    }

    @Test("Half a call at the token limit is text and no call, wherever it ends", arguments: 0...CallStyles.all.count)
    func halves(index: Int) {
        let style: any CallStyle =
            index < CallStyles.all.count
            ? CallStyles.all[index].init() : MistralFunctionCallParser(namesBeforeArguments: true)
        let calls = [Self.call("everything", #"{"n":0.5,"l":["a}","b"],"o":{"z":false}}"#)]
        let written = Array(style.dump(calls).utf8)
        let start = style.marks.allowsBareObject ? 9 : style.toolCallStartToken.utf8.count
        // Without the last bracket, and without the end mark, there is no call.
        let end = written.count - style.toolCallEndToken.utf8.count - 1
        for length in start..<end {
            var parser = Self.parser(style)
            _ = parser.consume(written[..<length])
            _ = parser.finish(.cutOff)
            #expect(parser.calls.isEmpty, "\(length)")
            #expect(parser.issues.map(\.kind) == [.incompleteFunctionCall], "\(length)")
            let kept = style.marks.allowsBareObject ? written[..<length] : written[start..<length]
            // The beginning of an end mark is not taken for text.
            let end = (0..<max(style.marks.end.utf8.count, 1)).last {
                kept.ends(with: style.marks.end.utf8.prefix($0))
            }
            let text = String(decoding: kept.dropLast(end ?? 0), as: UTF8.self)
            #expect(parser.text == (text.allSatisfy(\.isWhitespace) ? "" : text), "\(length)")
        }
    }

    @Test(
        "What models write besides",
        arguments: [
            (
                "llama3", #"<|python_tag|>{"name": "get_weather", "parameters": {"city": "Oslo"}}"#,
                #"get_weather {"city":"Oslo"}"#, ""
            ),
            ("llama3", #"<|python_tag|>get_weather.call(city="Oslo")"#, #"get_weather {"city":"Oslo"}"#, ""),
            (
                "llama3",
                #"{"type": "function", "name": "get_weather", "parameters": {"city": "Oslo"}} ; {"name": "get_weather", "parameters": {}}"#,
                #"get_weather {"city":"Oslo"}|get_weather {}"#, ""
            ),
            ("llama3", #" {"name": "John", "age": 3}"#, "", #" {"name": "John", "age": 3}"#),
            ("llama3", #"{"answer": {"name": "get_weather"}}"#, "", #"{"answer": {"name": "get_weather"}}"#),
            (
                "llama3", #"So {"name": "get_weather", "parameters": {}}"#, "",
                #"So {"name": "get_weather", "parameters": {}}"#
            ),
            ("llama3", "{}", "", "{}"), ("llama3", "{", "", "{"),
            (
                "mistral",
                #"[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Oslo"}, "id": "abcdefghi"}] ok"#,
                #"get_weather {"city":"Oslo"}"#, " ok"
            ),
            (
                "mistral", #"[TOOL_CALLS]get_weather[CALL_ID]abc123[ARGS]{"city": "Oslo"}"#,
                #"get_weather {"city":"Oslo"}"#, ""
            ),
            ("mistral", #"[TOOL_CALLS]get_weather{"city": "Oslo"}"#, #"get_weather {"city":"Oslo"}"#, ""),
            (
                "granite", #"<tool_call>[{"arguments": {"city": "Oslo"}, "name": "get_weather"}]</tool_call>"#,
                #"get_weather {"city":"Oslo"}"#, ""
            ),
            (
                "granite", #"<|tool_call|>{"name": "get_weather", "arguments": {"city": "Oslo"}}"#,
                #"get_weather {"city":"Oslo"}"#, ""
            ),
            (
                "xml", "<tool_call><function=get_weather><parameter=city>Oslo</parameter></function></tool_call> ok",
                #"get_weather {"city":"Oslo"}"#, " ok"
            ),
            (
                "xml",
                "<tool_call>\n<function=get_weather>\n<parameter=city>\n\n</parameter> <b>\n</parameter>\n</function>\n<function=get_weather>\n</function>\n</tool_call>",
                #"get_weather {"city":"\n</parameter> <b>"}|get_weather {}"#, ""
            ),
            (
                "xml",
                "<tool_call>\n<function=everything>\n<parameter=b>\nTrue\n</parameter>\n<parameter=i>\n12\n</parameter>\n<parameter=x>\n12\n</parameter>\n<parameter=y>\n1.2.3\n</parameter>\n</tool_call>",
                #"everything {"b":true,"i":12,"x":12,"y":"1.2.3"}"#, ""
            ),
            (
                "xml",
                "<tool_call>\n<function=get_weather>\n<parameter=city>\n12\n</parameter>\n</function>\n</tool_call>",
                #"get_weather {"city":"12"}"#, ""
            ),
            (
                "xml", #"<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>"#,
                #"get_weather {"city":"Oslo"}"#, ""
            ),
            (
                "atem",
                "<atem:function_calls><atem:invoke name=\"get_weather\"><atem:parameter name=\"city\">\n 12</atem:parameter></atem:invoke></atem:function_calls> ok",
                #"get_weather {"city":"\n 12"}"#, " ok"
            ),
            (
                "atem",
                "<atem:function_calls>\n<atem:invoke name=\"everything\">\n<atem:parameter name=\"b\">true</atem:parameter>\n<atem:parameter name=\"i\">12</atem:parameter>\n</atem:invoke>\n<atem:invoke name=\"ns.get_weather\">\n</atem:invoke>\n</atem:function_calls>",
                #"everything {"b":true,"i":12}|get_weather {}"#, ""
            ),
            (
                "deepseek",
                #"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜> ok"#,
                #"get_weather {"city":"Oslo"}|get_weather {}"#, " ok"
            ),
            (
                "deepseek", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n\n```<｜tool▁call▁end｜>",
                "get_weather {}", ""
            ),
            (
                "deepseek", #"<｜tool▁calls▁begin｜>function<｜tool▁sep｜>get_weather {"city": "Oslo"}"#,
                #"get_weather {"city":"Oslo"}"#, ""
            ),
            (
                "hermes", #"<tool_call>[{"name": "get_weather", "arguments": "{\"city\": \"Oslo\"}"}]</tool_call>"#,
                #"get_weather {"city":"Oslo"}"#, ""
            ),
        ])
    func variants(style: String, reply: String, expected: String, text: String) throws {
        let style = try #require(CallStyles.named(style))
        let bytes = Array(reply.utf8)
        for cut in 0...bytes.count {
            let found = Self.read([Array(bytes[..<cut]), Array(bytes[cut...])], style)
            #expect(found.calls.map { "\($0.name) \($0.argumentsJSON)" }.joined(separator: "|") == expected)
            #expect(found.text == text)
        }
    }

    @Test("A mark without a call is text and is reported", arguments: ["mistral", "granite", "llama3"])
    func marksInText(name: String) throws {
        let style = try #require(CallStyles.named(name))
        let found = Self.read([Array((style.toolCallStartToken + "!? no").utf8)], style)
        #expect(found.calls.isEmpty && found.text == "!? no")
        #expect(found.issues.count == 1)
    }

    @Test("Objects are no calls where no function is registered, and stop sequences count in them")
    func bareObjects() {
        let reply = #"{"name": "get_weather", "parameters": {}}"#
        var parser = ResponseParser(.init(functionCallParser: Llama3FunctionCallParser()))
        #expect(parser.consume(reply.utf8) == [.text(reply)])
        parser = ResponseParser(
            .init(functionCallParser: Llama3FunctionCallParser(), functions: Self.functions, stopSequences: ["}"]))
        _ = parser.consume(#"{"name": "John"} more"#.utf8)
        #expect(parser.isStopped && parser.text == #"{"name": "John""#)
    }

    @Test("Without a word in the template the vocabulary tells, and without that there is a style all the same")
    func vocabulary() throws {
        let plain = try #require(StyleTemplates.all.last).source
        let known = try PromptFormats.renderer(
            metadata: nil, tokenizer: DemoVocabulary.tokenizer, option: plain, manifest: nil, path: "-")
        #expect(known.callStyle is LFMFunctionCallParser)
        #expect(CallStyles.find(in: ["[TOOL_CALLS]\n[ARGS]\n<tool_call>"]).instructions.contains("[ARGS]"))
        #expect(CallStyles.find(in: ["<tool_call>"]) is GraniteFunctionCallParser)
        #expect(CallStyles.find(in: ["<|python_tag|>"]) is Llama3FunctionCallParser)
        #expect(CallStyles.find(in: []) is HermesFunctionCallParser)
    }

    @Test(
        "A conversation calls in the style of its template; an explicit parser wins, and nil leaves the text",
        arguments: 0..<StyleTemplates.all.count)
    func conversation(index: Int) async throws {
        let (style, source) = StyleTemplates.all[index]
        // In this vocabulary the marks of Liquid's models are tokens, and decide for the template without any.
        let name = index == StyleTemplates.all.count - 1 ? "lfm" : style
        let builder = PromptBuilder(
            tokenizer: DemoVocabulary.tokenizer,
            formatter: try TemplateFormatter(source: source, origin: "test", bosToken: nil, eosToken: nil))
        let written = try #require(CallStyles.named(name)).dump(Self.calls[0])
        let other: LeapFunctionCallParser = name == "lfm" ? HermesFunctionCallParser() : LFMFunctionCallParser()
        for (options, text) in [
            (GenerationOptions(), ""), (GenerationOptions(functionCallParser: nil), written),
            (GenerationOptions(functionCallParser: other), written),
        ].prefix(TestLevel.isAll || index % 4 == 0 ? 3 : 1) {
            let (runner, _) = DemoVocabulary.runner([.init(text: written)], builder: builder)
            let conversation = runner.createConversation(systemPrompt: nil)
            conversation.registerFunctions(Self.functions)
            let responses = try await conversation.generateResponse(
                userTextMessage: "?", generationOptions: options
            ).collect()
            #expect(responses.calls.map(\.argumentsJSON) == (text.isEmpty ? [#"{"city":"São Paulo"}"#] : []))
            // Tokens of marks stay out of the text where no parser of theirs asks for them.
            if options.functionCallParser !== other || name != "lfm" { #expect(responses.text == text) }
        }
    }
}

extension Collection where Element: Equatable {
    fileprivate func ends(with other: some Collection<Element>) -> Bool { suffix(other.count).elementsEqual(other) }
}
