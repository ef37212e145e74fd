import Foundation
import LeapBase
import LeapChat
import LeapUiTesting
import Testing

@testable import LeapUi

/// The text of what a person says, while they speak.
@Suite(.timeLimit(.minutes(30)))
struct LiveTextTests {
    /// A conversation that writes how many samples it heard.
    private final class Listener: TranscribingVoiceConversation {
        final class Transcription: VoiceTranscription {
            let heard = Locked<(count: Int, isFinished: Bool, isCancelled: Bool)>((0, false, false))
            private let onText: @Sendable (String) -> Void

            init(_ onText: @escaping @Sendable (String) -> Void) { self.onText = onText }

            func append(samples: [Float]) {
                heard.withLock { $0.count += samples.count }
                onText("\(samples.count) ")
            }

            func finish() {
                heard.withLock { $0.isFinished = true }
                onText("end")
            }

            func cancel() { heard.withLock { $0.isCancelled = true } }
        }

        let transcriptions = Locked<[Transcription]>([])
        let said = Locked<[Int]>([])
        let rates = Locked<[Int]>([])

        func transcribe(
            sampleRate: Int, onText: @escaping @Sendable (_ text: String) -> Void
        ) -> (any VoiceTranscription)? {
            let transcription = Transcription(onText)
            rates.withLock { $0.append(sampleRate) }
            transcriptions.withLock { $0.append(transcription) }
            return transcription
        }

        func generateResponse(
            audioSamples: [Float], sampleRate: Int,
            onAudioChunk: @escaping @Sendable (_ samples: [Float], _ sampleRate: Int) -> Void
        ) async throws -> GenerationStats? {
            said.withLock { $0.append(audioSamples.count) }
            return nil
        }

        func reset() {}

        var latest: Transcription? { transcriptions.withLock { $0.last } }
    }

    private static func until(_ what: Comment, _ condition: () -> Bool) async throws {
        for _ in 0..<60_000 where !condition() { try await Task.sleep(for: .milliseconds(2)) }
        #expect(condition(), what)
    }

    private static func store(_ recorder: FakeVoiceRecorder, _ listener: Listener) -> VoiceAssistantStore {
        let clock = ManualClock()
        let store = VoiceAssistantStore(
            recorder: recorder, player: FakeVoicePlayer(clock: clock), clock: clock)
        store.setConversation(conv: listener)
        return store
    }

    @Test("By key, the text grows while samples come, and the whole recording is answered")
    func key() async throws {
        let (recorder, listener) = (FakeVoiceRecorder(), Listener())
        let store = Self.store(recorder, listener)
        store.processIntent(intent: .toggle)
        try await Self.until("listens") { store.state.value.widgetState == .listening }
        recorder.speak([Float](repeating: 0.1, count: 100))
        try await Self.until("hears") { store.state.value.heard == "100 " }
        recorder.speak([Float](repeating: 0.1, count: 50))
        try await Self.until("hears more") { store.state.value.heard == "100 50 " }
        store.processIntent(intent: .toggle)
        try await Self.until("answers") { listener.said.withLock { $0 } == [150] }
        #expect(store.state.value.heard == "100 50 end")
        #expect(listener.rates.withLock { $0 } == [16_000])
        let heard = try #require(listener.latest).heard.withLock { $0 }
        #expect(heard.count == 150 && heard.isFinished && !heard.isCancelled)
    }

    @Test("What is cancelled is not written further, and the next recording begins anew")
    func cancel() async throws {
        let (recorder, listener) = (FakeVoiceRecorder(), Listener())
        let store = Self.store(recorder, listener)
        store.processIntent(intent: .startListening)
        try await Self.until("listens") { store.state.value.widgetState == .listening }
        recorder.speak([0.1, 0.2])
        try await Self.until("hears") { store.state.value.heard == "2 " }
        store.processIntent(intent: .cancel)
        let first = try #require(listener.latest)
        try await Self.until("cancels") { first.heard.withLock { $0.isCancelled } }
        store.processIntent(intent: .startListening)
        try await Self.until("listens again") { store.state.value.widgetState == .listening }
        #expect(store.state.value.heard.isEmpty)
        recorder.speak([0.1, 0.2, 0.3])
        try await Self.until("hears again") { store.state.value.heard == "3 " }
        #expect(first.heard.withLock { $0.count } == 2)
        store.processIntent(intent: .reset)
        try await Self.until("forgets") { store.state.value.heard.isEmpty }
    }

    @Test("Hands-free, an utterance is heard from its beginning on, padding included, and once")
    func handsFree() async throws {
        let (recorder, listener) = (FakeVoiceRecorder(), Listener())
        let store = Self.store(recorder, listener)
        store.processIntent(intent: .setHandsFree(true))
        try await Self.until("opens") { store.state.value.statusText == store.labels.handsFree }
        let sound = HandsFreeTests.utterance
        for start in stride(from: 0, to: sound.count, by: 320) {
            recorder.speak(Array(sound[start..<min(sound.count, start + 320)]))
        }
        try await Self.until("answers") { listener.said.withLock { !$0.isEmpty } }
        let said = listener.said.withLock { $0 }
        let heard = try #require(listener.latest).heard.withLock { $0 }
        #expect(said.count == 1 && listener.transcriptions.withLock { $0.count } == 1)
        // But for the last pieces, in which the utterance is known to be over.
        #expect(heard.isFinished && abs(heard.count - said[0]) < 1600, "\(heard.count) of \(said[0])")
    }

    @Test("A conversation that transcribes nothing leaves the recording to the recorder")
    func plain() async throws {
        let bench = Bench()
        try await bench.ask()
        try await bench.until("hears") { !bench.conversation.said.isEmpty }
        #expect(bench.conversation.said == [[0.1, 0.2, 0.1]])
        #expect(bench.state.heard.isEmpty)
    }
}
