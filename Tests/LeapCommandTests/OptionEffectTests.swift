import Foundation
import LeapDemoModel
import LeapTestSupport
import Testing

/// The effects of options that no other test of the program shows.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct OptionEffectTests {
    private func story(_ arguments: String...) throws -> String {
        let outcome = try LeapProgram.run(["run", "demo", "Tell me a story.", "--max-tokens", "20"] + arguments)
        #expect(outcome.status == 0, "\(arguments): \(outcome.errorLine)")
        return outcome.output
    }

    @Test("Each option of sampling changes what is drawn")
    func sampling() throws {
        let greedy = try story("--temperature", "0")
        let hot = ["--temperature", "3", "--seed", "5"]
        func heated(_ more: String...) throws -> String {
            try LeapProgram.run(["run", "demo", "Tell me a story.", "--max-tokens", "20"] + hot + more).output
        }
        let free = try heated("--top-k", "0", "--top-p", "1", "--min-p", "0")
        #expect(free != greedy)
        #expect(try heated("--top-k", "0", "--top-p", "1", "--min-p", "0", "--seed", "6") != free)
        // What leaves only the likeliest token is greedy.
        #expect(try heated("--top-k", "1") == greedy)
        #expect(try heated("--top-p", "0.0001") == greedy)
        #expect(try heated("--min-p", "1") == greedy)
        #expect(try story("--temperature", "0", "--repetition-penalty", "5") != greedy)
    }

    @Test("--system and --tools are part of the prompt")
    func system() throws {
        func tokens(_ arguments: String...) throws -> Int {
            struct Line: Decodable {
                struct Stats: Decodable { let prompt_tokens: Int }
                let stats: Stats
            }
            let outcome = try LeapProgram.run(["run", "demo", "Hi", "--json", "--max-tokens", "1"] + arguments)
            return try JSONDecoder().decode(Line.self, from: Data(outcome.output.utf8)).stats.prompt_tokens
        }
        let folder = try TemporaryFolder()
        let tools = try folder.file("tools.json", Data(#"[{"name": "f"}]"#.utf8))
        #expect(try tokens() < tokens("--system", "Be nice."))
        #expect(try tokens() < tokens("--tools", tools))
    }

    @Test("--gpu says what became of the layers that a GPU was to compute, and LEAP_GPU which one it is")
    func gpu() throws {
        func run(_ arguments: String..., device: String = "") throws -> LeapProgram.Outcome {
            try LeapProgram.run(
                ["run", "demo", "Hi", "--max-tokens", "3", "--temperature", "0"] + arguments,
                environment: ["LEAP_GPU": device])
        }
        let plain = try run(), none = try run("--gpu", "0", device: TestLevel.softwareGPU)
        #expect(plain.status == 0 && !plain.errors.contains("nGpuLayers") && !none.errors.contains("nGpuLayers"))
        let all = try run("--gpu", "all", device: TestLevel.softwareGPU),
            other = try run("--gpu", "2", device: "no such device")
        #expect(all.output == plain.output && other.output == plain.output)
        #expect(all.errors.contains("nGpuLayers is all"), "\(all.errorLine)")
        let isThere = all.errors.contains("runs layers 1 to 8 of 8 and the output head")
        #expect(isThere || all.errors.contains("the CPU runs every layer"), "\(all.errorLine)")
        #expect(other.errors.contains("nGpuLayers is 2, but no GPU is used"), "\(other.errorLine)")
        #expect(!isThere || other.errors.contains("no such device"))
        #expect(try run("--gpu", "most").status == 64)
        let decoder = try run("--audio-decoder-gpu")
        #expect(decoder.output == plain.output && !plain.errors.contains("audioDecoderUseGpu"))
        #expect(decoder.errors.contains("audioDecoderUseGpu is on, but the model has no audio decoder"))
        // A loader that finds no driver.
        let without = try LeapProgram.run(
            ["run", "demo", "Hi", "--max-tokens", "3", "--temperature", "0", "--gpu", "99"],
            environment: ["LEAP_GPU": "", "VK_ICD_FILENAMES": "/nowhere.json", "VK_DRIVER_FILES": "/nowhere.json"])
        #expect(without.status == 0 && without.output == plain.output)
        #expect(without.errors.contains("nGpuLayers is 99, but no GPU is used"), "\(without.errorLine)")
    }

    @Test("bench tells which GPU computes which layers, and fits what it holds for them")
    func gpuFigures() throws {
        func bench(_ arguments: String..., device: String = TestLevel.softwareGPU) throws -> [String: Any] {
            let outcome = try LeapProgram.run(
                ["bench", "demo", "--prompt", "8", "--generate", "2", "--repetitions", "1", "--json"] + arguments,
                environment: ["LEAP_GPU": device])
            return try #require(
                try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any],
                "\(outcome.errorLine)")
        }
        let plain = try bench(), all = try bench("--gpu", "all"), one = try bench("--gpu", "1")
        #expect(plain["gpu_layers"] == nil && plain["gpu_note"] == nil)
        let isThere = all["gpu_device"] != nil
        #expect(all["gpu_layers"] as? Int == (isThere ? 8 : 0) && one["gpu_layers"] as? Int == (isThere ? 1 : 0))
        #expect(isThere == (all["gpu_note"] == nil))
        // What was compiled and compared.
        let kernels = all["gpu_kernels"] as? [String] ?? []
        #expect(plain["gpu_kernels"] == nil && kernels.contains("rms_norm") == isThere)
        #expect((all["gpu_kernels_ms"] as? Double ?? 0 > 0) == isThere)
        let other = try bench("--gpu", "2", device: "no such device")
        #expect(other["gpu_layers"] as? Int == 0 && other["gpu_device"] == nil && other["gpu_note"] != nil)
        #expect(try LeapProgram.run(["bench", "demo", "--profile", "--gpu", "1"]).status == 64)
        #expect(try LeapProgram.run(["bench", "demo", "--gpu", "most"]).status == 64)
        let text = try LeapProgram.run(
            ["bench", "demo", "--prompt", "8", "--generate", "2", "--repetitions", "1", "--gpu", "all"],
            environment: ["LEAP_GPU": TestLevel.softwareGPU])
        #expect(text.output.contains(isThere ? "runs layers 1 to 8 of 8 and the output head" : "no GPU is used: "))

        func fits(_ arguments: String..., device: String = TestLevel.softwareGPU) throws -> (
            status: Int32, line: [String: Any]
        ) {
            let outcome = try LeapProgram.run(
                ["fits", "demo", "--json", "--context", "1024"] + arguments, environment: ["LEAP_GPU": device])
            let line = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            return (outcome.status, try #require(line))
        }
        let without = try fits(), whole = try fits("--gpu", "all"), last = try fits("--gpu", "1")
        #expect(without.status == 0 && without.line["gpuBytes"] == nil)
        #expect(whole.status == (isThere ? 0 : 1) && (whole.line["gpuMemory"] != nil) == isThere)
        let (wholeBytes, lastBytes) = (whole.line["gpuBytes"] as? Int, last.line["gpuBytes"] as? Int)
        let weights = try #require(whole.line["weightBytes"] as? Int), pages = whole.line["keyValueBytes"] as? Int
        #expect(try #require(wholeBytes) > weights && #require(lastBytes) > 2 * #require(pages))
        #expect(try #require(lastBytes) < #require(wholeBytes))
        #expect(try fits("--gpu", "all", device: "no such device").status == 1)
        // The demo model has no audio decoder.
        let both = try fits("--gpu", "all", "--audio-decoder-gpu"), decoder = try fits("--audio-decoder-gpu")
        #expect(both.line["gpuBytes"] as? Int == wholeBytes && decoder.line["gpuBytes"] as? Int == 0)
    }

    @Test("--iphone counts for an app on a phone, with the entitlement and without")
    func phone() throws {
        struct Line: Decodable {
            struct Phone: Decodable {
                let fits, fitsWithIncreasedLimit: Bool
            }
            let iPhone: Phone?
        }
        func fits(_ phone: String) throws -> Line {
            let outcome = try LeapProgram.run("fits", "demo", "--json", "--context", "1024", "--iphone", phone)
            return try JSONDecoder().decode(Line.self, from: Data(outcome.output.utf8))
        }
        let small = try fits("4").iPhone
        #expect(small?.fits == true && small?.fitsWithIncreasedLimit == true)
        let text = try LeapProgram.run("fits", "demo", "--iphone", "8")
        #expect(text.status == 0 && text.output.contains("with increased-memory-limit"))
        let wrong = try LeapProgram.run("fits", "demo", "--iphone", "5")
        #expect(wrong.status == 64 && wrong.errors.contains("4, 6, 8, 12"))
    }

    @Test("--context limits what a model's conversation may hold")
    func context() throws {
        func fits(_ context: String) throws -> Int {
            struct Line: Decodable { let keyValueBytes: Int }
            let outcome = try LeapProgram.run("fits", "demo", "--json", "--context", context)
            return try JSONDecoder().decode(Line.self, from: Data(outcome.output.utf8)).keyValueBytes
        }
        #expect(try fits("2048") == 2 * fits("1024"))
        let long = String(repeating: "Tell me a story about a fox. ", count: 30)
        #expect(try LeapProgram.run("run", "demo", long, "--context", "128").status == 1)
        #expect(try LeapProgram.run("run", "demo", long, "--max-tokens", "1").status == 0)
    }

    @Test(
        "bench has the depth, the runs and the threads that it is told, and keys and values of the type",
        .enabled(if: TestLevel.isAll, "\(TestLevel.comment)"))
    func bench() throws {
        func value(_ key: String, _ arguments: String...) throws -> Double {
            let outcome = try LeapProgram.run(
                ["bench", "demo", "--prompt", "8", "--generate", "2", "--repetitions", "1", "--json"] + arguments)
            let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            return try #require(object?[key] as? Double)
        }
        #expect(try value("threads", "--threads", "1") == 1)
        #expect(try value("threads", "--threads", "2") == 2)
        let text = try LeapProgram.run(
            "bench", "demo", "--prompt", "8", "--generate", "2", "--repetitions", "1", "--depth", "5")
        #expect(text.output.contains("decode 2 at 5"))
        // 8 MB of weights are the process's own where they are read.
        #expect(try value("private_rss_bytes", "--no-mmap") > value("private_rss_bytes") + 4e6)
        let wide = try value("private_rss_bytes", "--depth", "3000", "--kv", "f32")
        #expect(try wide > value("private_rss_bytes", "--depth", "3000", "--kv", "q8_0"))
    }

    @Test("--precision exact computes other logits, and keeps no state of fast ones")
    func precision() throws {
        let folder = try TemporaryFolder()
        func logits(_ arguments: String...) throws -> [Float] {
            let path = folder.path("logits.f32")
            let outcome = try LeapProgram.run(
                ["eval", "demo", "--tokens", "1,6,410", "--logits", path] + arguments)
            #expect(outcome.status == 0, "\(outcome.errorLine)")
            return try Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes {
                Array($0.bindMemory(to: Float.self))
            }
        }
        let (fast, exact) = (try logits(), try logits("--precision", "exact"))
        #expect(try logits("--precision", "fast") == fast)
        #expect(exact != fast && zip(exact, fast).allSatisfy { abs($0 - $1) < 1 })

        let file = folder.path("talk.leap")
        _ = try LeapProgram.run("chat", "demo", "--temperature", "0", input: "Hello!\n/save \(file)\n")
        let other = try LeapProgram.run("chat", "demo", "--precision", "exact", input: "/load \(file)\n")
        #expect(other.errors.contains("whose state must be recomputed: it was computed with instruction_set "))
        #expect(try LeapProgram.run(["run", "demo", "--precision", "double", "--prompt", "x"]).status == 64)
    }

    @Test(
        "--precision exact has twice the products, as a profile counts them",
        .enabled(if: TestLevel.isAll, "\(TestLevel.comment)"))
    func products() throws {
        func operations(_ arguments: String...) throws -> Int {
            let outcome = try LeapProgram.run(
                ["bench", "demo", "--prompt", "8", "--generate", "1", "--threads", "1", "--profile", "--json"]
                    + arguments)
            let report = try JSONDecoder().decode(ProductCounts.self, from: Data(outcome.output.utf8))
            return report.decode.operations.filter { $0.name.hasPrefix("product ") }.reduce(0) { $0 + $1.operations }
        }
        #expect(try operations("--precision", "exact") == 2 * operations())
    }

    /// The operations of products, as `bench --profile --json` tells them.
    private struct ProductCounts: Decodable {
        struct Phase: Decodable {
            let operations: [Operation]
        }
        struct Operation: Decodable {
            let name: String
            let operations: Int
        }
        let decode: Phase
    }

    #if os(Linux)
        @Test("--no-mmap reads the file rather than mapping it", arguments: [true, false])
        func noMmap(isRead: Bool) throws {
            let folder = try TemporaryFolder()
            let path = try folder.file("out", Data())
            let process = Process()
            process.executableURL = LeapProgram.url
            process.arguments = ["run", "demo", "Hi", "--regex", "(a|b|c){400}"] + (isRead ? ["--no-mmap"] : [])
            process.standardOutput = FileHandle(forWritingAtPath: path)
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.run()
            while process.isRunning, try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == 0 {
                usleep(2000)
            }
            let maps = try String(contentsOfFile: "/proc/\(process.processIdentifier)/maps", encoding: .utf8)
            process.interrupt()
            process.waitUntilExit()
            #expect(maps.contains("leap-demo-Q8_0.gguf") != isRead)
        }
    #endif

    @Test("batch keeps what is computed for prompts in the directory that it is told")
    func batchCache() throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "Tell me a story about a fox. ", count: 20)
        let line = """
            {"custom_id": "a", "method": "POST", "url": "/v1/completions", "body": {"prompt": "\(text)", "max_tokens": 2}}
            """
        let input = try folder.file("in.jsonl", Data("\(line)\n".utf8))
        let outcome = try LeapProgram.run(
            "batch", input, folder.path("out"), "--model", "demo", "--cache", folder.path("cache"))
        #expect(outcome.status == 0, "\(outcome.errorLine)")
        let info = try LeapProgram.run("cache", "info", folder.path("cache"), "--json")
        #expect(info.status == 0 && !info.output.contains("\"entries\":0"), "\(info.output)")
    }

    @Test("Keywords that are relaxed are ignored, and the order of a schema is kept where it is told")
    func schemas() throws {
        let folder = try TemporaryFolder()
        let strict = try folder.file("schema.json", Data(#"{"type": "string", "pattern": "(?<=a)b"}"#.utf8))
        let document = try folder.file("document.json", Data(#""x""#.utf8))
        #expect(try LeapProgram.run("schema", "validate", strict, document).status != 0)
        #expect(try LeapProgram.run("schema", "validate", strict, document, "--relax", "pattern").status == 0)
        let bench = folder.path("bench")
        try FileManager.default.createDirectory(atPath: bench, withIntermediateDirectories: true)
        let schema = #"{"type": "object", "properties": {"a": {"pattern": "^x$"}, "b": {}}, "required": ["a", "b"]}"#
        let tests = #"[{"valid": true, "data": {"b": 1, "a": "x"}}, {"valid": false, "data": {"a": "y", "b": 1}}]"#
        try Data(#"{"schema": \#(schema), "tests": \#(tests)}"#.utf8).write(
            to: URL(fileURLWithPath: "\(bench)/one.json"))
        func accepted(_ arguments: String...) throws -> [Bool] {
            struct Line: Decodable {
                struct Test: Decodable { let accepted: Bool }
                let tests: [Test]
            }
            let outcome = try LeapProgram.run(["schema", "bench", bench, "--model", "demo", "--json"] + arguments)
            return try JSONDecoder().decode(Line.self, from: Data(outcome.output.utf8)).tests.map(\.accepted)
        }
        #expect(try accepted() == [true, false])
        #expect(try accepted("--declared-order") == [false, false])
        #expect(try accepted("--relax", "pattern") == [true, true])
    }

    @Test("rm --down-to leaves what fits")
    func downTo() throws {
        let folder = try TemporaryFolder()
        let environment = ["LEAP_HOME": folder.url.path]
        #expect(try LeapProgram.run(["rm", "--down-to", "1GB"], environment: environment).status == 0)
        #expect(try LeapProgram.run(["rm", "--down-to", "-1"], environment: environment).status == 64)
        #expect(try LeapProgram.run(["rm"], environment: environment).status == 64)
    }
}
