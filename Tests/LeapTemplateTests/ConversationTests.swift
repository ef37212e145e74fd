import LeapTemplate
import Testing

/// Whole chat templates of our own with every conversation, against what transformers rendered.
struct ConversationTests {
    @Test(
        "Chat templates render conversations as transformers does", arguments: ["parts", "schemas", "strict", "turns"])
    func goldens(_ name: String) throws {
        let template = try ChatTemplate(source: try Fixtures.text("Goldens/chat/\(name).jinja"))
        let goldens = try Fixtures.json("Goldens/chat/\(name).golden.json")
        let files = try Fixtures.files(in: "Conversations", suffix: ".json")
        try #require(files.count >= 30)
        for file in files {
            let conversation = try Fixtures.json("Conversations/\(file)")
            let golden = try #require(goldens[String(file.dropLast(5))], "no golden for \(file)")
            let rendered = Result { () throws(TemplateError) in
                try template.render(
                    messages: Fixtures.array(conversation["messages"]) ?? [],
                    tools: Fixtures.array(conversation["tools"]),
                    documents: Fixtures.array(conversation["documents"]),
                    addGenerationPrompt: conversation["add_generation_prompt"] != .bool(false),
                    bosToken: "<s>", eosToken: "</s>", extra: Fixtures.object(conversation["extra"]),
                    clock: Fixtures.clock)
            }
            switch rendered {
            case .success(let text):
                let expected = golden["text"]?.stringValue
                #expect(expected.map { text.utf8.elementsEqual($0.utf8) } == true, "\(name) × \(file): \(text)")
            case .failure(let error):
                #expect(golden["text"] == nil, "\(name) × \(file) must render, but: \(error)")
            }
        }
    }

    @Test("Messages are normalized as transformers does")
    func normalization() throws {
        let template = try ChatTemplate(source: "{{ messages | tojson }}{{ tools }}{{ documents }}")
        let messages: [TemplateValue] = [
            ["role": "assistant", "content": nil, "tool_calls": nil, "reasoning_content": "why"],
            ["role": "assistant", "thinking": "hm", "content": "x"],
            ["role": "user", "content": "y"],
        ]
        let text = try template.render(messages: messages)
        #expect(
            text == """
                [{"thinking": "why", "role": "assistant", "reasoning_content": "why"}, \
                {"thinking": "hm", "role": "assistant", "content": "x", "reasoning_content": "hm"}, \
                {"role": "user", "content": "y"}]NoneNone
                """)
    }

    @Test("A message that is no object is refused")
    func badMessage() throws {
        let template = try ChatTemplate(source: "x")
        #expect(throws: TemplateError.self) { try template.render(messages: ["hello"]) }
    }

    @Test("Keyword arguments win over the standard variables, and tokens may be absent")
    func variables() throws {
        let template = try ChatTemplate(
            source: "{{ bos_token is defined }} {{ add_generation_prompt }} {{ enable_thinking }} {{ eos_token }}")
        let text = try template.render(
            messages: [], eosToken: "</s>", extra: ["add_generation_prompt": "mine", "enable_thinking": false])
        #expect(text == "False mine False </s>")
    }

    @Test("One compiled template renders on many tasks at once")
    func concurrency() async throws {
        let template = try ChatTemplate(source: try Fixtures.text("Goldens/chat/turns.jinja"))
        let conversation = try Fixtures.json("Conversations/27-tool-reasoning.json")
        let messages = try #require(Fixtures.array(conversation["messages"]))
        let tools = Fixtures.array(conversation["tools"])
        let expected = try template.render(messages: messages, tools: tools)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<64 { group.addTask { try template.render(messages: messages, tools: tools) } }
            for try await text in group { #expect(text == expected) }
        }
    }
}

extension Result where Failure == TemplateError {
    fileprivate init(catching body: () throws(TemplateError) -> Success) {
        do { self = .success(try body()) } catch { self = .failure(error) }
    }
}
