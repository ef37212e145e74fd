import Foundation
import LeapCompute
import LeapDemoModel
import LeapEngine
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

/// The effect of each option of loading.
@Suite(.inTurns)
struct LoadOptionTests {
    private func load(
        _ options: LiquidInferenceEngineOptions, path: String? = nil, parameters: GenerationTimeParameters? = nil
    ) async throws -> LiquidInferenceEngineRunner {
        try await ModelLoader.load(
            files: ModelFiles(modelPath: try path ?? LeapDemoModel.url.path), options: options.options,
            generationTimeParameters: parameters, autoDetectCompanionFiles: false)
    }

    @Test("Threads and context size reach the engine; the options win over the manifest's threads")
    func engineOptions() async throws {
        let runner = try await load(LiquidInferenceEngineOptions(contextSize: 96, cpuThreads: 1))
        let engine = try #require((runner.backend as? SuspendableBackend)?.engine)
        #expect(engine.threads == 1 && engine.contextSize == 96 && runner.contextSize == 96)
        let manifest = GenerationTimeParameters(numberOfDecodingThreads: 3)
        let second = try await load(LiquidInferenceEngineOptions(), parameters: manifest)
        #expect((second.backend as? SuspendableBackend)?.engine.threads == 3)
        let third = try await load(LiquidInferenceEngineOptions(cpuThreads: 2), parameters: manifest)
        #expect((third.backend as? SuspendableBackend)?.engine.threads == 2)
    }

    @Test("Sampling parameters over the manifest's are those that a generation begins with")
    func samplingParameters() async throws {
        let parameters = GenerationTimeParameters(
            samplingParameters: SamplingParameters(
                temperature: 0.25, topP: 0.5, minP: 0.125, repetitionPenalty: 1.5, topK: 7))
        let runner = try await load(LiquidInferenceEngineOptions(cpuThreads: 1), parameters: parameters)
        #expect(runner.sampling.temperature == 0.25 && runner.sampling.topP == 0.5 && runner.sampling.minP == 0.125)
        #expect(runner.sampling.repetitionPenalty == 1.5 && runner.sampling.topK == 7)
    }

    @Test("A cache is used where it is enabled, and only within its bytes")
    func cache() async throws {
        let long = String(repeating: "The fox runs over the hill. ", count: 15)
        func cachedTokens(_ cache: LiquidCacheOptions?) async throws -> Int64 {
            let runner = try await load(LiquidInferenceEngineOptions(cacheOptions: cache, cpuThreads: 1))
            var cached: Int64 = -1
            for _ in 0..<2 {
                let responses = try await runner.createConversation(systemPrompt: long).generateResponse(
                    userTextMessage: "Hi", generationOptions: GenerationOptions(temperature: 0, maxTokens: 1)
                ).collect()
                cached = try #require(responses.completion?.stats).cachedPromptTokens
            }
            await runner.unload()
            return cached
        }
        #expect(try await cachedTokens(nil) == 0)
        #expect(try await cachedTokens(LiquidCacheOptions(path: "", enabled: false)) == 0)
        #expect(try await cachedTokens(LiquidCacheOptions(path: "", enabled: true)) >= 64)
        #expect(try await cachedTokens(LiquidCacheOptions(path: "", enabled: true, maxBytesMemory: 0)) == 0)
    }

    /// Answers one prompt after another, each in a conversation of its own, and gives how many tokens of the last one
    /// were known.
    private func known(_ prompts: [String], _ cache: LiquidCacheOptions?) async throws -> Int64 {
        let runner = try await load(LiquidInferenceEngineOptions(cacheOptions: cache, cpuThreads: 1))
        var known: Int64 = -1
        for prompt in prompts {
            let responses = try await runner.createConversation(systemPrompt: prompt).generateResponse(
                userTextMessage: "Hi", generationOptions: GenerationOptions(temperature: 0, maxTokens: 1)
            ).collect()
            known = try #require(responses.completion?.stats).cachedPromptTokens
        }
        await runner.unload()
        return known
    }

    private static let prompts = [
        "The fox runs over the hill. ", "Rain fell on the town. ", "A boat left for the sea. ",
    ]
    .map { String(repeating: $0, count: 15) }

