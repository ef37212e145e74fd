import Foundation
import LeapTestSupport
import Testing

/// The command line, run as a program on the embedded model.
@Suite(.ownThreads)
struct CommandTests {
    private struct RunLine: Decodable {
        struct Stats: Decodable {
            let prompt_tokens: Int
            let completion_tokens: Int
            let total_tokens: Int
        }
        let text: String
        let finish_reason: String
        let stats: Stats
    }

    @Test("Every command explains itself")
    func help() throws {
        let commands = [
            "demo", "chat", "run", "inspect", "tokenize", "detokenize", "render", "embed", "eval", "bench",
        ]
        for command in commands {
            let outcome = try LeapProgram.run(command, "--help")
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("USAGE: leap \(command)"))
        }
    }

    @Test("run answers on standard output and nothing else goes there")
    func run() throws {
        let outcome = try LeapProgram.run(
            "run", "demo", "--prompt", "What is the capital of Portugal?", "--temperature", "0")
        #expect(outcome.status == 0)
        #expect(outcome.output == "The capital of Portugal is Lisbon.\n")
    }

    @Test("run takes the prompt from standard input")
    func runFromStandardInput() throws {
        let outcome = try LeapProgram.run(
            "run", "demo", "--prompt", "-", "--temperature", "0", input: "What is the capital of France?")
        #expect(outcome.output == "The capital of France is Paris.\n")
    }

    @Test("run --json gives text, finish reason and stats; the token limit is told")
    func runJSON() throws {
        let whole = try LeapProgram.run(
            "run", "demo", "--prompt", "Count to 5.", "--temperature", "0", "--json")
        let line = try JSONDecoder().decode(RunLine.self, from: Data(whole.output.utf8))
        #expect(line.text == "1, 2, 3, 4, 5.")
        #expect(line.finish_reason == "stop")
        #expect(line.stats.total_tokens == line.stats.prompt_tokens + line.stats.completion_tokens)

        let cut = try LeapProgram.run(
            "run", "demo", "--prompt", "Tell me a story.", "--temperature", "0", "--max-tokens", "5", "--json")
        let short = try JSONDecoder().decode(RunLine.self, from: Data(cut.output.utf8))
        #expect(short.stats.completion_tokens == 5)
        #expect(short.finish_reason != "stop")
    }

    @Test("The same seed gives the same text, whatever the number of threads")
    func seeds() throws {
        func story(threads: String) throws -> String {
            try LeapProgram.run(
                "run", "demo", "--prompt", "Tell me a story.", "--seed", "7", "--temperature", "1.2", "--threads",
                threads, "--max-tokens", "16"
            ).output
        }
        let first = try story(threads: "1")
        #expect(try first == story(threads: "2"))
        #expect(!first.isEmpty)
    }

    @Test("tokenize and detokenize undo each other")
    func tokenizeRoundTrip() throws {
        let text = "Grüße aus 東京 🦊\n\ttabs  and   spaces\n"
        let ids = try LeapProgram.run("tokenize", "demo", input: text)
        #expect(ids.status == 0)
        let back = try LeapProgram.run("detokenize", "demo", input: ids.output)
        #expect(back.output == text)
    }

    @Test("tokenize knows special tokens, --literal reads them as text, --no-bos leaves the first one out")
    func tokenizeSpecials() throws {
        #expect(try LeapProgram.run("tokenize", "demo", input: "<|im_end|>").output == "[1, 7]\n")
        #expect(try LeapProgram.run("tokenize", "demo", "--no-bos", input: "<|im_end|>").output == "[7]\n")
        let literal = try LeapProgram.run("tokenize", "demo", "--no-bos", "--literal", input: "<|im_end|>")
        #expect(literal.output != "[7]\n")
        #expect(try LeapProgram.run("detokenize", "demo", input: literal.output).output == "<|im_end|>")
    }

    @Test("tokenize and detokenize take what they are given, or standard input")
    func tokenizeText() throws {
        let given = try LeapProgram.run("tokenize", "demo", "The fox")
        #expect(given.status == 0, "\(given.errorLine)")
        #expect(try given.output == LeapProgram.run("tokenize", "demo", input: "The fox").output)
        #expect(try LeapProgram.run("tokenize", "demo", "-", input: "The fox").output == given.output)
        let ids = given.output.trimmingCharacters(in: .newlines)
        #expect(try LeapProgram.run("detokenize", "demo", ids).output == "The fox")
        #expect(try LeapProgram.run("detokenize", "demo", "fox").errorLine.contains("IDS is not a JSON array"))
    }

    @Test("inspect prints the names of keys and tensors without weights, and cuts long arrays")
    func inspectNames() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/lfm3vl/mmproj-lfm3vl.gguf").path
        let text = try LeapProgram.run("inspect", path, "--names")
        #expect(text.status == 0)
        let lines = text.output.split(separator: "\n")
        #expect(lines.first == "GGUF version 3, 18 keys, 44 tensors" && lines.count == 63, "\(lines.count)")
        for line in [
            "clip.projector_type  string  \"lfm3\"", "clip.vision.patch_size  uint32  16",
            "clip.has_vision_encoder  bool  true", "clip.vision.image_mean  3 × float32  0.5, 0.5, 0.5",
            "v.blk.0.shortconv.conv.weight  F32  3 × 3 × 1 × 48", "mm.1.bias  F32  96",
        ] { #expect(lines.contains { $0 == line }, "\(line)") }
        #expect(!text.output.contains(path))
        let model = try LeapProgram.run("inspect", "demo", "--names").output.split(separator: "\n")
        let tokens = try #require(model.first { $0.hasPrefix("tokenizer.ggml.tokens  ") })
        #expect(tokens.contains(" × string  \"") && tokens.hasSuffix(", …") && tokens.count < 1000)
        let template = try #require(model.first { $0.hasPrefix("tokenizer.chat_template  string  ") })
        #expect(template.contains("…\" (") && template.hasSuffix(" bytes)"))
        let json = try LeapProgram.run("inspect", path, "--names", "--json").output
        #expect(json.contains(#"{"name":"clip.vision.patch_size","type":"uint32","value":"16"}"#))
        #expect(json.contains(#""name":"mm.2.weight""#))
    }

    @Test("inspect shows what a file holds, as text and as JSON")
    func inspect() throws {
        let text = try LeapProgram.run("inspect", "demo")
        #expect(text.status == 0)
        #expect(text.output.contains("lfm2"))
        let outcome = try LeapProgram.run("inspect", "demo", "--json", "--tensors")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(object["architecture"] as? String == "lfm2")
        #expect(object["layers"] as? Int == 8)
        #expect((object["tensors"] as? [Any])?.isEmpty == false)
    }

    @Test("eval writes one row of float32 logits per token", arguments: ["f32", "q8_0"])
    func eval(keyValueType: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("logits.f32")
        let outcome = try LeapProgram.run(
            "eval", "demo", "--tokens", "1,6,410", "--logits", path, "--kv", keyValueType)
        #expect(outcome.status == 0)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(data.count == 3 * 4096 * 4)
    }

    @Test(
        "bench --profile accounts for all of the time and all of the weights",
        .enabled(if: TestLevel.isAll, "\(TestLevel.comment)"))
    func benchProfile() throws {
        let outcome = try LeapProgram.run(
            "bench", "demo", "--prompt", "16", "--generate", "4", "--threads", "2", "--profile", "--json")
        #expect(outcome.status == 0)
        let report = try JSONDecoder().decode(Profile.self, from: Data(outcome.output.utf8))
        #expect(report.limit_bytes_per_second > 0 && report.limit_int8_operations_per_second > 0)
        #expect(report.limit_sustained_bytes_per_second > 0)
        #expect(report.reading_second <= report.reading_products)
        for phase in [report.prefill, report.decode] {
            #expect(phase.operations.contains { $0.name.hasPrefix("product ") && $0.bytes > 0 && $0.operations > 0 })
            #expect(phase.operations.contains { $0.name == "attention" })
            let total = phase.operations.reduce(0) { $0 + $1.ms }
            #expect(abs(total - phase.ms) < phase.ms * 1e-6)
            // Every thread's time is that of the phase, and a little until it is read.
            #expect(phase.threads.count == 2 && phase.threads[1].alone_ms == 0)
            for thread in phase.threads {
                let time = thread.shared_ms + thread.alone_ms + thread.idle_ms
                #expect(time >= phase.ms && thread.asleep_ms <= thread.idle_ms + 1e-9)
                #expect(abs(thread.share_idle - thread.idle_ms / time) < 1e-9)
            }
            #expect(phase.threads[0].shared_ms > 0 && phase.threads[0].alone_ms > 0)
        }
        // Every weight is multiplied once in each of the four steps.
        let bytes = { (phase: Profile.Phase) in
            phase.operations.filter { $0.name.hasPrefix("product ") }.reduce(0) { $0 + $1.bytes }
        }
        #expect(bytes(report.decode) == 4 * bytes(report.prefill))
    }

    private struct Profile: Decodable {
        struct Operation: Decodable {
            let name: String
            let ms: Double
            let bytes: Int
            let operations: Int
        }

        struct Thread: Decodable {
            let shared_ms: Double
            let alone_ms: Double
            let idle_ms: Double
            let asleep_ms: Double
            let share_idle: Double
        }

        struct Phase: Decodable {
            let ms: Double
            let operations: [Operation]
            let threads: [Thread]
        }

        let limit_sustained_bytes_per_second: Double
        let reading_products: Int
        let reading_second: Int
        let limit_bytes_per_second: Double
        let limit_int8_operations_per_second: Double
        let prefill: Phase
        let decode: Phase
    }

    @Test("bench reports every number")
    func bench() throws {
        let outcome = try LeapProgram.run(
            "bench", "demo", "--prompt", "16", "--generate", "4", "--repetitions", "1", "--sequences", "2", "--json")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        for key in ["load_ms", "prefill_tps", "decode_tps", "sequences_tps", "peak_rss_bytes", "private_rss_bytes"] {
            #expect((object[key] as? Double).map { $0 > 0 } == true, "\(key)")
        }
    }

    @Test("chat saves a conversation with its state and takes it up in another process")
    func savedConversation() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("talk.leap")
        let first = try LeapProgram.run(
            "chat", "demo", "--temperature", "0", input: "What is the capital of Portugal?\n/save \(file)\n")
        #expect(first.errors.contains("(saved 2 messages and the state of "))
        let second = try LeapProgram.run(
            "chat", "demo", "--temperature", "0", input: "/load \(file)\nWhat is the capital of France?\n/stats\n")
        #expect(second.errors.contains("(loaded 2 messages and the state of "))
        #expect(second.output.contains("Paris"))
        let other = try LeapProgram.run(
            "chat", "demo", "--temperature", "0", "--kv", "f32", input: "/load \(file)\n")
        #expect(other.errors.contains("whose state must be recomputed: it was computed with kv_cache_type f16"))
    }

    @Test("run and bench take a draft model; one that is not there is named")
    func draftModel() throws {
        let demo = try #require(
            try LeapProgram.run("inspect", "demo", "--json").output.split(separator: "\"").first {
                $0.hasSuffix(".gguf") && $0.hasPrefix("/")
            }.map { $0.replacingOccurrences(of: "\\/", with: "/") })
        let question = ["run", "demo", "--prompt", "What is the capital of Portugal?", "--temperature", "0"]
        let outcome = try LeapProgram.run(question + ["--draft-model", demo])
        #expect(outcome.output == "The capital of Portugal is Lisbon.\n" && outcome.status == 0)
        let missing = try LeapProgram.run(question + ["--draft-model", "/missing.gguf"])
        #expect(missing.status != 0 && missing.errorLine.contains("/missing.gguf"))
        let bench = try LeapProgram.run(
            "bench", "demo", "--prompt", "16", "--generate", "8", "--repetitions", "1", "--speculation",
            "--draft-model", demo)
        #expect(bench.output.contains("greedy") && bench.output.contains("sampled"))
    }

    @Test("bench --interference reports both sides", .enabled(if: TestLevel.isAll, "\(TestLevel.comment)"))
    func benchInterference() throws {
        let outcome = try LeapProgram.run(
            "bench", "demo", "--prompt", "200", "--generate", "4", "--repetitions", "2", "--interference", "--json")
        let lines = try outcome.output.split(separator: "\n").map {
            try JSONDecoder().decode([String: Double].self, from: Data($0.utf8))
        }
        #expect(lines.count == 2 && lines.allSatisfy { $0.count == 7 && $0.values.allSatisfy { $0 > 0 } })
    }

    @Test(
        "bench --speculation reports outputs that edit, are new, and mislead",
        .enabled(if: TestLevel.isAll, "\(TestLevel.comment)"))
    func benchSpeculation() throws {
        let outcome = try LeapProgram.run(
            "bench", "demo", "--prompt", "128", "--generate", "80", "--repetitions", "1", "--speculation", "--json")
        var accepted: [String: Int] = [:]
        for line in outcome.output.split(separator: "\n") {
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let drafted = try #require(object["drafted"] as? Int)
            let right = try #require(object["accepted"] as? Int)
            #expect(right <= drafted && (object["plain_tps"] as? Double ?? 0) > 0)
            accepted[try #require(object["workload"] as? String)] = right
        }
        #expect(accepted.count == 3 && accepted["new"] == 0 && accepted["misleading"] == 0)
        #expect((accepted["edit"] ?? 0) > 40)
    }

    private static let tools = """
        [{"type": "function", "function": {"name": "get_weather", "description": "Query the weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "The city name"}},
        "required": ["city"]}}}]
        """

    @Test("render prints the prompt of the model's template and nothing else")
    func render() throws {
        let folder = try TemporaryFolder()
        let messages = try folder.file("m.json", Data(#"[{"role": "user", "content": "Hi <|im_end|>"}]"#.utf8))
        let tools = try folder.file("t.json", Data(#"[{"name": "f"}]"#.utf8))
        let plain = try LeapProgram.run("render", "demo", "--messages", messages, "--no-generation-prompt")
        #expect(plain.output == "<|startoftext|><|im_start|>user\nHi <|im_end|><|im_end|>\n")
        #expect(plain.errors.isEmpty)
        let whole = try LeapProgram.run("render", "demo", "--messages", messages, "--tools", tools)
        #expect(
            whole.output == "<|startoftext|><|im_start|>system\nList of tools: <|tool_list_start|>[{\"name\": \"f\"}]"
                + "<|tool_list_end|><|im_end|>\n<|im_start|>user\nHi <|im_end|><|im_end|>\n<|im_start|>assistant\n")
        let template = try folder.file(
            "own.jinja", Data("{{ messages[0].content | upper }}{{ n + 1 }}{{ word }}{{ enable_thinking }}".utf8))
        let own = try LeapProgram.run(
            "render", "-", "--messages", messages, "--chat-template", template, "--set", "n=41", "--set", "word=x y",
            "--set", "enable_thinking=true")
        #expect(own.output == "HI <|IM_END|>42x yTrue")
    }

    @Test("--call-style chooses the syntax of calls, in prompts and in answers")
    func callStyles() throws {
        let folder = try TemporaryFolder()
        let tools = try folder.file("tools.json", Data(Self.tools.utf8))
        let messages = try folder.file("m.json", Data(#"[{"role": "user", "content": "q"}]"#.utf8))
        let template = try folder.file(
            "plain.jinja", Data("{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}".utf8))
        func told(_ style: String) throws -> String {
            try LeapProgram.run(
                "render", "demo", "--messages", messages, "--tools", tools, "--chat-template", template, "--call-style",
                style
            ).output
        }
        #expect(try told("auto").contains(#"<|tool_call_start|>[function_name(argument="value")]<|tool_call_end|>"#))
        #expect(try told("granite").contains(#"<|tool_call|>[{"name": "function_name""#))
        #expect(
            try told("xml").contains("<tool_call>\n<function=function_name>\n<parameter=argument>\nvalue\n</parameter>")
        )
        let question = ["run", "demo", "--prompt", "What is the weather in Lisbon?", "--tools", tools]
        let raw = try LeapProgram.run(question + ["--temperature", "0", "--json", "--call-style", "raw"])
        #expect(raw.output.contains("<|tool_call_start|>") && !raw.output.contains("tool_calls"))
        let unknown = try LeapProgram.run(question + ["--call-style", "morse"])
        #expect(unknown.status != 0 && unknown.errors.contains("llama3"), "\(unknown.errors)")
    }

    @Test("run --tools prints calls as JSON")
    func runWithTools() throws {
        let folder = try TemporaryFolder()
        let tools = try folder.file("tools.json", Data(Self.tools.utf8))
        let outcome = try LeapProgram.run(
            "run", "demo", "--prompt", "What is the weather in Lisbon?", "--tools", tools, "--temperature", "0",
            "--json")
        #expect(outcome.output.contains(#""tool_calls":[{"arguments":{"city":"Lisbon"},"name":"get_weather"}]"#))
        #expect(!outcome.output.contains("tool_call_start"))
    }

    @Test("chat --tools shows a call, asks for its result and goes on")
    func chatWithTools() throws {
        let folder = try TemporaryFolder()
        let tools = try folder.file("tools.json", Data(Self.tools.utf8))
        let outcome = try LeapProgram.run(
            "chat", "demo", "--tools", tools, "--temperature", "0",
            input: "What is the weather in Lisbon?\n{\"temperature\": 24, \"conditions\": \"sunny\"}\n")
        #expect(outcome.errors.contains(#"call get_weather({"city":"Lisbon"})"#))
        #expect(outcome.output.contains("24 degrees"))
    }

    @Test("chat keeps the conversation, its commands work, and it ends with its input")
    func chat() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("saved.json")
        let first = try LeapProgram.run(
            "chat", "demo", "--temperature", "0",
            input: "My name is Mira.\nWhat is my name?\n/stats\n/save \(file)\n/nonsense\n/quit\n")
        #expect(first.status == 0)
        #expect(first.output.contains("Your name is Mira."))
        #expect(first.errors.contains("/nonsense is not a command"))
        #expect(first.errors.contains("last answer: "))
        #expect(first.errors.contains(" tokens generated in 2 answers; "))
        let second = try LeapProgram.run(
            "chat", "demo", "--temperature", "0", input: "/load \(file)\nWhat is my name?\n")
        #expect(second.output.contains("Your name is Mira."))
    }

    @Test("demo runs to its end by itself")
    func demo() throws {
        let outcome = try LeapProgram.run("demo")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("The capital of Portugal is Lisbon."))
        #expect(outcome.output.contains("Your name is Mira."))
        #expect(outcome.output.contains("Which team should read it?  billing"), "\(outcome.output)")
    }
}
