import Foundation
import LeapJSON
import Testing

@testable import LeapChat

/// Histories that a format refuses, and what is changed of them.
struct HistoryRepairTests {
    private static func renderer(_ source: String) throws -> PromptRenderer {
        try PromptFormats.renderer(metadata: nil, tokenizer: nil, option: source, manifest: nil, path: "-")
    }

    private static let rest =
        "{% for m in messages %}[{{ m.role }}]{{ m.content or '' }}{% for c in m.tool_calls or [] %}<{{ c.function.name }} {{ c.function.arguments | tojson }}>{% endfor %}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}"

    /// Refuses histories without a message of the user that is no result, as Qwen3.5.
    private static let query = """
        {%- set found = namespace(yes=false) %}
        {%- for m in messages %}{% if m.role == 'user' and not m.content.startswith('<tool_response>') %}{% set found.yes = true %}{% endif %}{% endfor %}
        {%- if not found.yes %}{{ raise_exception('no user query') }}{% endif %}
        """

    /// Refuses calls without results, as some of Mistral's.
    private static let counted = """
        {%- set count = namespace(calls=0, results=0) %}
        {%- for m in messages %}{% if m.tool_calls %}{% set count.calls = count.calls + m.tool_calls | length %}{% elif m.role == 'tool' %}{% set count.results = count.results + 1 %}{% endif %}{% endfor %}
        {%- if count.calls != count.results %}{{ raise_exception('calls and results') }}{% endif %}
        """

    private static let call = ChatMessage(
        role: .assistant, content: [],
        functionCalls: [
            LeapFunctionCall(name: "f", arguments: ["x": 1], id: "a"),
            LeapFunctionCall(name: "g", arguments: [:], id: "b"),
        ])

    private static func result(_ id: String?) -> ChatMessage {
        var message = ChatMessage(role: .tool, textContent: "done")
        message.toolCallId = id
        return message
    }

    @Test("A format that demands a message of the user gets an empty one where there is none")
    func users() throws {
        let renderer = try Self.renderer(Self.query + Self.rest)
        let system = ChatMessage(role: .system, textContent: "Go on.")
        for messages in [
            [system, ChatMessage(role: .user, textContent: "<tool_response>\na\n</tool_response>")],
            [system, Self.call, Self.result("a"), Self.result("b")],
        ] {
            let text = try renderer.render(PromptRequest(messages: messages)).string
            #expect(text.contains("[system]Go on.") && text.contains("[user]"), "\(text)")
        }
        // What the format takes is not changed.
        let plain = PromptRequest(messages: [system, ChatMessage(role: .user, textContent: "Hi")])
        #expect(try renderer.render(plain).string == "[system]Go on.[user]Hi[assistant]")
    }

    @Test("A format that counts results gets one for each call")
    func calls() throws {
        let renderer = try Self.renderer(Self.counted + Self.rest)
        let user = ChatMessage(role: .user, textContent: "Hi")
        for (results, missing) in [([], 2), ([Self.result("b")], 1), ([Self.result(nil)], 1)] {
            let request = PromptRequest(messages: [user, Self.call] + results + [user])
            let text = try renderer.render(request).string
            #expect(text.components(separatedBy: "(no result)").count == missing + 1, "\(text)")
        }
    }

    @Test("A refusal that nothing helps against is told as the format says it")
    func refusals() throws {
        let renderer = try Self.renderer("{{ raise_exception('never') }}")
        let error = #expect(throws: LeapGenerationException.self) {
            try renderer.render(PromptRequest(messages: [ChatMessage(role: .user, textContent: "Hi")]))
        }
        #expect(error?.message.contains("never") == true)
    }
}
