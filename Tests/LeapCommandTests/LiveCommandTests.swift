import Foundation
import LeapAudio
import LeapTestSupport
import Testing

/// `leap transcribe --live`, with a tiny encoder of LFM3-Audio beside a model.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct LiveCommandTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")
    private static let spoken = fixtures.appending(path: "audio-demo/000.wav")

    /// A folder with a model and its encoder.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (source, name) in [("lfm3vl/lfm3vl.gguf", "model.gguf"), ("lfm3a/mmproj-lfm3a.gguf", "mmproj-model.gguf")] {
            try FileManager.default.copyItem(
                at: fixtures.appending(path: source), to: folder.url.appending(path: name))
        }
        return folder
    }

    /// The text that the command prints for a sound file, or for bytes on standard input.
    private static func text(_ model: String, _ more: [String] = [], input: Data? = nil) throws -> String {
        let arguments = ["transcribe", model, input == nil ? spoken.path : "-", "--live", "--threads", "1"] + more
        let outcome = try input.map { try LeapProgram.run(arguments, input: $0) } ?? LeapProgram.run(arguments)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasSuffix("\n"))
        return String(outcome.output.dropLast())
    }

    @Test("A file is transcribed live; chunks of another length, and another system message, give another text")
    func file() throws {
        let folder = try Self.folder()
        let model = folder.url.appending(path: "model.gguf").path
        let text = try Self.text(model)
        #expect(!text.isEmpty)
        let line = try Self.text(model, ["--json"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["text"] as? String == text && object["finish_reason"] as? String == "stop")
        let stats = try #require(object["stats"] as? [String: Any])
        #expect(stats["completion_tokens"] as? Int ?? 0 > 0)
        #expect(try Self.text(model, ["--chunk", "80"]) != text)
        #expect(try Self.text(model, ["--chunk", "400"]) == text)
        #expect(try Self.text(model, ["--system", "Write."]) != text)
    }

    @Test("Standard input is a sound file, or raw samples at a rate")
    func input() throws {
        let folder = try Self.folder()
        let model = folder.url.appending(path: "model.gguf").path
        let samples = PatternAudio.samples(32_000)
        let file = WAVFile.encode(samples, sampleRate: 16_000, asInt16: true)
        let text = try Self.text(model, input: file)
        #expect(!text.isEmpty)
        // As a recorder writes it, which does not know the length.
        let header = WAVFile.header(sampleRate: 16_000, asInt16: true, byteCount: nil)
        let raw = file.dropFirst(44)
        #expect(try Self.text(model, input: header + raw) == text)
        #expect(try Self.text(model, ["--rate", "16000"], input: Data(raw)) == text)
        #expect(try Self.text(model, ["--rate", "8000"], input: Data(raw)) != text)
        #expect(try Self.text(model, input: header).isEmpty)
        let outcome = try LeapProgram.run(["transcribe", model, "-", "--live"], input: Data("no sound at all".utf8))
        #expect(outcome.status != 0 && outcome.errors.contains("transcribe -: the audio is not a WAV"))
    }

    @Test("A model that reads whole recordings transcribes at the end, and says so")
    func whole() throws {
        let folder = try AudioCommandTests.modelFolder()
        let arguments = [
            "transcribe", folder.url.appending(path: "model.gguf").path, "-", "--threads", "1", "--context", "160",
        ]
        let input = try Data(contentsOf: Self.spoken)
        let plain = try LeapProgram.run(arguments, input: input)
        let live = try LeapProgram.run(arguments + ["--live"], input: input)
        #expect(plain.status == 0 && live.status == 0, "\(live.errors)")
        #expect(live.output == plain.output)
        #expect(live.errors.contains("does not transcribe live"))
    }

    @Test("Options that have no effect together are refused before a model is looked for")
    func refused() throws {
        for (more, words) in [
            (["a.wav", "--chunk", "80"], "--chunk needs --live"), (["-", "--rate", "8000"], "--rate needs --live"),
            (["a.wav", "--live", "--rate", "8000"], "give - for the file"),
            (["-", "--live", "--rate", "0"], "--rate is 0"), (["-", "--live", "--chunk", "100"], "--chunk is 100"),
            (["-", "--live", "--chunk", "480"], "--chunk is 480"),
            (["a.wav", "--live", "--max-tokens", "5"], "--max-tokens limits"),
            (["a.wav", "--live", "--language", "de"], "leave out --language"),
        ] {
            let outcome = try LeapProgram.run(["transcribe", "/no/such.gguf"] + more)
            #expect(outcome.status != 0 && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }
}
