import Foundation
import LeapJSON
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

/// Reasoning between other marks than `<think>` and `</think>`.
@Suite(.inTurns)
struct ReasoningMarkTests {
    private static func marks(_ template: String) -> ReasoningMarks { ReasoningMarks.found(in: [template]) }

    @Test("A template shows which marks its model writes")
    func found() {
        #expect(Self.marks("{{ '[THINK]' + m.thinking + '[/THINK]' }}").start == "[THINK]")
        #expect(Self.marks(StyleTemplates.bareKeys).end == "<channel|>")
        #expect(Self.marks("<think>").start == "<think>")
        // Half of a pair is none.
        #expect(Self.marks("[THINK]") == .think && Self.marks("") == .think)
    }

    @Test(
        "Reasoning is told from the answer, cut at every byte",
        arguments: [
            ("[THINK]", "[/THINK]", "[THINK]Hm.[/THINK]Yes.", "Hm.", "Yes."),
            ("[THINK]", "[/THINK]", "<think>no</think>", "", "<think>no</think>"),
            ("[THINK]", "[/THINK]", "[/THINK]\n\nYes.", "", "Yes."),
            ("<|channel>thought", "<channel|>", "<|channel>thought\nHm.\n<channel|>Yes.", "Hm.", "Yes."),
            ("<|channel>thought", "<channel|>", "<|channel>thought\n<channel|>Yes.", "", "Yes."),
        ])
    func parsed(start: String, end: String, text: String, reasoning: String, answer: String) {
        let marks = Self.marks(start + end)
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var parser = ResponseParser(.init(reasoningMarks: marks))
            _ = parser.consume(bytes[..<cut])
            _ = parser.consume(bytes[cut...])
            _ = parser.finish(.natural)
            #expect(parser.reasoning == reasoning && parser.text == answer, "cut at \(cut) of \(text)")
        }
        var inline = ResponseParser(.init(inlineThinkingTags: true, reasoningMarks: marks))
        _ = inline.consume(bytes)
        _ = inline.finish(.natural)
        #expect(inline.text.hasPrefix("<think>") == text.hasPrefix(start) || reasoning.isEmpty)
    }

    @Test(
        "Published templates show the marks of their models, and prompts that end inside of reasoning say so",
        .enabled(if: PublishedTemplate.folder != nil, "the folder of published templates is not there"),
        arguments: PublishedTemplate.here)
    func published(template: PublishedTemplate) throws {
        let formatter = try TemplateFormatter(
            source: String(contentsOf: try #require(template.file), encoding: .utf8), origin: template.name,
            bosToken: nil, eosToken: nil)
        let builder = PromptBuilder(tokenizer: DemoVocabulary.tokenizer, formatter: formatter)
        // Harmony has channels in place of marks.
        #expect(formatter.traits.reasons == (template.reasoning != nil || template.style == "harmony"))
        guard let start = template.reasoning else { return }
        #expect(builder.renderer.reasoning.start == start)
        var request = PromptRequest(messages: [ChatMessage(role: .user, textContent: "Hi")])
        request.variables = ["enable_thinking": .bool(true), "thinking": .bool(true)]
        let open = try builder.build(request).openReasoning
        #expect((open != nil) == template.opensReasoning, "\(open ?? "")")
        #expect(open?.hasPrefix(start) != false)
    }

    @Test("A prompt that ends inside of reasoning says so by the marks of its template")
    func open() throws {
        let formatter = try TemplateFormatter(
            source: "{{ messages[0].content }}[THINK]{# [/THINK] #}", origin: "test", bosToken: nil, eosToken: nil)
        let builder = PromptBuilder(tokenizer: DemoVocabulary.tokenizer, formatter: formatter)
        #expect(builder.renderer.formatter.traits.reasons)
        let request = PromptRequest(messages: [ChatMessage(role: .user, textContent: "Hi")])
        #expect(try builder.build(request).openReasoning == "[THINK]")
    }

    @Test(
        "A conversation reads reasoning and calls by the marks of its template, and stops where a result is asked for")
    func conversation() async throws {
        let formatter = try TemplateFormatter(
            source: StyleTemplates.bareKeys, origin: "test", bosToken: nil, eosToken: nil)
        let (runner, _) = DemoVocabulary.runner(
            [
                .init(
                    text:
                        "<|channel>thought\nHm.\n<channel|>I look. <|tool_call>call:get_weather{city:<|\"|>Rome<|\"|>}"
                        + "<tool_call|><|tool_response>response:get_weather{}")
            ], builder: PromptBuilder(tokenizer: DemoVocabulary.tokenizer, formatter: formatter))
        let conversation = runner.createConversation(systemPrompt: nil)
        conversation.registerFunctions(CallStyleTests.functions)
        let reply = try await conversation.generateResponse(userTextMessage: "?").collect()
        #expect(reply.reasoning == "Hm." && reply.text == "I look. ")
        #expect(reply.calls.map(\.argumentsJSON) == [#"{"city":"Rome"}"#])
    }

    @Test("Values without quotes, in quotes and between marks are read alike, and what is no object is refused")
    func values() throws {
        let parser = Gemma4FunctionCallParser()
        func arguments(_ text: String) throws -> String {
            try parser.parse("call:f" + text, functions: []).map(\.argumentsJSON).joined()
        }
        #expect(try arguments(#"{a:<|"|>x,"}<|"|>,b:2,c:true,d:None}"#) == #"{"a":"x,\"}","b":2,"c":true,"d":null}"#)
        #expect(
            try arguments(#"{ "a": "x\n", b : hello world , c:[1, {d:<|"|><|"|>}] }"#)
                == #"{"a":"x\n","b":"hello world","c":[1,{"d":""}]}"#)
        #expect(try arguments("{}") == "{}")
        for text in ["", "{", "{a}", "{a:}", "{a:1", "{a:1 b:2}", "{:1}", "{a:[1}", "[1]", "{a:1}x", "{a:<|\"|>x}"] {
            #expect(throws: FunctionCallSyntaxError.self, "\(text)") { try arguments(text) }
        }
        let deep = String(repeating: "[", count: 10_000)
        #expect(throws: FunctionCallSyntaxError.self) { try arguments("{a:" + deep) }
    }
}
