import Foundation
import LeapGGUF
import LeapTestSupport
import MisbehavingServer
import Testing

/// The messages of the commands about projectors, and about models that have one.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct ImageCommandTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Fixtures")

    private static func path(_ name: String) -> String { fixtures.appending(path: name).path }

    @Test("inspect shows a projector's family, tower, patches and how pictures are cut for it")
    func inspect() throws {
        let first = try LeapProgram.run("inspect", Self.path("vision/mmproj-vision.gguf"))
        #expect(first.status == 0, "\(first.errors)")
        for words in [
            "projector (lfm2) of pictures", "layers        2", "embedding     48", "heads         4",
            "16 × 16 pixels, 2 × 2 patches per vector", "64 elements", "64 to 256 tokens", "512 × 512", "F32",
        ] {
            #expect(first.output.contains(words), "\(words)")
        }
        #expect(!first.output.contains("chat template"))
        let second = try LeapProgram.run("inspect", Self.path("smolvlm/mmproj-smolvlm.gguf"), "--json").output
        for words in [
            #""type":"idefics3""#, #""image_size":100"#, #""max_picture_tokens":68"#, #""downsampling":3"#,
            #""reads_pictures":true"#, #""layers":2"#,
        ] {
            #expect(second.contains(words), "\(words)")
        }
        #expect(!second.contains("problem"))
        #expect(try !LeapProgram.run("inspect", "demo", "--json").output.contains(#""projector""#))
    }

    @Test("inspect names the kind of a projector that is not known, and still shows the file")
    func unknown() throws {
        var bytes = try Data(contentsOf: Self.fixtures.appending(path: "vision/mmproj-vision.gguf"))
        let place = try #require(bytes.range(of: Data("clip.projector_type".utf8))).upperBound + 12
        bytes.replaceSubrange(place..<place + 4, with: Data("mlp9".utf8))
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "mmproj-x.gguf")
        try bytes.write(to: file)
        let text = try LeapProgram.run("inspect", file.path)
        #expect(text.status == 0)
        #expect(text.output.contains("projector (mlp9) of pictures"))
        #expect(text.output.contains("warning") && text.output.contains("idefics3, lfm2"))
        #expect(
            try LeapProgram.run("inspect", file.path, "--json").output.contains(#""problem":"the projector's type"#))
    }

    @Test("inspect tells the kind of each medium of a file, and which of them is not read")
    func mixed() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("mmproj-mixed.gguf")
        try MixedProjector.writer(
            pictures: try GGUFFile.open(path: Self.path("vision/mmproj-vision.gguf")),
            sounds: try GGUFFile.open(path: Self.path("audio/mmproj-audio.gguf")), soundKind: "lfm4a"
        ).write(to: path)
        let text = try LeapProgram.run("inspect", path)
        #expect(text.status == 0)
        for words in [
            "projector of pictures (lfm2) and sound (lfm4a)", "64 to 256 tokens",
            "this version reads no sounds of the kind \"lfm4a\"",
        ] { #expect(text.output.contains(words), "\(words)") }
        let json = try LeapProgram.run("inspect", path, "--json").output
        for words in [#""picture_type":"lfm2""#, #""sound_type":"lfm4a""#, #""generates_sound":false"#] {
            #expect(json.contains(words), "\(words)")
        }
    }

    @Test("bench --image measures encoding and two questions", arguments: ["vision", "smolvlm"])
    func bench(family: String) throws {
        let outcome = try LeapProgram.run(
            "bench", Self.path("\(family)/\(family).gguf"), "--image", "70x64", "--repetitions", "1", "--threads", "1",
            "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let line = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Double])
        #expect(line["width"] == 70)
        #expect(line["height"] == 64)
        #expect(line["tokens"] == (family == "vision" ? 72 : 68))
        #expect(line["parts"] == (family == "vision" ? 1 : 17))
        #expect(line["threads"] == 1)
        for key in ["encode_ms", "encode_part_ms", "encode_tps", "first_question_ms", "second_question_ms"] {
            #expect(line[key] ?? 0 > 0, "\(key)")
        }
        guard TestLevel.isAll || family == "vision" else { return }
        let text = try LeapProgram.run(
            "bench", Self.path("\(family)/\(family).gguf"), "--image", "64x64", "--repetitions", "1")
        #expect(text.output.contains("second question"))
    }

    @Test("bench --image refuses sizes that are none, models without a projector, and other measurements beside it")
    func benchRefused() throws {
        for size in ["64", "0x5", "axb", "70000x2", "60000x60000", "1x2x3"] {
            #expect(try LeapProgram.run("bench", "demo", "--image", size).errors.contains("--image \(size)"), "\(size)")
        }
        #expect(try LeapProgram.run("bench", "demo", "--image", "64x64").errors.contains("mmproj"))
        #expect(try LeapProgram.run("bench", "demo", "--image", "64x64", "--profile").errors.contains("--profile"))
        #expect(try LeapProgram.run("bench", "demo", "--image", "64x64", "--repetitions", "0").status != 0)
    }

    @Test("fits counts what pictures take where the model has a projector")
    func fits() throws {
        let manifest = """
            {"schema_version": "1.0.0", "inference_type": "llama.cpp/image-to-text",
             "load_time_parameters": {"model": "vision.gguf", "multimodal_projector": "mmproj-vision.gguf"}}
            """
        let files = try ["vision.gguf", "mmproj-vision.gguf"].map {
            ($0, Array(try Data(contentsOf: Self.fixtures.appending(path: "vision/\($0)"))))
        }
        let server = try Server { request in
            if request.path.hasSuffix("Q8_0.json") { return .text(manifest) }
            guard let bytes = files.first(where: { request.path.hasSuffix("/\($0.0)") })?.1 else {
                return Reply(status: 404)
            }
            guard let range = request.range(size: bytes.count) else { return Reply(body: .bytes(bytes)) }
            return Reply(
                status: 206,
                fields: [
                    ("ETag", "\"v\""),
                    ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"),
                ], body: .bytes(Array(bytes[range])))
        }
        let folder = try TemporaryFolder()
        let environment = [
            "LEAP_HOME": folder.url.path, "HF_ENDPOINT": server.url("").absoluteString, "HF_TOKEN": "", "no_proxy": "*",
        ]
        func fits() throws -> [String: Double] {
            let outcome = try LeapProgram.run(["fits", "Vision:Q8_0", "--json"], environment: environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            return (object ?? [:]).compactMapValues { $0 as? Double }
        }
        let before = try fits()
        #expect(before["downloadBytes"] == Double(files.reduce(0) { $0 + $1.1.count }))
        // Weights of both; 96 MiB of what is kept of pictures, and what encoding takes.
        #expect(before["weightBytes"] ?? 0 > 700_000)
        #expect(before["pictureBytes"] ?? 0 > Double(96 << 20))
        #expect(before["pictureBytes"] ?? 0 < Double(110 << 20))
        let text = try LeapProgram.run(["fits", "Vision:Q8_0"], environment: environment)
        #expect(text.output.contains("pictures"))
        #expect(try LeapProgram.run(["pull", "Vision:Q8_0"], environment: environment).status == 0)
        let after = try fits()
        #expect(after["pictureBytes"] == before["pictureBytes"])
        #expect(after["bytesOnDisk"] == before["downloadBytes"])
    }
}
