import Foundation
import LeapCore
import Testing

/// Commands over sounds, with a tiny encoder of LFM2-Audio beside a model.
@Suite(.timeLimit(.minutes(15)))
struct SoundCommandTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    /// A folder with a model, its encoder and a sound of half a second.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (source, name) in [("vision/vision.gguf", "model.gguf"), ("audio/mmproj-audio.gguf", "mmproj-model.gguf")] {
            try FileManager.default.copyItem(
                at: fixtures.appending(path: source), to: folder.url.appending(path: name))
        }
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
}
