import Foundation
import LeapAudioDemoModel
import LeapSDK
import LeapTestSupport
import Testing

/// The audio demo model: what is said is really heard, and gets right answers.
struct AudioDemoModelTests {
    static let runner = Task { try await Leap.load(url: LeapAudioDemoModel.url) }

    static func ask(_ content: [ChatMessageContent], system: String?) async throws -> [MessageResponse] {
        try await runner.value.createConversation(systemPrompt: system).generateResponse(
            message: ChatMessage(role: .user, content: content),
            generationOptions: GenerationOptions(temperature: 0, maxTokens: 200)
        ).collect()
    }

    @Test("What is said is written down", arguments: LeapAudioDemoModel.Recording.allCases)
    func transcription(recording: LeapAudioDemoModel.Recording) async throws {
        let reply = try await Self.ask([.fromWAVData(recording.data)], system: "Perform ASR.")
        #expect(reply.text == recording.text)
    }

    @Test(
        "What is asked gets its answer",
        arguments: [
            (LeapAudioDemoModel.Recording.lamp, "The lamp is on."), (.sum, "The answer is five."),
            (.whereabouts, "Mia is in the garden."),
        ])
    func answer(recording: LeapAudioDemoModel.Recording, answer: String) async throws {
        #expect(try await Self.ask([.fromWAVData(recording.data)], system: nil).text == answer)
    }

    @Test("A conversation goes on with further questions, spoken and typed")
    func conversation() async throws {
        let chat = try await Self.runner.value.createConversation(systemPrompt: nil)
        for (content, answer): (ChatMessageContent, String) in [
            (try .fromWAVData(LeapAudioDemoModel.Recording.sum.data), "The answer is five."),
            (try .fromWAVData(LeapAudioDemoModel.Recording.lamp.data), "The lamp is on."),
            (.text("Where is Leo?"), "Leo is at the river."),
        ] {
            let reply = try await chat.generateResponse(
                message: ChatMessage(role: .user, content: [content]), generationOptions: DemoModel.greedy
            ).collect()
            #expect(reply.text == answer)
        }
    }

    @Test("Its spoken answer is understood by its own ears, and so is a text that it reads out")
    func spoken() async throws {
        let recording = LeapAudioDemoModel.Recording.whereabouts
        for (content, system) in [
            (try ChatMessageContent.fromWAVData(recording.data), "Respond with interleaved text and audio."),
            (.text("Mia is in the garden."), "Perform TTS. Use the US male voice."),
        ] {
            let reply = try await Self.ask([content], system: system)
            var samples: [Float] = []
            for case .audioSample(let piece, let rate) in reply {
                #expect(rate == 24_000)
                samples += piece
            }
            #expect(samples.count > 24_000)
            let heard = try await Self.ask([.fromFloatSamples(samples, sampleRate: 24_000)], system: "Perform ASR.")
            #expect(heard.text == "Mia is in the garden.")
        }
    }

    /// Another folder of recordings, for the numbers of the model card; each error is printed then.
    private static let otherVoices = ProcessInfo.processInfo.environment["LEAP_AUDIO_VOICES"]

    @Test("Of the words in voices never heard before, at least nine in ten are right")
    func heldOut() async throws {
        let folder =
            Self.otherVoices.map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/audio-demo")
        let listing = try String(contentsOf: folder.appending(path: "sentences.tsv"), encoding: .utf8)
        var (errors, count, exact, lines) = (0, 0, 0, 0)
        let all = listing.split(separator: "\n")
        let sampled = Self.otherVoices == nil ? TestLevel.cases(all, standard: 12) : all
        for line in sampled {
            let fields = line.split(separator: "\t").map(String.init)
            try #require(fields.count >= 3)
            let sound = ChatMessageContent.fromWAVData(try Data(contentsOf: folder.appending(path: fields[0])))
            let heard = try await Self.ask([sound], system: "Perform ASR.").text
            errors += WordErrors.count(fields[1], heard: heard)
            count += WordErrors.words(fields[1]).count
            lines += 1
            exact += heard == fields[1] ? 1 : 0
            if Self.otherVoices != nil, heard != fields[1] { print("\(line): \(heard)") }
        }
        if Self.otherVoices != nil {
            print("\(count - errors) of \(count) words, \(exact) of \(lines) sentences to the letter")
        }
        // Of few words three more may be wrong.
        let isPart = sampled.count < all.count
        #expect(count >= (isPart ? 40 : 150))
        #expect(10 * (count - errors + (isPart ? 3 : 0)) >= 9 * count, "\(errors) of \(count) words are wrong")
    }

    @Test("Words that are left out, put in and replaced are counted")
    func wordErrors() {
        #expect(WordErrors.count("Turn on the lamp.", heard: "turn on the lamp") == 0)
        #expect(WordErrors.count("Turn on the lamp.", heard: "Turn the lamp.") == 1)
        #expect(WordErrors.count("Turn on the lamp.", heard: "Turn on on the fan.") == 2)
        #expect(WordErrors.count("Stop.", heard: "") == 1)
        #expect(WordErrors.count("", heard: "Stop it.") == 2)
    }
}
