import Foundation
import LeapAudioDemoModel
import LeapCore
import Testing

/// Commands over sounds, with a tiny encoder of LFM2-Audio beside a model.
@Suite(.timeLimit(.minutes(30)))
struct SoundCommandTests {
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
        let sound = folder.url.appending(path: "sound.wav").path
        let arguments = ["transcribe", model, sound, "--max-tokens", "5", "--threads", "1", "--json"]
        let first = try LeapProgram.run(arguments)
        #expect(first.status == 0, "\(first.errors)")
        let line = try #require(
            try JSONSerialization.jsonObject(with: Data(first.output.utf8)) as? [String: Any])
        #expect(line["text"] is String)
        let stats = try #require(line["stats"] as? [String: Any])
        // Seven vectors of half a second, and the words around them.
        #expect(stats["promptTokens"] as? Int ?? stats["prompt_tokens"] as? Int ?? 0 > 40)
        let piped = try LeapProgram.run(
            ["transcribe", model, "-", "--max-tokens", "5", "--threads", "1"], input: Self.wav())
        #expect(piped.status == 0, "\(piped.errors)")
        #expect(piped.output.trimmingCharacters(in: .newlines) == line["text"] as? String)
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
        try Self.wav(channels: 2).write(to: stereo)
        let twice = try LeapProgram.run(["run", model, "--audio", "-", "--prompt", "-"], input: Self.wav())
        #expect(twice.errors.contains("only one of --audio and --prompt"), "\(twice.errors)")
        for (arguments, words) in [
            (["run", model, "--audio", stereo.path, "--prompt", "?"], "2 channels (stereo)"),
            (["transcribe", model, "/no/such.wav"], "there is no file that can be read"),
            (["transcribe", "demo", sound], "loaded without a projector"),
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
