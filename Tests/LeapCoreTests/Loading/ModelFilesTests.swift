import Foundation
import LeapDemoModel
import LeapEngine
import LeapModel
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

@Suite(.inTurns)
struct ModelFilesTests {
    private static let manifest = """
        {"inference_type": "llama.cpp/text-to-text", "schema_version": "1.0.0",
         "load_time_parameters": {"model": "./weights/model.gguf", "chat_template": "{{ messages[0].content }}"},
         "generation_time_parameters": {"sampling_parameters": {"temperature": 0.3, "top_k": 40}, "number_of_decoding_threads": 2}}
        """

    private func message(_ path: String) -> String {
        do {
            _ = try ModelFiles.resolve(path: path)
            return "no error"
        } catch {
            return (error as? LeapModelLoadingException)?.message ?? "another error: \(error)"
        }
    }

    @Test("A bundle's manifest says which file is the model, and more")
    func bundle() throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.add("readme.json", Array("{}".utf8))
        zip.add("sub/manifest.json", Array(Self.manifest.utf8))
        zip.add("sub/weights/model.gguf", Array("GGUF....".utf8))
        zip.add("other.gguf", Array("GGUF".utf8))
        let path = try folder.write("My Model.bundle", zip.data)
        let files = try ModelFiles.resolve(path: path)
        #expect(files.modelId == "My Model")
        #expect(try Data(contentsOf: URL(fileURLWithPath: files.modelPath)) == Data("GGUF....".utf8))
        #expect(files.chatTemplate == "{{ messages[0].content }}" && files.inferenceType == "llama.cpp/text-to-text")
        #expect(files.generationTimeParameters?.samplingParameters == SamplingParameters(temperature: 0.3, topK: 40))
        #expect(files.generationTimeParameters?.numberOfDecodingThreads == 2)
        #expect(
            !FileManager.default.fileExists(
                atPath: URL(fileURLWithPath: files.modelPath).deletingLastPathComponent().appendingPathComponent(
                    "../../other.gguf"
                ).path))
        // The second time it is there already.
        #expect(try ModelFiles.resolve(path: path) == files)
        try? FileManager.default.removeItem(
            at: URL(fileURLWithPath: files.modelPath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent())
    }

    @Test("A bundle may be packed, may be a folder, and needs no manifest for one model")
    func otherBundles() throws {
        let folder = try TemporaryFolder()
        let (packed, plain) = InflaterTests.vectors[3]
        var zip = ZipBuilder()
        zip.add("m.gguf", plain, packed: [UInt8](try #require(Data(base64Encoded: packed))))
        zip.add("mmproj-m.gguf", [1])
        let files = try ModelFiles.resolve(path: try folder.write("a.bundle", zip.data))
        #expect(try Data(contentsOf: URL(fileURLWithPath: files.modelPath)) == Data(plain))
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: files.modelPath).deletingLastPathComponent())

        _ = try folder.write("b.bundle/manifest.json", Data(Self.manifest.utf8))
        let model = try folder.write("b.bundle/weights/model.gguf", Data("GGUF".utf8))
        let inFolder = try ModelFiles.resolve(path: folder.url.appendingPathComponent("b.bundle").path)
        #expect(
            URL(fileURLWithPath: inFolder.modelPath).standardizedFileURL
                == URL(fileURLWithPath: model).standardizedFileURL)
    }

    @Test("An ExecuTorch program is refused by name, and the GGUF to use is named")
    func executorch() throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.add("model.pte", [1, 2, 3])
        zip.add("tokenizer.json", [1])
        let text = message(try folder.write("LFM2-1_2B_8da4w_4096.bundle", zip.data))
        #expect(text.contains("ExecuTorch program (model.pte)") && text.contains("LFM2-1_2B-Q4_K_M.gguf"), "\(text)")
    }

    @Test("Says what is wrong with a bundle")
    func damagedBundles() throws {
        let folder = try TemporaryFolder()
        func bundle(_ build: (inout ZipBuilder) -> Void, cut: Int? = nil) throws -> String {
            var zip = ZipBuilder()
            build(&zip)
            return message(try folder.write("\(UUID().uuidString).bundle", cut.map { zip.data.prefix($0) } ?? zip.data))
        }
        #expect(try bundle { $0.add("../evil.gguf", [1]) }.contains("points outside of it"))
        #expect(try bundle { $0.add("/etc/passwd", [1]) }.contains("points outside of it"))
        #expect(try bundle { $0.add("a\\..\\b.gguf", [1]) }.contains("points outside of it"))
        #expect(try bundle { $0.add("a\0.gguf", [1]) }.contains("points outside of it"))
        #expect(try bundle { $0.add("m.gguf", [1], mode: 0o120777) }.contains("is a link"))
        #expect(try bundle { $0.add("m.gguf", [1], flags: 1) }.contains("is encrypted"))
        #expect(try bundle { $0.add("m.gguf", [1], method: 12) }.contains("method 12"))
        #expect(try bundle { $0.add("m.gguf", [1], checksum: 5) }.contains("checksum"))
        #expect(try bundle { $0.add("m.gguf", [1, 2], size: 9) }.contains("contradict"))
        #expect(try bundle { $0.add("m.gguf", [1], packed: [1, 2, 3], size: 1 << 30) }.contains("claims to unpack"))
        #expect(try bundle { $0.add("m.gguf", [1], packed: [0xFF, 2, 3], size: 5) }.contains("cannot be unpacked"))
        #expect(try bundle({ $0.add("m.gguf", [1]) }, cut: 20).contains("no directory"))
        #expect(try bundle { $0.add("x.txt", [1]) }.contains("neither a manifest nor a GGUF model"))
        #expect(
            try bundle {
                $0.add("a.gguf", [1]); $0.add("b.gguf", [1])
            }.contains("several models (a.gguf, b.gguf)"))
        let lost = Self.manifest.replacing("./weights/model.gguf", with: "gone.gguf")
        #expect(
            try bundle {
                $0.add("manifest.json", Array(lost.utf8)); $0.add("b.gguf", [1])
            }.contains("'gone.gguf', which the bundle does not hold; it holds b.gguf"))
        let escaping = Self.manifest.replacing("./weights/model.gguf", with: "../../etc/passwd")
        #expect(try bundle { $0.add("manifest.json", Array(escaping.utf8)) }.contains("does not hold"))
    }

    @Test("Never traps on damaged archives, and writes nothing outside of its folder")
    func fuzz() throws {
        let folder = try TemporaryFolder()
        var zip = ZipBuilder()
        zip.add("manifest.json", Array(Self.manifest.utf8))
        zip.add("weights/model.gguf", [1, 2, 3, 4])
        let good = zip.data
        let seed = UInt64.random(in: 0..<UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            var bytes = [UInt8](good)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let path = try folder.write("fuzz.bundle", Data(bytes))
            if let archive = try? ZipArchive(path: path) {
                for entry in archive.entries { _ = try? archive.data(of: entry, limit: 1 << 16) }
            }
        }
    }

    @Test("Companions are found by their names, the closest ones where there are several")
    func companions() throws {
        let folder = try TemporaryFolder()
        let model = try folder.write("LFM2.5-VL-1.6B-Q4_0.gguf")
        for name in [
            "mmproj-Other-Model-F16.gguf", "mmproj-LFM2.5-VL-1.6B-F16.gguf", "notes.txt", "tokenizer.json",
            "LFM2-350M.gguf",
        ] {
            _ = try folder.write(name)
        }
        let found = CompanionFiles.find(beside: model)
        #expect(found[.multimodalProjector]?.hasSuffix("mmproj-LFM2.5-VL-1.6B-F16.gguf") == true)
        #expect(found[.audioDecoder] == nil && found[.audioTokenizer] == nil)
        #expect(CompanionFiles.kind(ofFile: "x/LFM2-audio-decoder.bin") == .audioDecoder)
        #expect(CompanionFiles.kind(ofFile: "vocoder-LFM2.5-Audio.gguf") == .audioDecoder)
        #expect(CompanionFiles.kind(ofFile: "tokenizer-LFM2.5-Audio-1.5B.gguf") == .audioTokenizer)
        #expect(CompanionFiles.kind(ofFile: "LFM2-Audio-1.5B-Q8_0.gguf") == nil)
        #expect(CompanionFiles.kind(ofFile: "mmproj-x.bin") == nil)
    }

    @Test("Explicit paths win, and must exist")
    func explicit() throws {
        let folder = try TemporaryFolder()
        let model = try folder.write("m.gguf")
        let found = try folder.write("mmproj-m.gguf")
        let own = try folder.write("own.gguf")
        let files = ModelFiles(modelPath: model)
        #expect(
            try CompanionFiles.complete(files, options: LoadOptions(), autoDetect: true).multimodalProjectorPath
                == found)
        #expect(
            try CompanionFiles.complete(files, options: LoadOptions(), autoDetect: false).multimodalProjectorPath == nil
        )
        var options = LoadOptions()
        options.mmProjPath = own
        #expect(try CompanionFiles.complete(files, options: options, autoDetect: true).multimodalProjectorPath == own)
        options.audioDecoderPath = "/no/such/file"
        let error = #expect(throws: LeapModelLoadingException.self) {
            try CompanionFiles.complete(files, options: options, autoDetect: true)
        }
        #expect(error?.message.contains("/no/such/file, the audioDecoderPath option") == true)
    }

    @Test("A file that is no model is an error that names it, the reason and a remedy")
    func badFiles() async throws {
        let folder = try TemporaryFolder()
        let demo = try Data(contentsOf: LeapDemoModel.url)
        let cases: [(String, String)] = [
            ("/no/such/model.gguf", "there is no file at /no/such/model.gguf"),
            (folder.url.path, "load one of them"),
            (try folder.write("empty.gguf"), "empty.gguf"),
            (try folder.write("text.gguf", Data("hello world, this is text".utf8)), "text.gguf"),
            (try folder.write("cut.gguf", demo.prefix(100_000)), "cut.gguf"),
            (try folder.write("header.gguf", demo.prefix(12)), "header.gguf"),
        ]
        for (path, expected) in cases {
            let error = await #expect(throws: LeapModelLoadingException.self) {
                try await Leap.load(url: URL(fileURLWithPath: path))
            }
            #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("\n") == false)
        }
        let remote = await #expect(throws: LeapModelLoadingException.self) {
            try await Leap.load(url: try #require(URL(string: "https://example.com/m.gguf")))
        }
        #expect(remote?.message.contains("download the model first") == true)
    }

    @Test("A context that is longer than the model was trained for is cut with a note, or allowed by scaled positions")
    func contextSize() async throws {
        let path = try LeapDemoModel.url.path
        let trained = try Model.load(path: path).contextLength
        let asked = UInt32(trained + 64)
        let stretched = #"{"ropeScaling":{"type":"yarn","factor":2}}"#
        for (extras, expected) in [(nil, trained), (stretched, trained + 64)] as [(String?, Int)] {
            let runner = try await ModelLoader.load(
                path: path,
                options: LiquidInferenceEngineOptions(contextSize: asked, extras: extras).options,
                autoDetectCompanionFiles: false)
            #expect(runner.contextSize == expected)
            let engine = try #require((runner.backend as? SuspendableBackend)?.engine)
            let note = ModelLoader.contextNote(asked: asked, engine: engine, trained: trained)
            #expect((note == nil) == (extras != nil))
            if let note {
                #expect(note.contains("\(asked)") && note.contains("\(trained)") && note.contains("ropeScaling"))
            }
        }
    }

    @Test("A model whose rule of cutting texts is not known is refused, and read with the one that the extras name")
    func preTokenizer() async throws {
        let url = try LeapDemoModel.url
        var bytes = try Data(contentsOf: url)
        // The key, the type of a string and the length of the value stand before it; the value keeps its length.
        let place = try #require(bytes.range(of: Data("tokenizer.ggml.pre".utf8))).upperBound + 12
        let rule = String(decoding: bytes[place..<place + 4], as: UTF8.self)
        #expect(rule == "lfm2")
        bytes.replaceSubrange(place..<place + 4, with: Data("lfm9".utf8))
        let folder = try TemporaryFolder()
        let changed = try folder.write("changed.gguf", bytes)
        func count(_ path: String, _ rule: String?) async throws -> Int {
            let extras = rule.map { #"{"preTokenizer":"\#($0)"}"# }
            let runner = try await ModelLoader.load(
                path: path, options: LiquidInferenceEngineOptions(extras: extras).options,
                autoDetectCompanionFiles: false)
            return try runner.promptTokenCount(
                messages: [ChatMessage(role: .user, textContent: "In 123 days")])
        }
        let refused = await #expect(throws: LeapModelLoadingException.self) { try await count(changed, nil) }
        #expect(refused?.message.contains("'lfm9'") == true && refused?.message.contains("'preTokenizer'") == true)
        #expect(try await count(changed, rule) == count(url.path, nil))
        #expect(try await count(changed, "qwen2") > count(url.path, nil))
        let unknown = await #expect(throws: LeapModelLoadingException.self) { try await count(changed, "lfm9") }
        #expect(unknown?.message.contains("'preTokenizer' in the extras is 'lfm9'; expected one of") == true)
    }

    @Test("Options out of range are loading errors that name them")
    func badOptions() async throws {
        let url = try LeapDemoModel.url
        for (options, expected) in [
            (LiquidInferenceEngineOptions(cpuThreads: 0), "threads"),
            (LiquidInferenceEngineOptions(contextSize: 0), "contextSize"),
            (LiquidInferenceEngineOptions(extras: "{"), "extras"),
            (LiquidInferenceEngineOptions(extras: #"{"kv_cache_type":"q4"}"#), "'q4'"),
            (
                LiquidInferenceEngineOptions(extras: #"{"ropeScaling":"linear"}"#),
                "'ropeScaling' in the extras is 'linear'"
            ),
            (
                LiquidInferenceEngineOptions(extras: #"{"ropeScaling":{}}"#),
                "'ropeScaling.type' in the extras is missing"
            ),
            (LiquidInferenceEngineOptions(extras: #"{"ropeScaling":{"type":"ntk"}}"#), "is 'ntk'; expected one of"),
            (LiquidInferenceEngineOptions(extras: #"{"ropeScaling":{"type":"yarn"}}"#), "'ropeScaling.factor' in"),
            (
                LiquidInferenceEngineOptions(extras: #"{"ropeScaling":{"type":"yarn","factor":"2"}}"#),
                "'ropeScaling.factor' in the extras is '2'"
            ),
            (
                LiquidInferenceEngineOptions(extras: #"{"ropeScaling":{"type":"linear","factor":0.5}}"#),
                "ropeScaling.factor is 0.5"
            ),
            (
                LiquidInferenceEngineOptions(
                    extras: #"{"ropeScaling":{"type":"linear","factor":2,"originalContext":"x"}}"#),
                "'ropeScaling.originalContext' in the extras is 'x'"
            ),
            (
                LiquidInferenceEngineOptions(extras: #"{"ropeScaling":{"type":"linear","factor":2,"base":1}}"#),
                "'ropeScaling.base' in the extras is not known"
            ),
            (LiquidInferenceEngineOptions(chatTemplate: "{% for %}"), "the option chatTemplate"),
            (LiquidInferenceEngineOptions(mmProjPath: "/no/file"), "mmProjPath"),
        ] {
            let error = await #expect(throws: LeapModelLoadingException.self) {
                try await Leap.load(url: url, options: options)
            }
            #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
        }
    }
}
