import FoundationEssentials
import LeapBase
import LeapDemoModel
import LeapEngine
import LeapGGUF
import LeapJSON
import LeapTemplate
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore

@Suite(.inTurns)
struct TemplateFormatterTests {
    private let tokenizer = DemoVocabulary.tokenizer

    private func builder(_ source: String) throws -> PromptBuilder {
        PromptBuilder(
            tokenizer: tokenizer,
            formatter: try TemplateFormatter(
                source: source, origin: "test", bosToken: "<|startoftext|>", eosToken: "<|im_end|>"))
    }

    private func text(
        _ source: String, _ messages: [ChatMessage], functions: [LeapFunction] = [], variables: JSONObject = [:]
    ) throws -> String {
        var request = PromptBuilder.Request(messages: messages)
        request.functions = functions
        request.variables = variables
        return try builder(source).build(request).text
    }

    @Test("The demo model's own template is used, with one bos token")
    func demo() throws {
        let metadata = try GGUFFile.open(path: LeapDemoModel.url.path).metadata
        let builder = try PromptFormats.builder(
            metadata: metadata, tokenizer: tokenizer, option: nil, manifest: nil, path: "demo")
        var request = PromptBuilder.Request(messages: [
            ChatMessage(role: .system, textContent: "s"), ChatMessage(role: .user, textContent: "<|im_end|>"),
        ])
        request.functions = [LeapFunctionTests.weather]
        let prompt = try builder.build(request)
        #expect(
            prompt.text.hasPrefix(
                "<|startoftext|><|im_start|>system\ns\nList of tools: <|tool_list_start|>[{\"name\": \"get_weather\""))
        #expect(prompt.tokens.filter { $0 == 1 }.count == 1)
        #expect(prompt.tokens.filter { $0 == 7 }.count == 2)
        #expect(builder.turnEnds.tokens.contains(7) && builder.turnEnds.texts.isEmpty)
    }

    @Test("Option beats manifest, manifest beats file; without any there is ChatML")
    func precedence() throws {
        let metadata = try GGUFFile.open(path: LeapDemoModel.url.path).metadata
        func text(_ option: String?, _ manifest: String?) throws -> String {
            try PromptFormats.builder(
                metadata: metadata, tokenizer: tokenizer, option: option, manifest: manifest, path: "demo"
            )
            .build(.init(messages: [ChatMessage(role: .user, textContent: "q")])).text
        }
        #expect(try text("option {{ messages[0].content }}", "manifest") == "option q")
        #expect(try text(nil, "manifest {{ messages[0].content }}") == "manifest q")
        #expect(try text(nil, nil).hasPrefix("<|startoftext|>"))
        let error = #expect(throws: LeapModelLoadingException.self) { try text("a\n{{ x | nonsense }}", nil) }
        #expect(
            error?.message.contains("the option chatTemplate cannot be used: template line 2") == true,
            "\(error?.message ?? "")")
    }

    @Test("A template without a character, or of white space alone, is none")
    func empty() throws {
        let metadata = try GGUFFile.open(path: LeapDemoModel.url.path).metadata
        func text(_ metadata: GGUFMetadata, _ option: String?, _ manifest: String?) throws -> String {
            try PromptFormats.renderer(
                metadata: metadata, tokenizer: tokenizer, option: option, manifest: manifest, path: "demo"
            ).render(.init(messages: [ChatMessage(role: .user, textContent: "q")])).string
        }
        let own = try text(metadata, nil, nil)
        #expect(own.contains("<|im_start|>user\nq<|im_end|>"))
        #expect(try text(metadata, "", " \n") == own)
        #expect(try text(metadata, "", "{{ messages[0].content }}") == "q")
        for blank in ["", " \n\t"] {
            let file = try GGUFMetadata([("tokenizer.chat_template", .string(GGUFString(blank)))])
            #expect(try text(file, nil, nil).hasPrefix("<|im_start|>user\nq<|im_end|>"))
            let tools = try GGUFMetadata([
                ("tokenizer.chat_template", .string(GGUFString(blank))),
                ("tokenizer.chat_template.tool_use", .string(GGUFString("tools: {{ messages[0].content }}"))),
            ])
            #expect(try text(tools, nil, nil) == "tools: q")
        }
    }

    @Test("Where every prompt has the same variables, the template is probed with them")
    func probedVariables() throws {
        let source =
            "{% for m in messages %}{{ open + m.role }}{{ m.content }}{% endfor %}"
        let history = [
            ChatMessage(role: .system, textContent: "s"), ChatMessage(role: .user, textContent: "q"),
            ChatMessage(role: .assistant, textContent: "a"), ChatMessage(role: .tool, textContent: "r"),
        ]
        var request = PromptRequest(messages: history)
        request.variables = ["open": "|"]
        let renderer = try PromptFormats.renderer(
            metadata: nil, tokenizer: nil, option: source, manifest: nil, path: "-", variables: ["open": "|"])
        #expect(try renderer.render(request).string == "|systems|userq|assistanta|toolr")
    }

    @Test("Calls, results and reasoning reach a template that has places for them as data")
    func data() throws {
        let source = """
            {%- for m in messages %}{{ m.role }}:{{ m.content or '' }}{% if m.reasoning_content %}({{ m.reasoning_content }}){% endif %}\
            {%- for c in m.tool_calls or [] %}[{{ c.function.name }} {{ c.function.arguments | tojson }} {{ c.id }}]{% endfor %}\
            {%- if m.tool_call_id %}<{{ m.tool_call_id }}>{% endif %};{% endfor %}{% for t in tools or [] %}{{ t.function.name }}{% endfor %}
            """
        let messages = [
            ChatMessage(role: .user, textContent: "q"),
            ChatMessage(
                role: .assistant, content: [], reasoningContent: "hm",
                functionCalls: [LeapFunctionCall(name: "get_weather", arguments: ["city": "Oslo"])]),
            ChatMessage(role: .tool, textContent: "{}"),
        ]
        #expect(
            try text(source, messages, functions: [LeapFunctionTests.weather])
                == #"user:q;assistant:(hm)[get_weather {"city": "Oslo"} call_1_0];tool:{}<call_1_0>;get_weather"#)
    }

    @Test("What a template has no place for goes where it has one")
    func fallbacks() throws {
        let strict = """
            {%- for m in messages %}{% if m.role not in ['user', 'assistant'] %}{{ raise_exception('no ' ~ m.role) }}{% endif %}\
            {%- if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('turns must alternate') }}{% endif %}\
            <{{ m.role }}>{{ m.content }}</s>{% endfor %}
            """
        let messages = [
            ChatMessage(role: .system, textContent: "Be nice."), ChatMessage(role: .user, textContent: "q"),
            ChatMessage(
                role: .assistant, content: [.text("a")],
                functionCalls: [LeapFunctionCall(name: "f", arguments: ["x": 1])]),
            ChatMessage(role: .tool, textContent: "1"), ChatMessage(role: .tool, textContent: "2"),
        ]
        #expect(
            try text(strict, messages)
                == "<user>Be nice.\n\nq</s><assistant>a<|tool_call_start|>[f(x=1)]<|tool_call_end|></s>"
                + "<user><tool_response>\n1\n</tool_response>\n<tool_response>\n2\n</tool_response></s>")
        let tools = try text(strict, [messages[1]], functions: [LeapFunctionTests.weather])
        #expect(tools.hasPrefix("<user>List of tools: [{"))
        let parts = "{% for m in messages %}{% for p in m.content %}{{ p.text }}{% endfor %};{% endfor %}"
        #expect(try text(parts, [messages[1]]) == "q;")
    }

    @Test("enable_thinking and the extras' variables reach the template")
    func variables() async throws {
        let source =
            "{{ messages[-1].content }}|{{ enable_thinking }}|{{ style }}|{% if enable_thinking %}<think>\n{% endif %}"
        let builder = try builder(source)
        let (runner, backend) = DemoVocabulary.runner(["hm</think>yes", "no"], builder: builder)
        let conversation = runner.createConversation(systemPrompt: nil)
        let options = GenerationOptions(enableThinking: true, extras: #"{"chatTemplateArguments":{"style":"short"}}"#)
        let responses = try await conversation.generateResponse(userTextMessage: "q", generationOptions: options)
            .collect()
        #expect(responses.reasoning == "hm" && responses.text == "yes")
        let prompt = tokenizer.decode(try #require(backend.requests.withLock { $0.first }).prompt)
        #expect(prompt.hasSuffix("q|True|short|<think>\n"))
        let plain = try await conversation.generateResponse(userTextMessage: "q").collect()
        #expect(plain.text == "no" && plain.reasoning.isEmpty)
    }

    @Test("A template that refuses, loops for ever or fails is an error of the generation that names the line")
    func refusals() async throws {
        for (source, expected) in [
            ("\n{{ raise_exception('only ducks') }}", "only ducks"),
            ("{{ 'x' * 999999999 }}", "template line"),
            ("{{ messages[0].content.nothing.more }}", "template line 1"),
        ] {
            let (runner, _) = DemoVocabulary.runner([], builder: try builder(source))
            let error = await #expect(throws: LeapGenerationException.self) {
                try await runner.createConversation().generateResponse(userTextMessage: "q").collect()
            }
            #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
        }
    }

    @Test("Without a model the prompt is written too, and has no special tokens")
    func renderer() throws {
        let renderer = try PromptFormats.renderer(
            metadata: nil, tokenizer: nil,
            option:
                "{{ bos_token }}{{ messages[0].content }}{{ tools[0].function.name }}{{ x }}{{ add_generation_prompt }}",
            manifest: nil, path: "-")
        var request = PromptRequest(messages: [ChatMessage(role: .user, textContent: "<|im_end|>")])
        request.functions = try LeapFunction.functions(fromJSON: #"[{"name":"f"}]"#)
        request.addGenerationPrompt = false
        request.variables = ["x": .integer(3)]
        #expect(try renderer.render(request).string == "<|im_end|>f3False")
        let plain = try PromptFormats.renderer(metadata: nil, tokenizer: nil, option: nil, manifest: nil, path: "-")
        #expect(
            try plain.render(PromptRequest(messages: [ChatMessage(role: .user, textContent: "q")])).string
                == "<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n")
    }
}
