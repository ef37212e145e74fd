import Foundation
import LeapBase
import LeapGGUF
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import MisbehavingServer
import Testing

@testable import LeapTransfers

/// Models on disk: manifests, cache, locks, and what must never be visible.
@Suite(.inServerTurns, .timeLimit(.minutes(30)))
struct ModelStoreTests {
    let content = Content(count: 1_200_000)
    let projector = Content(count: 300_000, seed: 5)

    func manifest(_ model: String = "model.gguf", extra: String = "") -> String {
        """
        {"schema_version": "1.0.0", "inference_type": "llama.cpp/image-to-text", "future_key": {"deep": [1, 2.5, null]},
         "load_time_parameters": {"model": "\(model)", "multimodal_projector": "mmproj.gguf", "chat_template": "T"\(extra)},
         "generation_time_parameters": {"sampling_parameters": {"temperature": 0.3}}}
        """
    }

    /// A server that has a library with one model.
    func makeBench(_ text: String? = nil, change: (inout TransferConfiguration) -> Void = { _ in }) throws -> Workbench
    {
        let text = text ?? manifest()
        let (content, projector) = (content, projector)
        return try Workbench(change) { request in
            switch request.path {
            case "/LiquidAI/LeapBundles/resolve/main/Tiny-GGUF/Q4_0.json": .text(text)
            case let path where path.hasSuffix("/mmproj.gguf"): request.serve(projector, etag: "\"p\"")
            case let path where path.hasSuffix(".gguf"): request.serve(content)
            default: Reply(status: 404)
            }
        }
    }

    let tiny = ModelReference.library(model: "Tiny", quantization: "Q4_0")

    @Test(
        "Layers that read keys and values of others need no memory for their own, and layers with a window need what their heads have"
    )
    func sharedKeysAndValues() async throws {
        let bench = try makeBench()
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures")
        // 5 of 8 layers of Gemma 3n and 4 of 6 of Gemma 4 keep keys and values of two heads, 16 bits for each number.
        for (name, elements) in [("gemma3n", 5 * 16), ("gemma4", 2 * 16 + 2 * 32)] {
            let fit = try await bench.store.fit(
                files: [fixtures.appendingPathComponent("\(name).gguf").path], name: name, contextSize: 64)
            #expect(fit.architecture == name && fit.keyValueBytes == Int64(elements * 2 * 2 * 2 * 64), "\(name)")
        }
    }

