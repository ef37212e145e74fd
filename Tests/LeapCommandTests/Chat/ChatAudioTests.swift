import Foundation
import LeapAudioDemoModel
import Testing

@testable import LeapCommandLine

/// Sounds in `leap chat`, by the program.
@Suite(.ownThreads, .timeLimit(.minutes(30)))
struct ChatAudioTests {
    private let folder: TemporaryFolder
    private let sound: String

    init() throws {
        folder = try TemporaryFolder()
        sound = try folder.file("said so.wav", try LeapAudioDemoModel.Recording.lamp.data)
    }

    private func chat(_ lines: String..., options: [String] = []) throws -> LeapProgram.Outcome {
        let input = lines.map { $0 + "\n" }.joined()
        return try LeapProgram.run(
            ["chat", "demo-audio", "--max-tokens", "2", "--temperature", "0", "--threads", "1"] + options,
            input: Data(input.utf8))
    }

    /// The tokens of the prompts that `/stats` told.
    private static func tokens(_ outcome: LeapProgram.Outcome) -> [Int] {
        outcome.errors.matches(of: /last answer: (\d+) prompt tokens computed, (\d+) kept/).compactMap { match in
            guard let computed = Int(match.output.1), let kept = Int(match.output.2) else { return nil }
            return computed + kept
        }
    }

    @Test("A sound is told with its length, goes with one message and no other, and may be cleared")
    func attached() throws {
        let outcome = try chat(
            "/audio", "/audio \(sound)", "/audio '\(sound)'", "/audio", "What?", "/audio", "/audio \(sound)",
            "/audio clear",
            "/stats")
        #expect(outcome.status == 0)
        let errors = outcome.errors
        #expect(errors.components(separatedBy: "(no sound is attached)").count == 4, "\(errors)")
        #expect(errors.contains("; 1 sound goes with the next message)"), "\(errors)")
        #expect(errors.contains("; 2 sounds go with the next message)"), "\(errors)")
        #expect(errors.firstMatch(of: /said so\.wav \(\d+\.\d s, \d+ bytes\)/) != nil, "\(errors)")
        let silent = try chat("What?", "/stats")
        let (heard, unheard) = (try #require(Self.tokens(outcome).first), try #require(Self.tokens(silent).first))
        #expect(heard > unheard + 10, "\(heard) \(unheard)")
    }

    @Test("A sound goes with the message that takes the place of its own, and stays where a message is refused")
    func kept() throws {
        let edited = try chat("/audio \(sound)", "What?", "/stats", "/edit", "What?", "/stats")
        let tokens = Self.tokens(edited)
        #expect(tokens.count == 2 && tokens.first == tokens.last, "\(edited.errors)")
        let refused = try chat("/audio \(sound)", "What?", "/audio", options: ["--context", "20"])
        #expect(refused.errors.contains("the sounds stay attached; /audio clear removes them"), "\(refused.errors)")
        #expect(refused.errors.components(separatedBy: "said so.wav (").count == 3, "\(refused.errors)")
    }

    @Test("What is no sound file is an error that names it, and the chat goes on; a model that hears none says so")
    func problems() throws {
        let files = try [
            folder.file("a.wav", Data("RIFF and no more".utf8)), folder.file("empty.flac", Data()),
            folder.file("a.txt", Data("a text".utf8)), folder.path("missing.wav"), folder.url.path,
        ]
        let outcome = try LeapProgram.run(
            ["chat", "demo-audio", "--max-tokens", "2", "--threads", "1"],
            input: Data((files.map { "/audio \($0)\n" }.joined() + "/audio\nWhat?\n/stats\n").utf8))
        #expect(outcome.status == 0)
        for file in files { #expect(outcome.errors.contains("error: /audio \(file)"), "\(file) \(outcome.errors)") }
        #expect(outcome.errors.contains("(no sound is attached)") && Self.tokens(outcome).count == 1)
        let deaf = try LeapProgram.run(["chat", "demo"], input: Data("/audio \(sound)\n/audio\n".utf8))
        #expect(deaf.status == 0 && deaf.errors.contains("error: /audio: ") && deaf.errors.contains("mmproj"))
        #expect(deaf.errors.contains("(no sound is attached)"), "\(deaf.errors)")
    }
}