    @Test("The directory of the cache is made when a prompt is kept, and the next process begins with it")
    func cacheDirectory() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.path + "/a/b"
        #expect(try await known([Self.prompts[0]], LiquidCacheOptions(path: path)) == 0)
        #expect(
            try await known([Self.prompts[0]], LiquidCacheOptions(path: path, enabled: true, diskDisabled: true)) == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await known([Self.prompts[0]], .enabled(path: path)) == 0)
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try await known([Self.prompts[0]], .enabled(path: path)) >= 64)
        // Neither what is disabled nor what is in memory only reads what is there.
        #expect(try await known([Self.prompts[0]], LiquidCacheOptions(path: path)) == 0)
        #expect(
            try await known([Self.prompts[0]], LiquidCacheOptions(path: path, enabled: true, diskDisabled: true)) == 0)
        let diskOnly = LiquidCacheOptions(path: path, enabled: true, maxBytesMemory: 0)
        #expect(try await known([Self.prompts[0]], diskOnly) >= 64)
    }

    @Test("The directory keeps as many entries as maxEntriesDisk says, else as maxEntries says")
    func cacheEntriesOnDisk() async throws {
        let cases: [(LiquidCacheOptions, Int)] = [
            (LiquidCacheOptions(path: "", maxEntries: 1, enabled: true), 1),
            (LiquidCacheOptions(path: "", maxEntries: 1, enabled: true, maxEntriesDisk: 2), 2),
            (LiquidCacheOptions(path: "", enabled: true), 3),
        ]
        for (cache, entries) in cases {
            let folder = try TemporaryFolder()
            let options = LiquidCacheOptions(
                path: folder.url.path, maxEntries: cache.maxEntries, enabled: true, maxEntriesDisk: cache.maxEntriesDisk
            )
            _ = try await known(Self.prompts, options)
            #expect(PrefixFolder(folder.url.path).summary().entries == entries)
        }
    }

    @Test("Memory keeps as many entries as maxEntriesMemory says, and none for 0")
    func cacheEntriesInMemory() async throws {
        let prompts = [Self.prompts[0], Self.prompts[1], Self.prompts[0]]
        let cases = [(256, true), (2, true), (1, false), (0, false), (-1, false)]
        for (entries, isKnown) in TestLevel.isAll ? cases : Array(cases[1...3]) {
            let cache = LiquidCacheOptions(path: "", enabled: true, maxEntriesMemory: entries)
            let count = try await known(prompts, cache)
            #expect((count >= 64) == isKnown, "\(entries) entries")
        }
    }

    @Test("A directory that nothing can be kept in is named in the log, and the prompt is answered")
    func unusableCacheDirectory() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("file", Data("x".utf8))
        for (path, expected) in [(file, "is not a folder"), ("", "is empty")] {
            let lines = try await CapturedLog.lines {
                let count = try await known([Self.prompts[0], Self.prompts[0]], .enabled(path: path))
                #expect(count >= 64)
            }
            // Other tests may write to the log too, with an empty path of their own.
            let named = lines.filter { $0.contains(expected) && (path.isEmpty || $0.contains(path)) }
            #expect(path.isEmpty ? !named.isEmpty : named.count == 1, "\(path)")
        }
    }

    @Test("A chat template in the options makes the prompts")
    func chatTemplate() async throws {
        let template = "{% for message in messages %}[{{ message.role }}: {{ message.content }}]{% endfor %}"
        let runner = try await load(LiquidInferenceEngineOptions(chatTemplate: template, useMmap: true))
        let builder = try runner.promptSource().builder
        let request = PromptBuilder.Request(messages: [ChatMessage(role: .user, textContent: "Hi")])
        #expect(try builder.build(request).text == "[user: Hi]")
    }

    @Test("The path in the options is loaded where the address has none")
    func bundlePath() async throws {
        let url = try #require(URLComponents().url)
        let options = LiquidInferenceEngineOptions(bundlePath: try LeapDemoModel.url.path, cpuThreads: 1)
        #expect(try await Leap.load(url: url, options: options).modelId == "leap-demo-Q8_0")
    }

    @Test("Extras choose how keys and values are kept and how products take their inputs, and name what is not known")
    func extras() async throws {
        #expect(try LoadExtras(nil).precision == nil)
        let exact = try LoadExtras(#"{"precision":"exact"}"#)
        #expect(exact.precision == .exact && LoadExtras().filled(from: exact).precision == .exact)
        #expect(try LoadExtras(#"{"precision":"fast"}"#).filled(from: exact).precision == .fast)
        let imprecise = #expect(throws: LeapModelLoadingException.self) { try LoadExtras(#"{"precision":"double"}"#) }
        let words = "'precision' in the extras is 'double'; expected one of 'fast', 'exact'"
        #expect(imprecise?.message.contains(words) == true)
        #expect(try LoadExtras(nil).keyValueType == .f16)
        #expect(try LoadExtras(#"{"kv_cache_type":"f32"}"#).keyValueType == .f32)
        #expect(try LoadExtras(#"{"kv_cache_type":"q8_0"}"#).keyValueType == .q8_0)
        let refused = #expect(throws: LeapModelLoadingException.self) {
            try LoadExtras(#"{"kv_cache_type":"Q8_0"}"#)
        }
        #expect(refused?.message.contains("'Q8_0'; expected one of 'f16', 'f32', 'q8_0'") == true)
        let lines = try await CapturedLog.lines {
            try await load(LiquidInferenceEngineOptions(extras: #"{"no_such_key":1}"#))
        }
        #expect(lines.contains { $0.contains("'no_such_key'") })
    }

    #if os(Linux)
        @Test("A file is mapped, or read into memory where mapping is off", arguments: [true, false])
        func useMmap(isMapped: Bool) async throws {
            let folder = try TemporaryFolder()
            let path = try folder.write("model-\(isMapped).gguf", Data(contentsOf: LeapDemoModel.url))
            let runner = try await load(LiquidInferenceEngineOptions(useMmap: isMapped), path: path)
            let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps"))
            let maps = String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
            #expect(maps.contains("model-\(isMapped).gguf") == isMapped)
            #expect(!runner.isUnloaded)
        }
    #endif

    @Test(
        "Layers for a GPU are computed by the one that is named, or by the CPU; the log says which, and the text is the same"
    )
    func gpu() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("layers-on-a-gpu.gguf", Data(contentsOf: LeapDemoModel.url))
        func reply(
            _ layers: UInt32?, _ device: String
        ) async throws -> (text: String, lines: [String], gpu: GPUStatistics?) {
            let options = LiquidInferenceEngineOptions(
                cpuThreads: 1, nGpuLayers: layers, extras: "{\"gpuDevice\": \(device)}")
            var (text, gpu): (String, GPUStatistics?) = ("", nil)
            let lines = try await CapturedLog.lines {
                let runner = try await load(options, path: path)
                let responses = try await runner.createConversation().generateResponse(
                    userTextMessage: "Tell me a story.",
                    generationOptions: GenerationOptions(temperature: 0, maxTokens: 12)
                ).collect()
                (text, gpu) = (responses.text, runner.statistics.gpu)
                await runner.unload()
            }
            return (text, lines.filter { $0.contains("layers-on-a-gpu") && $0.contains("nGpuLayers") }, gpu)
        }
        let plain = try await reply(nil, "\"\(TestLevel.softwareGPU)\"")
        #expect(plain.lines.isEmpty && !plain.text.isEmpty && plain.gpu == nil)
        let none = try await reply(0, "\"\(TestLevel.softwareGPU)\"")
        #expect(none.text == plain.text && none.lines.isEmpty && none.gpu == nil)
        for device in ["\"no such device\"", "4294967295"] {
            let other = try await reply(2, device)
            #expect(other.text == plain.text && other.lines.count == 1)
            #expect(other.lines.first?.contains("the CPU runs every layer") == true, "\(other.lines)")
            let gpu = try #require(other.gpu)
            #expect(
                gpu.device == nil && gpu.layers == 0 && gpu.modelLayers == 8 && gpu.note != nil && gpu.failure == nil)
            #expect(other.lines.first?.contains(gpu.note ?? "") == true)
        }
        let all = try await reply(.max, "\"\(TestLevel.softwareGPU)\"")
        #expect(all.text == plain.text && all.lines.count == 1)
        let isThere = all.lines.contains { $0.contains("runs layers 1 to 8 of 8 and the output head") }
        #expect(isThere || all.lines.first?.contains("the CPU runs every layer") == true, "\(all.lines)")
        let gpu = try #require(all.gpu)
        #expect(gpu.layers == (isThere ? 8 : 0) && gpu.computesHead == isThere && (gpu.note == nil) == isThere)
        #expect((gpu.passes > 0) == isThere && gpu.processorPasses == 0)
        #expect(isThere == (gpu.device?.contains("llvmpipe") == true))
        for device in ["true", "\"\"", "1.5"] {
            let refused = await #expect(throws: LeapModelLoadingException.self) { try await reply(1, device) }
            #expect(refused?.message.contains("'gpuDevice' in the extras") == true)
        }
    }

    @Test("What has no effect is said once, when a model is loaded with it")
    func notes() async throws {
        let folder = try TemporaryFolder()
        let tokenizer = try folder.write("tokenizer.gguf", Data("GGUF".utf8))
        let cache = LiquidCacheOptions(
            path: folder.url.path + "/cache", maxEntries: 7, enabled: true, maxEntriesDisk: 8, maxEntriesMemory: 9)
        let options = LiquidInferenceEngineOptions(
            cacheOptions: cache, nGpuLayers: 99, audioTokenizerPath: tokenizer, audioDecoderUseGpu: true)
        let lines = try await CapturedLog.lines { try await load(options) }
        for expected in [
            "nGpuLayers is 99", "the model has no audio decoder", "tokenizer \(tokenizer) is not used",
        ] {
            #expect(lines.count { $0.contains(expected) } == 1, "\(expected)")
        }
        #expect(!lines.contains { $0.contains(cache.path) })
        var files = ModelFiles(modelPath: "/m.gguf")
        #expect(LoadNotes.notes(files, LoadOptions()).isEmpty)
        #expect(LoadNotes.notes(files, LoadOptions(cacheOptions: LiquidCacheOptions(path: "/c"))).isEmpty)
        let off = LiquidCacheOptions(path: "", enabled: true, diskDisabled: true)
        #expect(LoadNotes.notes(files, LoadOptions(cacheOptions: off)).isEmpty)
        files.audioTokenizerPath = "/tokenizer.gguf"
        #expect(LoadNotes.notes(files, LoadOptions()).count == 1)
    }
}
