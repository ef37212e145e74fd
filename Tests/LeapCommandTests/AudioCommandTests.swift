import Foundation
import LeapAudioDemoModel
import LeapCore
import LeapTestSupport
import Testing

/// Commands over sounds, with a tiny encoder of LFM2-Audio beside a model.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct AudioCommandTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    /// A folder with a model and its encoder.
    static func modelFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (source, name) in [("vision/vision.gguf", "model.gguf"), ("audio/mmproj-audio.gguf", "mmproj-model.gguf")] {
            try FileManager.default.copyItem(
                at: fixtures.appending(path: source), to: folder.url.appending(path: name))
        }
        return folder
    }

    /// The same with a sound of half a second.
    private static func folder() throws -> TemporaryFolder {
        let folder = try modelFolder()
        try wav().write(to: folder.url.appending(path: "sound.wav"))
        return folder
    }

    private static func wav(channels: Int = 1) -> Data {
        let samples = (0..<8000).map { Float($0 * 37 % 101) / 101 - 0.5 }
        guard
            case .audio(let data) = ChatMessageContent.fromFloatSamples(
                samples, sampleRate: 16_000, channelCount: channels)
        else { return Data() }
        return data
    }

    @Test("transcribe asks the model for what is said, from a file or standard input, and prints it")
    func transcribe() throws {
        let folder = try Self.folder()
        let model = folder.url.appending(path: "model.gguf").path
        let spoken = Self.fixtures.appending(path: "audio-demo/000.wav")
        let arguments = ["transcribe", model, spoken.path, "--max-tokens", "5", "--threads", "1", "--json"]
        let first = try LeapProgram.run(arguments)
        #expect(first.status == 0, "\(first.errors)")
        let line = try #require(
            try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any])
        #expect(line["text"] is String)
        let stats = try #require(line["stats"] as? [String: Any])
        // The vectors of the sound, and the words around them.
        #expect(stats["promptTokens"] as? Int ?? stats["prompt_tokens"] as? Int ?? 0 > 40)
        let piped = try LeapProgram.run(
            ["transcribe", model, "-", "--max-tokens", "5", "--threads", "1"], input: Data(contentsOf: spoken))
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(piped.output.trimmingCharacters(in: .newlines) == line["text"] as? String)
    }

    @Test(
        "transcribe asks Gemma 4 too, whichever of its encoders of sound is there",
        arguments: ["gemma4u/mmproj-gemma4u.gguf", "gemma4a/mmproj-gemma4a.gguf"])
    func transcribeGemma(encoder: String) throws {
        let folder = try TemporaryFolder()
        let model = folder.path("model.gguf")
        try GemmaSoundModel.write(to: model, fixtures: Self.fixtures)
        try FileManager.default.copyItem(
            at: Self.fixtures.appending(path: encoder), to: folder.url.appending(path: "mmproj-model.gguf"))
        let spoken = Self.fixtures.appending(path: "audio-demo/000.wav").path
        let found = try LeapProgram.run(
            ["transcribe", model, spoken, "--max-tokens", "3", "--threads", "1", "--json"])
        #expect(found.status == 0, "\(found.errors)")
        let line = try #require(
            try JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [String: Any])
        let stats = try #require(line["stats"] as? [String: Any])
        #expect(stats["promptTokens"] as? Int ?? stats["prompt_tokens"] as? Int ?? 0 > 60)
    }

    @Test("transcribe asks in the language, and tells which ones the model is trained for")
    func transcribeLanguage() throws {
        let folder = try Self.folder()
        let model = folder.url.appending(path: "model.gguf").path
        let spoken = Self.fixtures.appending(path: "audio-demo/000.wav").path
        func run(_ arguments: String...) throws -> LeapProgram.Outcome {
            try LeapProgram.run(["transcribe", model, spoken, "--max-tokens", "1", "--threads", "1"] + arguments)
        }
        func promptTokens(_ language: String) throws -> Int {
            let result = try run("--json", "--language", language)
            #expect(result.status == 0, "\(result.errors)")
            let line = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            let stats = try #require(line?["stats"] as? [String: Any])
            return try #require(stats["promptTokens"] as? Int ?? stats["prompt_tokens"] as? Int)
        }
        #expect(try promptTokens("Japanese") > promptTokens("en"))
        let german = try run("--language", "de-AT")
        #expect(german.status != 0 && german.errors.contains("de") && german.errors.contains("en, ja"))
        let unknown = try run("--language", "xx")
        #expect(unknown.status != 0 && unknown.errors.contains("xx"))
        #expect(try run("--language", "en", "--system", "Hi").status != 0)
    }

    @Test("speak reads a text out to a file whose words transcribe hears; run --speak writes the answer to one")
    func speak() throws {
        let folder = try TemporaryFolder()
        let (spoken, answer) = (folder.path("spoken.wav"), folder.path("answer.wav"))
        let said = try LeapProgram.run(
            ["speak", "demo-audio", "The lamp is on.", "--output", spoken, "--seed", "3", "--threads", "1"])
        #expect(said.status == 0, "\(said.errors)")
        let first = try Data(contentsOf: URL(fileURLWithPath: spoken))
        let again = try LeapProgram.run(
            ["speak", "demo-audio", "-o", spoken, "--seed", "3", "--threads", "1", "--voice", "us_male"],
            input: Data("The lamp is on.".utf8))
        #expect(again.status == 0, "\(again.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: spoken)) == first)
        let heard = try LeapProgram.run(["transcribe", "demo-audio", spoken, "--threads", "1"])
        #expect(heard.output == "The lamp is on.\n", "\(heard.errors)")

        let asked = try LeapProgram.run(
            "run", "demo-audio", "--audio", spoken, "--prompt", "", "--speak", answer, "--max-tokens", "60",
            "--temperature", "0", "--threads", "1")
        #expect(asked.status == 0, "\(asked.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: answer)).count > 20_000)
    }

    @Test(
        "speak -o - is standard output, --text takes a text with a hyphen, and what cannot be written is told before the work"
    )
    func speakOutput() throws {
        let folder = try TemporaryFolder()
        let arguments = ["speak", "demo-audio", "--seed", "3", "--threads", "1"]
        let piped = try LeapProgram.run(arguments + ["--text", "The lamp is on.", "-o", "-"])
        #expect(piped.status == 0, "\(piped.errors)")
        let file = folder.path("spoken.wav")
        let written = try LeapProgram.run(arguments + ["The lamp is on.", "-o", file])
        #expect(written.status == 0, "\(written.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == piped.outputBytes)
        #expect(!FileManager.default.fileExists(atPath: "-"))
        let compressed = folder.path("spoken.flac")
        let small = try LeapProgram.run(arguments + ["The lamp is on.", "-o", compressed])
        #expect(small.status == 0, "\(small.errors)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: compressed))
        #expect(bytes.starts(with: "fLaC".utf8) && bytes.count < piped.outputBytes.count * 9 / 10)
        // The same words are heard in it, whatever its name says.
        let renamed = folder.path("renamed.wav")
        try FileManager.default.copyItem(atPath: compressed, toPath: renamed)
        let heard = try LeapProgram.run(["transcribe", "demo-audio", renamed, "--threads", "1"])
        #expect(heard.output == "The lamp is on.\n", "\(heard.errors)")
        for (more, words) in [
            (["Hi", "-o", folder.path("x.mp3")], "leap writes only WAV and FLAC files; name it x.wav or .flac"),
            (["Hi", "-o", folder.path("none/x.wav")], "there is no folder"),
            (["Hi", "-o", folder.url.path], "is a folder"),
            (["Hi", "--text", "Ho", "-o", file], "give one"),
        ] {
            // A model that is not there would be told first, were it looked for first.
            let outcome = try LeapProgram.run(["speak", "/no/such.gguf"] + more)
            #expect(outcome.status != 0 && outcome.errors.contains(words), "\(outcome.errors)")
        }
        let hyphen = try LeapProgram.run(["speak", "/no/such.gguf", "--text", "-5", "-o", file])
        #expect(hyphen.errors.contains("there is no file at /no/such.gguf"), "\(hyphen.errors)")
        for (option, value, words) in [
            ("--speak", "a.mp3", "only WAV and FLAC files"), ("--speak", "-", "standard output"),
        ] {
            let outcome = try LeapProgram.run(["run", "/no/such.gguf", "-p", "Hi", option, value])
            #expect(outcome.status != 0 && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test("Silence has no transcript, and silence around speech does not change it")
    func silence() throws {
        let folder = try TemporaryFolder()
        let said = LeapAudioDemoModel.Recording.lamp
        func transcript(_ samples: [Int16], _ more: String...) throws -> String {
            let bytes = samples.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
            let file = try folder.file("sound.wav", MadeWAV.file(samples: bytes))
            let outcome = try LeapProgram.run(["transcribe", "demo-audio", file, "--threads", "1"] + more)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.errors.contains("it contains no speech") == (samples.allSatisfy { $0 == 0 }))
            return outcome.output
        }
        #expect(try transcript([Int16](repeating: 0, count: 16_000)) == "\n")
        let json = try transcript([Int16](repeating: 0, count: 100), "--json")
        #expect(json.contains(#""text":"""#) && json.contains(#""finish_reason":"stop""#), "\(json)")
        let samples = try said.data.dropFirst(44).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        let alone = try transcript(samples)
        #expect(alone == said.text + "\n")
        for (before, behind) in [(5000, 0), (0, 7001), (16_000, 16_000)] {
            let zeros = [Int16](repeating: 0, count: 16_000)
            #expect(try transcript(zeros.prefix(before) + samples + zeros.prefix(behind)) == alone)
        }
    }

    @Test(
        "Speech is refused where it cannot be: a voice that is none, a model that does not speak, two prompts for a file"
    )
    func speakRefused() throws {
        let folder = try Self.folder()
        let model = folder.url.appending(path: "model.gguf").path
        let out = folder.path("out.wav")
        let voice = try LeapProgram.run(["speak", model, "Hello.", "-o", out, "--voice", "robot"])
        #expect(voice.status == 64 && voice.errors.contains("us_male"), "\(voice.errors)")
        let silent = try LeapProgram.run(["speak", model, "Hello.", "-o", out, "--threads", "1"])
        #expect(silent.status == 1 && silent.errors.contains("vocoder"), "\(silent.errors)")
        let two = try LeapProgram.run(["run", model, "-p", "One", "-p", "Two", "--speak", out])
        #expect(two.status == 64 && two.errors.contains("--speak"), "\(two.errors)")
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test("A text is read aloud in a language with a model that takes one; others refuse it")
    func speakLanguage() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "languages-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures")
        var generator = MadeGenerator()
        generator.endScale = 1
        try generator.writeModel(to: folder, fixtures: fixtures)
        let model = folder.appending(path: "model.gguf").path, out = folder.appending(path: "out.wav").path
        let arguments = ["speak", model, "Hallo.", "-o", out, "--seed", "5", "--threads", "1", "--context", "160"]
        var sounds: [Data] = []
        for language in ["German", "fr"] {
            let spoken = try LeapProgram.run(arguments + ["--voice", "female", "--language", language])
            #expect(spoken.status == 0, "\(spoken.errors)")
            sounds.append(try Data(contentsOf: URL(fileURLWithPath: out)))
        }
        #expect(sounds[0] != sounds[1])
        let odd = try LeapProgram.run(arguments + ["--language", "Klingon"])
        #expect(odd.status == 64 && odd.errors.contains("--language"), "\(odd.errors)")
        let other = try Self.folder()
        let refused = try LeapProgram.run(
            ["speak", other.url.appending(path: "model.gguf").path, "Hallo.", "-o", out, "--language", "German"])
        #expect(refused.status == 1 && refused.errors.contains("language"), "\(refused.errors)")
    }

    @Test("run --audio answers about sounds; files that cannot be read and models that read none are named")
    func run() throws {
        let folder = try Self.folder()
        let model = folder.url.appending(path: "model.gguf").path
        let sound = folder.url.appending(path: "sound.wav").path
        let answer = try LeapProgram.run(
            "run", model, "--audio", sound, "--audio", sound, "--prompt", "Which?", "--max-tokens", "4", "--threads",
            "1")
        #expect(answer.status == 0, "\(answer.errors)")
        let stereo = folder.url.appending(path: "stereo.wav")
        try Self.wav(channels: 2).dropLast(100).write(to: stereo)
        let mixed = try LeapProgram.run(
            "run", model, "--audio", stereo.path, "--prompt", "Which?", "--max-tokens", "4", "--threads", "1")
        #expect(mixed.status == 0, "\(mixed.errors)")
        // What is there of a file that is cut off is heard, and said.
        #expect(mixed.errors.contains("stereo.wav: the WAV file is cut off"), "\(mixed.errors)")
        let adpcm = folder.url.appending(path: "adpcm.wav")
        try MadeWAV.file(tag: 2, bits: 4, samples: [0]).write(to: adpcm)
        let twice = try LeapProgram.run(["run", model, "--audio", "-", "--prompt", "-"], input: Self.wav())
        #expect(twice.errors.contains("only one of --audio and --prompt"), "\(twice.errors)")
        for (arguments, words) in [
            (["run", model, "--audio", adpcm.path, "--prompt", "?"], "format 2 with 4 bits"),
            (["transcribe", model, "/no/such.wav"], "there is no file that can be read"),
            (
                ["transcribe", "demo", Self.fixtures.appending(path: "audio-demo/000.wav").path],
                "loaded without a projector"
            ),
            (["transcribe", model, sound, "--max-tokens", "0"], "--max-tokens is 0"),
        ] {
            let outcome = try LeapProgram.run(arguments)
            #expect(outcome.status != 0)
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test("inspect shows what an encoder of sound reads, and why one cannot be used")
    func inspect() throws {
        let path = Self.fixtures.appending(path: "audio/mmproj-audio.gguf").path
        let text = try LeapProgram.run("inspect", path)
        #expect(text.status == 0, "\(text.errors)")
        for words in [
            "projector (lfm2a) of sound", "layers        2", "embedding     32", "heads         2", "64 elements",
            "128 bands every 10 ms",
        ] {
            #expect(text.output.contains(words), "\(words): \(text.output)")
        }
        #expect(!text.output.contains("warning"))
        #expect(!text.output.contains("feed-forward"))
        let json = try LeapProgram.run("inspect", path, "--json").output
        #expect(json.contains(#""reads_sound":true"#) && json.contains(#""bands":128"#))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data("clip.audio.num_mel_bins".utf8))).upperBound + 4
        bytes.replaceSubrange(place..<place + 4, with: withUnsafeBytes(of: UInt32(80)) { Data($0) })
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "mmproj-other.gguf")
        try bytes.write(to: file)
        #expect(
            try LeapProgram.run("inspect", file.path).output.contains(
                "it cannot be used: clip.audio.num_mel_bins is 80"))
    }

    @Test("inspect tells what an audio decoder is and how large its layers are, and why one cannot be used")
    func inspectDecoder() throws {
        let path = try LeapAudioDemoModel.vocoderURL.path
        let text = try LeapProgram.run("inspect", path)
        #expect(text.status == 0, "\(text.errors)")
        for words in [
            "audio decoder (vocoder) of LFM2.5-Audio", "8 codebooks of 2,049 codes", "24,000 samples per second",
            "as the model gives them",
        ] {
            #expect(text.output.contains(words), "\(words): \(text.output)")
        }
        #expect(!text.output.contains("warning") && !text.output.contains("chat template"))
        let json = try LeapProgram.run("inspect", path, "--json").output
        #expect(json.contains(#""audio_decoder":{"#) && json.contains(#""sample_rate":24000"#), "\(json)")
        #expect(!json.contains(#""problem""#))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let place = try #require(bytes.range(of: Data("istft.window".utf8)))
        bytes.replaceSubrange(place, with: Data("istft.widnow".utf8))
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "vocoder-other.gguf")
        try bytes.write(to: file)
        #expect(
            try LeapProgram.run("inspect", file.path).output.contains(
                "it cannot be used: tensor istft.window is missing"))
    }

    @Test("fits counts what sound and speech take where an encoder and an audio decoder lie beside the model")
    func fits() throws {
        let folder = try TemporaryFolder()
        func fits() throws -> [String: Double] {
            let outcome = try LeapProgram.run("fits", folder.path("model.gguf"), "--json")
            let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            return (object ?? [:]).compactMapValues { $0 as? Double }
        }
        try FileManager.default.copyItem(
            at: LeapAudioDemoModel.url, to: folder.url.appending(path: "model.gguf"))
        let text = try fits()
        #expect(text["soundBytes"] == 0 && text["speechBytes"] == 0)
        try FileManager.default.copyItem(
            at: LeapAudioDemoModel.encoderURL, to: folder.url.appending(path: "mmproj-model.gguf"))
        let hearing = try fits()
        // 96 MiB of what is kept of sounds, and what encoding takes.
        #expect((hearing["soundBytes"] ?? 0) > Double(96 << 20) && hearing["speechBytes"] == 0)
        try FileManager.default.copyItem(
            at: LeapAudioDemoModel.vocoderURL, to: folder.url.appending(path: "vocoder-model.gguf"))
        let speaking = try fits()
        #expect(speaking["soundBytes"] == hearing["soundBytes"])
        // Samples of a minute and their file, and what making them takes.
        #expect((speaking["speechBytes"] ?? 0) > Double(60 * 24_000 * 6))
        #expect((speaking["speechBytes"] ?? 0) < Double(32 << 20))
        let size = try LeapAudioDemoModel.vocoderURL.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        let weights = (speaking["weightBytes"] ?? 0) - (hearing["weightBytes"] ?? 0)
        #expect(weights > Double(size) * 0.9 && weights <= Double(size))
        #expect(try LeapProgram.run("fits", folder.path("model.gguf")).output.contains("a minute at a time"))
    }
}
