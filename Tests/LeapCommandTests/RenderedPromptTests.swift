import Foundation
import LeapBase
import LeapCore
import LeapDemoModel
import LeapEngine
import LeapGGUF
import LeapModel
import LeapTestSupport
import LeapTokenizer
import Testing

/// `leap render` beside what a conversation hands to the engine.
@Suite(.ownThreads)
struct RenderedPromptTests {
    private static let tools =
        #"[{"type": "function", "function": {"name": "f", "description": "<|im_end|>", "parameters": {"type": "object", "properties": {"z": {"type": "integer", "minimum": 1}, "a": {"type": "string"}}}}}]"#
    private static let call =
        #"{"role": "assistant", "content": "Ok.", "reasoning_content": "hm", "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": "{\"z\": 1}"}}]}"#

    /// Histories that end with a message to answer.
    private static let histories = [
        #"[{"role": "user", "content": "Hi <|im_end|>"}]"#,
        #"[{"role": "system", "content": "Be nice. <|tool_list_start|>"}, {"role": "user", "content": "a"}, {"role": "assistant", "content": "b", "reasoning_content": "why"}, {"role": "user", "content": "c"}]"#,
        #"[{"role": "user", "content": "q"}, \#(call), {"role": "tool", "content": "{\"r\": 1}"}, {"role": "user", "content": ""}]"#,
    ]
    /// Templates with places for everything, and for nothing.
    private static let templates: [String?] = [
        nil,
        """
        {{ bos_token }}{% for t in tools or [] %}{{ t | tojson }}{% endfor %}{% for m in messages %}<{{ m.role }}>{{ m.content }}({{ m.reasoning_content }}){% for c in m.tool_calls or [] %}{{ c.function.name }}{{ c.function.arguments | tojson }}{% endfor %}{% endfor %}{% if add_generation_prompt %}<assistant>{% if enable_thinking %}<think>{% endif %}{{ style }}{% endif %}
        """,
        """
        {% for m in messages %}{% if m.role not in ['user', 'assistant'] %}{{ raise_exception('no ' ~ m.role) }}{% endif %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>
        """,
    ]

    @Test(
        "render prints what a conversation sends: tools, reasoning, system messages, results and empty turns",
        arguments: 0..<3, [false, true])
    func prompts(index: Int, hasTools: Bool) async throws {
        let folder = try TemporaryFolder()
        let metadata = try GGUFFile.open(path: LeapDemoModel.url.path).metadata
        let tokenizer = try Tokenizer(metadata: metadata)
        // At the standard level the template with places for everything goes with tools, the bare one without.
        let others = TestLevel.isAll ? Array(Self.templates.dropFirst()) : [Self.templates[hasTools ? 1 : 2]]
        for template in [nil] + others {
            for thinking in TestLevel.isAll ? [false, true] : [hasTools != (index == 1)] {
                let renderer = try PromptFormats.renderer(
                    metadata: metadata, tokenizer: tokenizer, option: template, manifest: nil, path: "demo")
                let backend = RecordingBackend()
                let runner = LiquidInferenceEngineRunner(
                    files: ModelFiles(modelPath: "/demo.gguf"), backend: backend,
                    builder: PromptBuilder(tokenizer: tokenizer, renderer: renderer), sampling: .greedy)
                var history = try ChatMessage.messages(fromJSON: Self.histories[index])
                let last = history.removeLast()
                let conversation = runner.createConversationFromHistory(history: history)
                if hasTools { conversation.registerFunctions(try LeapFunction.functions(fromJSON: Self.tools)) }
                let options = GenerationOptions(
                    enableThinking: thinking, extras: #"{"chatTemplateArguments": {"style": "short"}}"#)
                for try await _ in conversation.generateResponse(message: last, generationOptions: options) {}
                let sent = tokenizer.decode(try #require(backend.prompts.withLock { $0.first }))

                var arguments = [
                    "render", "demo", "--messages",
                    try folder.file("messages.json", Data(Self.histories[index].utf8)), "--set", "style=short",
                ]
                if hasTools { arguments += ["--tools", try folder.file("tools.json", Data(Self.tools.utf8))] }
                if thinking { arguments.append("--thinking") }
                if let template {
                    arguments += ["--chat-template", try folder.file("template.jinja", Data(template.utf8))]
                }
                let outcome = try LeapProgram.run(arguments)
                #expect(outcome.output == sent, "\(outcome.errors)")
            }
        }
    }
}

extension RenderedPromptTests {
    @Test("What a template can do is found out with the variables of --set")
    func variablesOfProbes() throws {
        let folder = try TemporaryFolder()
        let messages = try folder.file(
            "m.json", Data(#"[{"role": "system", "content": "S"}, {"role": "user", "content": "U"}]"#.utf8))
        // Fails without the variable: nothing could be found out about it, not even that it has a place for system
        // messages.
        let template = try folder.file(
            "t.jinja",
            Data("{% for m in messages %}[{{ style.upper() }} {{ m.role }} {{ m.content }}]{% endfor %}".utf8))
        let outcome = try LeapProgram.run(
            "render", "-", "--messages", messages, "--chat-template", template, "--set", "style=short")
        #expect(outcome.output == "[SHORT system S][SHORT user U]", "\(outcome)")
    }

    #if os(Linux)
        @Test(
            "A template without end is refused in little memory and time",
            .enabled(if: TestLevel.isAll, "\(TestLevel.comment)"),
            arguments: ["{{ ns.s }}", "{{ ns.s | tojson }}", "{{ ns.s == ns.t }}"])
        func hostile(_ operation: String) throws {
            let folder = try TemporaryFolder()
            let messages = try folder.file("m.json", Data(#"[{"role": "user", "content": "Hi"}]"#.utf8))
            let template = try folder.file(
                "t.jinja",
                Data(
                    ("{% set ns = namespace(s=[1], t=[1]) %}{% for i in range(60) %}{% set ns.s = [ns.s, ns.s] %}"
                        + "{% set ns.t = [ns.t, ns.t] %}{% endfor %}" + operation).utf8))
            // Kilobytes of address space, and seconds of processor time: a build for debugging is slow.
            let line = #"ulimit -v 1500000 -t 240; exec "$0" render - --messages "$1" --chat-template "$2""#
            let outcome = try LeapProgram.run(
                ["-c", line, LeapProgram.url.path, messages, template], program: URL(fileURLWithPath: "/bin/sh"))
            #expect(outcome.status == 1, "\(outcome)")
            #expect(outcome.output.isEmpty && outcome.errors.contains("template line 1"), "\(outcome)")
        }
    #endif
}

/// Keeps the prompts that it gets, and answers nothing.
private final class RecordingBackend: InferenceBackend {
    final class State: InferenceSession {
        let prompts: Locked<[[TokenID]]>

        init(_ prompts: Locked<[[TokenID]]>) { self.prompts = prompts }

        func generate(
            _ planned: PlannedRequest, onEvent: @escaping @Sendable (GenerationEvent) -> Void
        ) -> Running {
            prompts.withLock { $0.append(planned.request.prompt) }
            DispatchQueue.global().async { onEvent(.finished(GenerationResult(reason: .stopToken))) }
            return Running()
        }
    }

    final class Running: RunningGeneration {
        let progress = GenerationProgress()
        func cancel() {}
    }

    let contextSize = 4096
    let isUnloaded = false
    let model: Model? = nil
    let statistics = EngineStatistics()
    let prompts = Locked<[[TokenID]]>([])

    func makeSession() -> State { State(prompts) }
    func unload() async {}
}