    @Test("A GPU holds the states of recurrent layers for as many sequences as there is room for, each in two places")
    func stateBytes() async throws {
        let bench = try makeBench()
        // Layers with a state, the last of them behind the last but so many, and the channels of their convolutions of
        // four taps.
        for (name, states, behind, channels) in [("qwen35", 3, 1, 128), ("granitehybrid", 3, 0, 160)] {
            let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Fixtures/\(name).gguf").path
            let header = try await HeaderReader.header(size: #require(FileSystem.size(of: path)), path) {
                try PartialFile(reading: path).bytes($0)
            }
            func number(_ key: String) throws -> Int {
                Int(try #require(try header.metadata.int("\(name).\(key)")))
            }
            let count = try number("block_count")
            let state = try number("ssm.state_size") * number("ssm.inner_size") * 4
            let own = states * (state + channels * 3 * 4)
            #expect(state % 64 == 0 && channels % 16 == 0)
            func bytes(_ layers: Int) async throws -> Int64 {
                let fit = try await bench.store.fit(files: [path], name: name, contextSize: 64, gpuLayers: layers)
                let blocks = (count - layers..<count).map { "blk.\($0)." }
                let weights = header.tensors.filter { tensor in blocks.contains { tensor.name.hasPrefix($0) } }
                return fit.gpuBytes - 2 * fit.keyValueBytes - weights.reduce(0) { $0 + Int64($1.byteCount) }
            }
            // Small ones: there is room for sixteen.
            #expect(try await bytes(behind + 1) == Int64(16 * 2 * own), "\(name)")
            if behind > 0 { #expect(try await bytes(behind) == 0, "\(name)") }
        }
        // A header may say anything.
        let file = try GGUFFile.open(
            path: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appendingPathComponent("Fixtures/qwen35.gguf").path)
        var writer = GGUFWriter(copyingMetadataOf: file)
        for key in ["ssm.state_size", "ssm.inner_size", "context_length", "attention.head_count_kv"] {
            writer.set("qwen35.\(key)", .int64(.max))
        }
        for tensor in file.tensors { try writer.add(tensor) }
        let hostile = FileManager.default.temporaryDirectory.appending(path: "states-\(UUID().uuidString).gguf").path
        defer { try? FileManager.default.removeItem(atPath: hostile) }
        try writer.write(to: hostile)
        let fit = try await bench.store.fit(files: [hostile], name: "x", contextSize: .max, gpuLayers: .max)
        #expect(fit.gpuBytes > Int64.max / 4)
        #expect(DevicePages.states(byteCount: 64 << 20) == 4 && DevicePages.states(byteCount: 1 << 40) == 2)
    }

    @Test("A GPU holds the weights of its layers, the head where it has all of them, and pages for twice the context")
    func gpuBytes() async throws {
        let bench = try makeBench()
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/lfm2.gguf").path
        func fit(_ layers: Int) async throws -> ModelFit {
            try await bench.store.fit(files: [path], name: "lfm2", contextSize: 64, gpuLayers: layers)
        }
        let none = try await fit(0), all = try await fit(.max)
        let header = try await HeaderReader.header(size: #require(FileSystem.size(of: path)), path) {
            try PartialFile(reading: path).bytes($0)
        }
        func bytes(_ isCounted: (String) -> Bool) -> Int64 {
            header.tensors.filter { isCounted($0.name) }.reduce(0) { $0 + Int64($1.byteCount) }
        }
        #expect(none.gpuBytes == 0 && none.weightBytes == all.weightBytes)
        let pages = 2 * all.keyValueBytes
        // The head is the embedding table there.
        #expect(all.gpuBytes == bytes { $0.hasPrefix("blk.") || $0 == "token_embd.weight" } + pages)
        let count = try #require(try header.metadata.int("lfm2.block_count"))
        let last = try await fit(1)
        #expect(last.gpuBytes == bytes { $0.hasPrefix("blk.\(count - 1).") } + pages)

        // An audio decoder's layers are counted where they are asked for, whatever is of the model.
        var vocoder = MadeVocoder()
        vocoder.isZero = true
        let decoder = FileManager.default.temporaryDirectory.appending(path: "vocoder-\(UUID().uuidString).gguf").path
        defer { try? FileManager.default.removeItem(atPath: decoder) }
        try vocoder.write(to: decoder)
        func speaking(_ layers: Int, _ decodesAudio: Bool) async throws -> Int64 {
            try await bench.store.fit(
                files: [path, decoder], name: "lfm2", contextSize: 64, gpuLayers: layers,
                decodesAudioOnGPU: decodesAudio
            ).gpuBytes
        }
        let layers = vocoder.tensors.filter { $0.name.contains(".layers.") }
        let decoderBytes = layers.reduce(0) { $0 + 4 * Int64($1.shape.reduce(1, *)) }
        #expect(try await speaking(0, false) == 0)
        #expect(try await speaking(.max, false) == all.gpuBytes)
        #expect(try await speaking(0, true) == decoderBytes)
        #expect(try await speaking(.max, true) == all.gpuBytes + decoderBytes)

        // So are the layers of an encoder of pictures, with either switch.
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/vision")
        let (reader, projector) = (
            fixtures.appendingPathComponent("vision.gguf").path,
            fixtures.appendingPathComponent("mmproj-vision.gguf").path
        )
        func reading(_ layers: Int, _ decodesAudio: Bool, _ files: [String]) async throws -> Int64 {
            try await bench.store.fit(
                files: files, name: "vision", contextSize: 64, gpuLayers: layers, decodesAudioOnGPU: decodesAudio
            ).gpuBytes
        }
        let encoder = try await HeaderReader.header(size: #require(FileSystem.size(of: projector)), projector) {
            try PartialFile(reading: projector).bytes($0)
        }
        let encoderBytes = encoder.tensors.filter { $0.name.hasPrefix("v.blk.") }.reduce(0) { $0 + Int64($1.byteCount) }
        #expect(encoderBytes > 0 && encoderBytes < encoder.tensors.reduce(0) { $0 + Int64($1.byteCount) })
        #expect(try await reading(0, false, [reader, projector]) == 0)
        #expect(try await reading(0, true, [reader, projector]) == encoderBytes)
        let alone = try await reading(1, false, [reader])
        #expect(try await reading(1, false, [reader, projector]) == alone + encoderBytes)
    }

    @Test("A library model arrives with its companions, and its manifest keeps what it does not know")
    func library() async throws {
        let bench = try makeBench()
        let model = try await bench.store.install(tiny)
        #expect(try bench.bytes(model) == content.bytes)
        #expect(model.path(.multimodalProjector)?.hasSuffix("/Tiny/Q4_0/mmproj.gguf") == true)
        #expect(model.manifest.members["future_key"]?["deep"] == .array([.integer(1), .double(2.5), .null]))
        #expect(model.manifest.originalURL?.hasSuffix("Tiny-GGUF/Q4_0.json") == true)
        #expect(model.manifest.file(.model) == "model.gguf")
        #expect(model.manifest.members["path_on_disk"]?.string == model.folder + "/manifest.json")
    }

    @Test("A cached model needs no request, and no network")
    func offline() async throws {
        let bench = try makeBench()
        let first = try await bench.store.install(tiny)
        let count = bench.server.requests.count
        bench.server.stop()
        let second = try await bench.store.install(tiny)
        #expect(first.files == second.files)
        #expect(bench.server.requests.count == count)
    }

    @Test("The library's second place is tried after a 404, and the error lists what there is")
    func fallbacks() async throws {
        let content = content
        let bench = try Workbench { request in
            switch request.path {
            case "/LiquidAI/Tiny-GGUF/resolve/main/leap/Q4_0.json":
                .text(
                    #"{"schema_version":"1.0.0","inference_type":"llama.cpp/text-to-text","load_time_parameters":{"model":"../Tiny-Q4_0.gguf"}}"#
                        .replacingOccurrences(of: "../", with: ""))
            case "/api/models/LiquidAI/Tiny-GGUF/tree/main":
                .text(
                    #"[{"type":"file","path":"Tiny-Q4_0.gguf","size":5},{"type":"file","path":"Tiny-Q8_0.gguf","size":5}]"#
                )
            case "/LiquidAI/Tiny-GGUF/resolve/main/leap/Tiny-Q4_0.gguf": request.serve(content)
            default: Reply(status: 404)
            }
        }
        #expect(try bench.bytes(try await bench.store.install(tiny)) == content.bytes)
        let error = await failure { try await bench.store.install(.library(model: "Tiny", quantization: "Q3_K_M")) }
        #expect(error?.code == .noSuchQuantization)
        #expect(error?.message.contains("Q4_0, Q8_0") == true)
        #expect(!FileManager.default.fileExists(atPath: bench.folder + "/Tiny/Q3_K_M"))
    }

    /// Texts that are no manifest, some longer than a line of a log, and a word of why.
    private static let noManifests: [(text: String, reason: String)] = [
        ("<!DOCTYPE html><html></html>", "web page"), ("not json", "not JSON"), ("[1]", "not an object"),
        (#"{"schema_version":"9.0.0"}"#, "schema version 9.0.0"),
        (#"{"schema_version":"1.0.0"}"#, "inference_type"),
        (#"{"schema_version":"1.0.0","inference_type":"x","load_time_parameters":{}}"#, "model"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "LFS"),
        (String(repeating: "[", count: 100_000), "not JSON"),
        // 6.5 KB that an earlier reader took 11 s for.
        (
            #"{"schema_version":"1.0.0","x":"# + String(repeating: "[", count: 3200)
                + String(repeating: "]", count: 3200) + "}", "not JSON"
        ),
    ]

    @Test("What is no manifest is refused with a reason", arguments: noManifests.indices)
    func noManifest(index: Int) async throws {
        let (text, reason) = Self.noManifests[index]
        let bench = try makeBench(text)
        let error = await failure { try await bench.store.install(tiny) }
        #expect(error?.code == .invalidManifest)
        #expect(error?.message.contains(reason) == true)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test(
        "A manifest cannot write outside its folder",
        arguments: [
            "../evil.gguf", "/etc/evil.gguf", "a/../../evil.gguf", "..\\\\evil.gguf", "C:\\\\evil.gguf",
            "a\\u0000b.gguf",
            "http://127.0.0.1:1/..%2F..%2Fevil.gguf", "http://127.0.0.1:1/a/%2e%2e", "ftp://host/evil.gguf",
        ])
    func escapes(path: String) async throws {
        let bench = try makeBench(manifest(path))
        let error = await failure { try await bench.store.install(tiny) }
        #expect(error?.code == .unsafeFileName || error?.code == .invalidAddress)
        #expect(bench.visibleModels.isEmpty)
    }

    @Test("Long, reserved and clashing names are mapped to ones that every file system takes")
    func names() async throws {
        #expect(SafeFileName.mapped("NUL.gguf") == "_NUL.gguf")
        #expect(SafeFileName.mapped("com1") == "_com1")
        #expect(SafeFileName.mapped("manifest.json") == "_manifest.json")
        #expect(SafeFileName.mapped("a:b?.gguf. ") == "a_b_.gguf")
        #expect(SafeFileName.mapped("a\u{1B}]0;x\u{7}\u{9B}2J\u{202E}.gguf") == "a_]0;x__2J_.gguf")
        let long = SafeFileName.mapped(String(repeating: "é", count: 300) + ".gguf")
        #expect(long.utf8.count <= 200 && long.hasSuffix(".gguf"))
        #expect(try SafeFileName.of(#require(URL(string: "https://h/a/model.gguf?token=x#y"))) == "model.gguf")
        let bench = try makeBench(manifest(String(repeating: "n", count: 300) + ".gguf"))
        let model = try await bench.store.install(tiny)
        #expect(try bench.bytes(model) == content.bytes)
    }

    @Test(
        "Names that end as our own unfinished files do are names like others",
        arguments: ["x.gguf.partial", "x.partial.journal", "X.PARTIAL", "x.tmp", "manifest.json", "x.partial_"])
    func endings(name: String) async throws {
        let bench = try makeBench(manifest(extra: #", "audio_tokenizer": "sub/\#(name)""#))
        let content = content
        let server = try Server { request in
            request.path.hasSuffix("/m.json")
                ? .text(manifest(extra: #", "audio_tokenizer": "sub/\#(name)""#)) : request.serve(content)
        }
        defer { server.stop() }
        let reference = ModelReference.manifest(server.url("/m.json"))
        let model = try await bench.store.install(reference)
        #expect(model.files.count == 3)
        #expect(bench.store.state(reference) == .installed)
        #expect(bench.store.listUnfinished().isEmpty)
        #expect(try await bench.store.verify(model).isEmpty)
    }

    @Test("A manifest with parts without number is refused before anything is asked for")
    func manyParts() async throws {
        let parts = (0..<20_000).map { "\"p\($0).gguf\"" }.joined(separator: ",")
        let bench = try makeBench(manifest(extra: ", \"model_parts\": [\(parts)]"))
        let error = await failure { try await bench.store.install(tiny) }
        #expect(error?.code == .invalidManifest)
        #expect(error?.message.contains("20000") == true)
        #expect(bench.server.requests.count == 1)
    }

    @Test("A model that another process is fetching is not removed", arguments: [true, false])
    func removesNothingInUse(cleansUp: Bool) async throws {
        let bench = try makeBench()
        let model = try await bench.store.install(tiny)
        let lock = try #require(try FileLock.attempt(bench.store.lockPath(model.folder)))
        if cleansUp {
            #expect(try await bench.store.cleanUp(toBytes: 0).isEmpty)
        } else {
            await #expect(throws: DownloadError.self) { try await bench.store.remove(tiny) }
        }
        withExtendedLifetime(lock) {}
        #expect(try bench.store.installed(tiny)?.files == model.files)
    }

    @Test("A model is found by the name that lists show, without the query of its address")
    func findsByShownName() async throws {
        let bench = try makeBench()
        let url = bench.server.url("/other.gguf?token=secret")
        let model = try await bench.store.install(.file(url))
        #expect(!model.name.contains("secret"))
        let shown = try ModelReference.parse(model.name, endpoint: bench.configuration.endpoint)
        #expect(try bench.store.find(shown)?.folder == model.folder)
        #expect(try bench.store.find(.file(bench.server.url("/other.gguf?token=other"))) == nil)
    }

    @Test("A disk that is too small is noticed before the first byte")
    func noSpace() async throws {
        let bench = try makeBench { $0.diskMargin = 1 << 60 }
        let error = await failure { try await bench.store.install(tiny) }
        #expect(error?.code == .insufficientSpace)
        #expect((error?.needed ?? 0) > (error?.available ?? 0))
        // Only the first byte of each file was asked for.
        #expect(bench.server.bytesSent < 2000)
    }

    @Test("Cancelling keeps what is there, and the next attempt fetches only the rest")
    func resumes() async throws {
        let content = content
        let sent = Counter()
        let gate = Gate()
        gate.set(400_000)
        let bench = try Workbench { request in
            request.serve(content).with {
                $0.longestPiece = 16 << 10
                $0.onSent = { sent.add($0) }
                $0.isHeld = { sent.count >= gate.limit }
            }
        }
        let log = ProgressLog()
        let task = Task { try await bench.install { log.add($0) } }
        try await wait { sent.count >= gate.limit && log.all.last?.bytes ?? 0 >= sent.count - 1 }
        if case .running = bench.store.state(bench.model) {} else { Issue.record("not seen to run") }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(bench.visibleModels.isEmpty)
        if case .stopped = bench.store.state(bench.model) {} else { Issue.record("not seen to have stopped") }
        #expect(bench.store.listUnfinished().map(\.name) == [bench.model.shown])
        gate.set(.max)
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
        #expect(bench.server.bytesSent <= content.count + 2)
    }

    @Test("What is unfinished is listed with the files that are whole already, and cleaned up first")
    func unfinished() async throws {
        let bench = try makeBench()
        let model = try await bench.store.install(tiny)
        _ = try await bench.store.install(.file(bench.server.url("/other.gguf")))
        unlink(try #require(model.path(.multimodalProjector)))
        #expect(bench.store.state(tiny) == .stopped(fraction: 0.999))
        #expect(bench.store.listUnfinished().map(\.name) == ["Tiny:Q4_0"])
        #expect(bench.store.listUnfinished().map(\.bytes) == [Int64(content.count)])
        // The whole model stays although it is the one that was not used for longest.
        #expect(try await bench.store.cleanUp(toBytes: Int64(content.count) + 1).isEmpty)
        #expect(bench.store.listUnfinished().isEmpty)
        #expect(try bench.store.list().count == 1)
    }

    @Test("A journal or partial file that was tampered with costs a new transfer, not a wrong file")
    func damagedJournal() async throws {
        let content = content
        let bench = try Workbench({
            $0.stallTimeout = 0.5
            $0.retry.attempts = 20
        }) { request in
            request.serve(content).with { if request.index == 3 { $0.stallsAfter = 10 } }
        }
        let folder = bench.store.folder(of: .file(bench.server.url("/model.gguf")))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("not a journal".utf8).write(to: URL(fileURLWithPath: folder + "/model.gguf.partial.journal"))
        try Data(repeating: 7, count: 2_000_000).write(to: URL(fileURLWithPath: folder + "/model.gguf.partial"))
        #expect(try bench.bytes(try await bench.install()) == content.bytes)
    }

    @Test("Callers who ask at a time share one transfer; who cancels only stops waiting")
    func shares() async throws {
        let content = content
        let sent = Counter()
        let gate = Gate()
        gate.set(200_000)
        let bench = try Workbench { request in
            request.serve(content).with {
                $0.longestPiece = 16 << 10
                $0.onSent = { sent.add($0) }
                $0.isHeld = { sent.count >= gate.limit }
            }
        }
        let impatient = Task { try await bench.install() }
        try await wait { sent.count >= gate.limit }
        let log = ProgressLog()
        async let first = bench.install { log.add($0) }
        async let second = bench.install { log.add($0) }
        try await wait { log.all.count >= 2 }
        impatient.cancel()
        await #expect(throws: CancellationError.self) { try await impatient.value }
        gate.set(.max)
        _ = try await (first, second)
        #expect(bench.server.bytesSent == content.count + 1)
    }

    @Test("Progress never falls, and is 1 only at the end")
    func progress() async throws {
        let content = content
        let log = ProgressLog()
        let sent = Counter()
        let bench = try Workbench { request in
            request.serve(content).with {
                $0.longestPiece = 16 << 10
                $0.onSent = { sent.add($0) }
                // Until somebody has looked.
                $0.isHeld = { sent.count > 600_000 && !log.all.contains { $0.bytesPerSecond > 0 } }
                if request.index % 4 == 3 { $0.closesAfter = 30_000 }
            }
        }
        _ = try await bench.install { log.add($0) }
        let seen = log.all
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.fraction <= $1.fraction && $0.bytes <= $1.bytes })
        #expect(seen.dropLast().allSatisfy { $0.fraction < 1 })
        #expect(seen.last?.fraction == 1 && seen.last?.phase == .finished)
        #expect(seen.contains { $0.phase == .downloading && $0.bytesPerSecond > 0 && $0.total == Int64(content.count) })
    }

    @Test("Forcing fetches again, and a failure leaves the old copy alone")
    func force() async throws {
        let content = content
        let fails = OneWaySwitch()
        let bench = try Workbench { request in fails.isSet ? Reply(status: 500) : request.serve(content) }
        let first = try await bench.install()
        let count = bench.server.requests.count
        _ = try await bench.install(force: true)
        #expect(bench.server.requests.count > count)
        fails.set()
        #expect(await failure { try await bench.install(force: true) }?.status == 500)
        #expect(try bench.bytes(first) == content.bytes)
        #expect(try bench.store.installed(.file(bench.server.url("/model.gguf"))) != nil)
    }

    @Test("A process that died while it put forced files in place is tidied up after, without a request")
    func interruptedReplacement() async throws {
        let bench = try makeBench()
        let model = try await bench.store.install(tiny)
        let new = model.folder + "/.new"
        let manager = FileManager.default
        try manager.createDirectory(atPath: new, withIntermediateDirectories: true)
        // The new manifest is written, the old one is gone, one of two files is moved.
        try manager.moveItem(atPath: model.folder + "/manifest.json", toPath: new + "/manifest.json")
        try manager.moveItem(atPath: model.folder + "/mmproj.gguf", toPath: new + "/mmproj.gguf")
        bench.server.stop()
        // Whoever looks first puts the rest in place: nothing is hidden until the model is fetched again.
        #expect(try bench.store.installed(tiny)?.files == model.files)
        #expect(try bench.store.list().map(\.name) == [tiny.shown])
        let again = try await bench.store.install(tiny)
        #expect(again.files == model.files)
        #expect(!manager.fileExists(atPath: new))
        #expect(try await bench.store.verify(again).isEmpty)
    }

    @Test("A file that was shortened or removed makes the model absent, and is fetched again")
    func damagedCache() async throws {
        let bench = try makeBench()
        let model = try await bench.store.install(tiny)
        try Data([1]).write(to: URL(fileURLWithPath: try #require(model.path(.model))))
        #expect(try bench.store.installed(tiny) == nil)
        #expect(try bench.bytes(try await bench.store.install(tiny)) == content.bytes)
    }

    /// The paths under the store's folder at which a link could stand in the way of a model.
    static let linkPlaces = [
        "Tiny", "Tiny/Q4_0", "Tiny/Q4_0/model.gguf.partial", "Tiny/Q4_0/.new", "Tiny/Q4_0/manifest.json",
    ]

    @Test(
        "A link in the cache that leads out of it is refused, and nothing is written through it", arguments: linkPlaces)
    func links(place: String) async throws {
        let bench = try makeBench()
        let outside = bench.folder + "-outside"
        let manager = FileManager.default
        try manager.createDirectory(atPath: outside, withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: outside) }
        let link = bench.folder + "/" + place
        try manager.createDirectory(
            atPath: (link as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let isFile = place.hasSuffix(".partial") || place.hasSuffix(".json")
        if isFile { try Data("theirs".utf8).write(to: URL(fileURLWithPath: outside + "/file")) }
        try manager.createSymbolicLink(atPath: link, withDestinationPath: isFile ? outside + "/file" : outside)
        let error = await failure { try await bench.store.install(tiny, force: place.hasSuffix(".new")) }
        #expect(error?.code == .unsafeFileName || error?.code == .fileSystem, "\(error?.message ?? "")")
        #expect(error?.message.contains(bench.folder) == true)
        if isFile {
            #expect(try String(contentsOfFile: outside + "/file", encoding: .utf8) == "theirs")
        } else {
            #expect(try manager.contentsOfDirectory(atPath: outside).isEmpty)
        }
    }

    @Test("Removing a model that is a link removes the link, not what it leads to")
    func removesLinks() async throws {
        let bench = try makeBench()
        let outside = bench.folder + "-outside"
        let manager = FileManager.default
        try manager.createDirectory(atPath: outside, withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: outside) }
        try Data("{}".utf8).write(to: URL(fileURLWithPath: outside + "/manifest.json"))
        try manager.createDirectory(atPath: bench.folder + "/Tiny", withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: bench.folder + "/Tiny/Q4_0", withDestinationPath: outside)
        try await bench.store.remove(tiny)
        #expect(manager.fileExists(atPath: outside + "/manifest.json"))
        #expect(!manager.fileExists(atPath: bench.folder + "/Tiny/Q4_0"))
    }

    @Test("A folder that cannot be made or written to is an error that names it")
    func readOnly() async throws {
        let bench = try makeBench()
        // Root may write to read-only folders, but nobody can make one inside a file.
        try Data("x".utf8).write(to: URL(fileURLWithPath: bench.folder))
        let error = await failure { try await bench.store.install(tiny) }
        #expect(error?.code == .fileSystem)
        #expect(error?.message.contains(bench.folder) == true)
    }

    @Test("Models are listed by last use, verified, removed, and cleaned up to a size")
    func housekeeping() async throws {
        let bench = try makeBench()
        let store = bench.store
        _ = try await store.install(.file(bench.server.url("/other.gguf")))
        try await Task.sleep(nanoseconds: 20_000_000)
        let model = try await store.install(tiny)
        #expect(try store.list().map(\.name) == ["Tiny:Q4_0", bench.server.url("/other.gguf").absoluteString])
        #expect(try await store.verify(model).isEmpty)
        let path = try #require(model.path(.multimodalProjector))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seek(toOffset: 1000)
        try handle.write(contentsOf: Data([1, 2, 3, 4]))
        try handle.close()
        #expect(try await store.verify(model).map(\.name) == ["mmproj.gguf"])
        let removed = try await store.cleanUp(toBytes: 1_600_000)
        #expect(removed.map(\.name) == [bench.server.url("/other.gguf").absoluteString])
        try await store.remove(tiny)
        #expect(try store.list().isEmpty)
        #expect(store.state(tiny) == .absent)
    }
}

final class ProgressLog: @unchecked Sendable {
    // Sendable although it has state: all of it is behind the lock.
    private let lock = NSLock()
    private var seen: [TransferProgress] = []

    func add(_ progress: TransferProgress) { lock.withLock { seen.append(progress) } }
    var all: [TransferProgress] { lock.withLock { seen } }
}
