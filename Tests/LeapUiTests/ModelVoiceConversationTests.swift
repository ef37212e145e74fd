import Foundation
import LeapAudio
import LeapAudioDemoModel
import LeapBase
import LeapCore
import LeapModel
import LeapUi
import LeapUiTesting
import Testing

/// Spoken turns with the demo model that hears and speaks.
@Suite(.timeLimit(.minutes(30)))
struct ModelVoiceConversationTests {
    private static let runner = Task { try await Leap.load(url: LeapAudioDemoModel.url) }

    /// The text and the sound of a turn.
    private struct Heard: Sendable {
        var text = ""
        var samples: [Float] = []
        var rates: Set<Int> = []
    }

    private static func conversation(
        _ options: GenerationOptions = GenerationOptions(temperature: 0, rngSeed: 5, maxTokens: 200)
    ) async throws -> ModelVoiceConversation {
        ModelVoiceConversation(
            conversation: try await runner.value.createConversation(systemPrompt: SpeechPrompts.conversation),
            generationOptions: options)
    }

    /// A reply that fills the context: where every code is as likely as any other, sound ends once in 2,049 frames.
    private static var long: GenerationOptions {
        GenerationOptions(
            temperature: 0, rngSeed: 1, maxTokens: 2000, extras: #"{"audioTemperature": 100, "audioTopK": 2049}"#)
    }

    private static func said(_ recording: LeapAudioDemoModel.Recording) throws -> [Float] {
        try WAVFile(recording.data).samples
    }

    private static func ask(
        _ conversation: ModelVoiceConversation, _ recording: LeapAudioDemoModel.Recording
    ) async throws -> (heard: Heard, stats: GenerationStats?) {
        let heard = Locked(Heard())
        let stats = try await conversation.generateResponse(
            audioSamples: try said(recording), sampleRate: 16_000,
            onText: { text in heard.withLock { $0.text += text } },
            onAudioChunk: { samples, rate in
                heard.withLock {
                    $0.samples += samples
                    $0.rates.insert(rate)
                }
            })
        return (heard.withLock { $0 }, stats)
    }

    private static func until(_ condition: () -> Bool) async throws {
        for _ in 0..<60_000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
        #expect(condition())
    }

    @Test("A spoken turn is answered in text and sound, the next one knows it, and a reset forgets both")
    func turns() async throws {
        let voice = try await Self.conversation()
        let (first, stats) = try await Self.ask(voice, .whereabouts)
        #expect(first.text == "Mia is in the garden.")
        #expect(first.rates == [24_000] && first.samples.count > 24_000)
        #expect((stats?.completionTokens ?? 0) > 0)
        let history = voice.conversation.history
        #expect(history.map(\.role) == [.system, .user, .assistant])
        #expect(history[2].text == first.text && history[2].content.contains { $0.medium == .audio })

        let (second, next) = try await Self.ask(voice, .sum)
        #expect(second.text == "The answer is five." && !second.samples.isEmpty)
        #expect(Array(voice.conversation.history.prefix(3)) == history)
        // The first turn is part of the prompt, and its state is there still.
        #expect((next?.reusedPromptTokens ?? 0) > (stats?.computedPromptTokens ?? .max))

        voice.reset()
        #expect(voice.conversation.history == Array(history.prefix(1)))
        #expect(try await Self.ask(voice, .whereabouts).heard.samples == first.samples)
    }

    @Test("Who wants no text gets the same sound")
    func withoutText() async throws {
        let samples = Locked<[Float]>([])
        let voice: any VoiceConversation = try await Self.conversation()
        _ = try await voice.generateResponse(audioSamples: try Self.said(.lamp), sampleRate: 16_000) { piece, _ in
            samples.withLock { $0 += piece }
        }
        let expected = try await Self.ask(Self.conversation(), .lamp).heard.samples
        #expect(!expected.isEmpty && samples.withLock { $0 } == expected)
    }

    @Test("Cancelling the task ends the generation, and the next turn goes on from what was said")
    func cancelled() async throws {
        let voice = try await Self.conversation(Self.long)
        let count = Locked(0)
        let task = Task {
            try await voice.generateResponse(
                audioSamples: try Self.said(.whereabouts), sampleRate: 16_000, onText: { _ in },
                onAudioChunk: { samples, _ in count.withLock { $0 += samples.count } })
        }
        try await Self.until { count.withLock { $0 } > 3000 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await Self.until { !voice.conversation.isGenerating }
        let last = try #require(voice.conversation.history.last)
        #expect(last.role == .assistant && last.content.contains { $0.medium == .audio })
        let short = ModelVoiceConversation(
            conversation: voice.conversation, generationOptions: GenerationOptions(temperature: 0, maxTokens: 20))
        #expect((try await Self.ask(short, .lamp).stats?.completionTokens ?? 0) > 0)
        #expect(voice.conversation.history.count == 5)
    }

    // MARK: In a store

    private static func store(
        _ voice: any VoiceConversation
    ) throws -> (store: VoiceAssistantStore, player: FakeVoicePlayer<ManualClock>) {
        let clock = ManualClock()
        let recorder = FakeVoiceRecorder()
        let samples = try said(.whereabouts)
        recorder.change { $0.samples = samples }
        let player = FakeVoicePlayer(clock: clock)
        let store = VoiceAssistantStore(recorder: recorder, player: player, clock: clock)
        store.setConversation(conv: voice)
        return (store, player)
    }

    private static func say(to store: VoiceAssistantStore) async throws {
        store.processIntent(intent: .startListening)
        try await until { store.state.value.widgetState == .listening }
        store.processIntent(intent: .stopListening)
    }

    @Test("A person who begins to speak ends the model's generation")
    func interrupted() async throws {
        let voice = try await Self.conversation(Self.long)
        let (store, player) = try Self.store(voice)
        try await Self.say(to: store)
        try await Self.until { player.isPlaying && !store.state.value.caption.isEmpty }
        #expect(voice.conversation.isGenerating)
        store.processIntent(intent: .startListening)
        try await Self.until { !voice.conversation.isGenerating && !player.isPlaying }
        try await Self.until { store.state.value.widgetState == .listening }
        #expect(store.state.value.problem == nil)
        #expect(voice.conversation.history.last?.role == .assistant)
        store.close()
    }

    @Test("An error of the model is the problem that the store shows, in its words")
    func failed() async throws {
        let runner = try await Leap.load(url: LeapAudioDemoModel.url)
        let voice = ModelVoiceConversation(conversation: runner.createConversation())
        await runner.unload()
        await #expect(throws: LeapGenerationException.self) { try await Self.ask(voice, .lamp) }
        let (store, _) = try Self.store(voice)
        try await Self.say(to: store)
        try await Self.until { store.state.value.problem != nil }
        guard case .replyFailed(let reason)? = store.state.value.problem else {
            Issue.record("\(String(describing: store.state.value.problem))")
            return
        }
        #expect(reason.contains("was unloaded"))
        store.close()
    }

    @Test("A conversation without text is played too, and has no caption")
    func uncaptioned() async throws {
        final class Humming: VoiceConversation {
            func generateResponse(
                audioSamples: [Float], sampleRate: Int, onAudioChunk: @escaping @Sendable ([Float], Int) -> Void
            ) async throws -> GenerationStats? {
                onAudioChunk([Float](repeating: 0.2, count: 24_000), 24_000)
                return nil
            }
            func reset() {}
        }
        let (store, player) = try Self.store(Humming())
        try await Self.say(to: store)
        try await Self.until { player.isPlaying }
        #expect(store.state.value.caption.isEmpty && store.state.value.problem == nil)
        store.close()
    }
}
