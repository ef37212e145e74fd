import Foundation
import LeapAudio
import LeapBase
import LeapGGUF
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat
@testable import LeapCore
@testable import LeapModel

/// Answers about pictures and sounds, of a tiny model of the type `lfm2-d1-omni` with its projector.
@Suite(.inTurns)
struct MediaDecideTests {
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures")
    private static let choice = Question.choice("Which?", ["billing", "support", "sales"], name: "which")
    private static let score = Question.score("How urgent?", levels: ["not", "soon", "now"], name: "urgency")
    private static let spam = Question.yesNo("Is this spam?", name: "spam")
    private static let questions = [choice, score, spam]
    private static let text = DecisionState.text("Once upon a time there was a little engine.")

    private static func picture(_ width: Int = 64, _ height: Int = 64) -> ChatMessageContent {
        .image(Data(PNGFile.pattern(width: width, height: height)))
    }

    /// A sound at 8,000 samples per second.
    private static func sound(seconds: Double) -> ChatMessageContent {
        .audio(WAVFile.encode(PatternAudio.samples(Int(seconds * 8000)), sampleRate: 8000))
    }

    private static func withRunner(
        change: (inout MaskDecisionFile) -> Void = { _ in },
        _ body: (LiquidInferenceEngineRunner) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("leap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = try DecisionProjector.writeModel(to: folder, fixtures: fixtures, change: change)
        let runner = try #require(try await Leap.load(url: model) as? LiquidInferenceEngineRunner)
        var files = ModelFiles(modelPath: model.path)
        files.multimodalProjectorPath = folder.appendingPathComponent("mmproj-model.gguf").path
        let modalities = try ModelModalities(headersOf: files)
        #expect(modalities.input == [.text, .image, .audio] && modalities.output == [.decisions])
        try await body(runner)
    }

    private static func ask(
        _ runner: any ModelRunner, _ state: DecisionState, _ questions: [Question] = Self.questions
    ) async throws -> Decisions {
        try await runner.decide(questions, about: state, options: DecisionOptions())
    }

    @Test("Each question about pictures or a sound has the same bits alone as beside others, and again")
    func sameBits() async throws {
        try await Self.withRunner { runner in
            let capabilities = try #require(runner.decisionCapabilities)
            #expect(capabilities.readsPictures && capabilities.readsSounds)
            #expect(try runner.abilities().capabilities.starts(with: [.vision, .audio, .decisions]))
            var found: [[DecisionAnswer]] = [try await Self.ask(runner, Self.text).answers]
            for media in [[Self.picture()], [Self.picture(80, 70), Self.picture()], [Self.sound(seconds: 1.25)]] {
                let state = Self.text.with(media)
                let together = try await Self.ask(runner, state)
                #expect(try await Self.ask(runner, state).answers == together.answers)
                for question in Self.questions {
                    let alone = try await Self.ask(runner, state, [question])
                    #expect(alone.answers == [try #require(together[question.name])])
                }
                for answer in together {
                    #expect(abs(answer.probabilities.reduce(0, +) - 1) < 1e-12 && answer.cuts.isEmpty)
                }
                found.append(together.answers)
            }
            #expect(Set(found).count == 4)
            // Parts of messages come before others, and their text is the state.
            let message = ChatMessage(role: .user, content: [.text("Look"), Self.picture()])
            let inMessage = try await Self.ask(runner, .messages([message]))
            let words = DecisionState.messages([ChatMessage(role: .user, content: [.text("Look")])])
            let apart = try await Self.ask(runner, words.with([Self.picture()]))
            #expect(inMessage.answers == apart.answers)
            let none = try await Self.ask(runner, DecisionState.none.with([Self.picture()]))
            #expect(none.count == 3 && none.inputTokenCount > 3 * 64)
        }
    }

    @Test("With pictures the text has 896 tokens at most, and the file's temperatures do not count")
    func budget() async throws {
        let long = DecisionState.text(String(repeating: "time and again ", count: 2_000))
        let change: (inout MaskDecisionFile) -> Void = {
            $0.changes = ["lfm2.decision.temperature.choice": .float32(8)]
        }
        try await Self.withRunner(change: change) { runner in
            let found = try await Self.ask(runner, long.with([Self.picture()]), [Self.choice])
            // A picture of 64 × 64 pixels has 64 tokens.
            #expect(found.inputTokenCount == 64 + 896 && found[0].cuts.map(\.field) == ["state"])
            let plain = try await Self.ask(runner, long, [Self.choice])
            #expect(plain.inputTokenCount == 2_048)
            let pictured = Self.text.with([Self.picture()])
            let own = try await Self.ask(runner, pictured, [Self.choice])[0]
            let warm = try await runner.decide(
                [Self.choice], about: pictured, options: DecisionOptions(temperature: 8))[0]
            let ratio = { (answer: DecisionAnswer) in log(answer.probabilities[0] / answer.probabilities[1]) }
            #expect(abs(ratio(warm) - ratio(own) / 8) < 1e-9 && abs(ratio(own)) > 1e-3)
        }
    }

    @Test("A long sound is cut at 30 seconds, which is told; a short one is filled to half a second")
    func sounds() async throws {
        // Without the spectrum, which would take most of the time.
        let reader = AudioReader(encoder: StableHash(), form: .normalised, contextSize: 4096)
        func media(seconds: Double) throws -> DecisionMedia {
            let state = DecisionState(.text("a"), media: [Self.sound(seconds: seconds)])
            return try #require(try DecisionMedia(state, readers: [reader]))
        }
        let (long, whole) = (try media(seconds: 31), try media(seconds: 30))
        let cut = try #require(long.cuts.first)
        #expect(long.cuts.count == 1 && cut.field == "audio" && cut.keptTokens == whole.tokens.count)
        #expect(cut.totalTokens - cut.keptTokens >= 12 && long.tokens.count == whole.tokens.count)
        #expect(whole.cuts.isEmpty)
        let (prompt, _) = try Self.prompt(Self.spam, long)
        #expect(prompt.cuts.map(\.field) == ["audio"])
        try await Self.withRunner { runner in
            let short = try await Self.ask(runner, Self.text.with([Self.sound(seconds: 0.25)]), [Self.spam])
            let samples = PatternAudio.samples(2000) + [Float](repeating: 0, count: 2000)
            let filled = ChatMessageContent.audio(WAVFile.encode(samples, sampleRate: 8000))
            let same = try await Self.ask(runner, Self.text.with([filled]), [Self.spam])
            #expect(short[0].probabilities == same[0].probabilities && short.inputTokenCount == same.inputTokenCount)
        }
    }

    @Test("Media that are not read together, or cannot be read, are errors of the state")
    func refused() async throws {
        try await Self.withRunner { runner in
            for (media, words) in [
                ([Self.picture(), Self.sound(seconds: 1)], "pictures, or one sound"),
                ([Self.sound(seconds: 1), Self.sound(seconds: 2)], "2 sounds"),
                ([.image(Data([1, 2, 3]))], "state: "), ([.audio(Data([1, 2, 3]))], "state: "),
                ([.audio(WAVFile.encode([], sampleRate: 8000))], "no samples"),
                ([.text("a")], "text is the state itself"),
            ] as [([ChatMessageContent], String)] {
                let error = await #expect(throws: LeapDecisionException.self) {
                    try await Self.ask(runner, Self.text.with(media))
                }
                #expect(error?.field.hasPrefix("state") == true && error?.message.contains(words) == true, "\(words)")
            }
        }
        let model = try MaskDecisionFile("lfm2-d1-omni").write(from: Self.fixtures.appendingPathComponent("embeddings"))
        defer { try? FileManager.default.removeItem(at: model) }
        let runner = try await Leap.load(url: model)
        let error = await #expect(throws: LeapDecisionException.self) {
            try await Self.ask(runner, Self.text.with([Self.picture()]))
        }
        #expect(error?.field == "state" && error?.message.contains("mmProjPath") == true)
        #expect(runner.decisionCapabilities?.readsPictures == false)
    }

    // MARK: Prompts

    /// A reader whose pictures, or sounds, have the tokens that their bytes say.
    private struct Reader: MediaReader {
        let medium: Medium
        let encoder = StableHash()

        func read(_ file: MediaFile) throws -> (tokens: [TokenID], parts: [MediaPart]) {
            let count = Int(file.data.first ?? 0) * 256
            let part = MediaPart(tokenCount: count, medium: medium) { .speech([]) }
            // Markers of other models are left out.
            return ([7] + (0..<count).map { -1 - TokenID($0) } + [8], [part])
        }
    }

    private static func prompt(_ question: Question, _ media: DecisionMedia?) throws -> (MaskPrompt, Tokenizer) {
        let url = try MaskDecisionFile("lfm2-d1-omni").write(from: fixtures.appendingPathComponent("embeddings"))
        defer { try? FileManager.default.removeItem(at: url) }
        let model = try Model.load(path: url.path)
        let prompt = try MaskPrompt(
            question, state: .string("a"), layout: try #require(model.decision?.layout), tokenizer: model.tokenizer,
            limit: 32_768, media: media)
        return (prompt, model.tokenizer)
    }

    private static func media(_ medium: Medium, count: Int = 1) throws -> DecisionMedia {
        let part = medium == .image ? ChatMessageContent.image(Data([1])) : sound(seconds: 1)
        let reader: any MediaReader =
            medium == .image
            ? Reader(medium: .image) : AudioReader(encoder: StableHash(), form: .normalised, contextSize: 4096)
        let state = DecisionState(.text("a"), media: [ChatMessageContent](repeating: part, count: count))
        return try #require(try DecisionMedia(state, readers: [reader]))
    }

    @Test("Media stand in front of the prompt, and options have the texts that the model was trained with")
    func layouts() throws {
        let described = Question.choice("Which?", [Question.Option("a", description: "b"), "c"], name: "q")
        let criteria = Question.yesNo("Is it?", yes: "it is", name: "q")
        let cases: [(Question, Medium?, [String])] = [
            (described, .image, [" a: b", " c"]), (described, .audio, [" option_000: a: b", " option_001: c"]),
            (criteria, nil, [" false: no, the statement does not hold", " true: it is"]),
            (criteria, .image, [" false: no", " true: it is"]), (criteria, .audio, [" false: no", " true: yes"]),
            (Self.spam, .image, [" false: no", " true: yes"]), (Self.score, .audio, [" level 0: not"]),
        ]
        for (question, medium, texts) in cases {
            let media = try medium.map { try Self.media($0) }
            let (prompt, tokenizer) = try Self.prompt(question, media)
            let count = media?.tokens.count ?? 0
            #expect(Array(prompt.tokens.prefix(count)) == media?.tokens ?? [])
            #expect(!prompt.tokens[count...].contains { $0 < 0 })
            #expect(prompt.tokens[count] == 1 && prompt.masks.allSatisfy { prompt.tokens[$0] == 3 })
            for (text, mask) in zip(texts, prompt.masks.sorted()) {
                let tokens = tokenizer.encode(text, addSpecial: false)
                #expect(Array(prompt.tokens[(mask + 1)...].prefix(tokens.count)) == tokens, "\(text)")
            }
        }
    }

    @Test("Media that leave the text too few tokens are refused")
    func room() throws {
        // 63 pictures of 256 tokens leave 256 for the text, and 64 leave none.
        let (prompt, _) = try Self.prompt(Self.choice, Self.media(.image, count: 63))
        #expect(prompt.tokens.count > 63 * 256 && prompt.tokens.count <= 16_384)
        let error = #expect(throws: LeapDecisionException.self) {
            try Self.prompt(Self.choice, Self.media(.image, count: 64))
        }
        #expect(error?.field == "state" && error?.message.contains("16384") == true)
    }
}
