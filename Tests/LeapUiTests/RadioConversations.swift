import Foundation
import LeapBase
import LeapUi
import LeapUiTesting
import Testing

/// The record of this file's conversations, and the settings of what they are to do.
final class Radio: Sendable {
    private struct State {
        var heard: [[Float]] = []
        var resets = 0
        var fails = false
    }

    private let state = Locked(State())

    var heard: [[Float]] { state.withLock { $0.heard } }
    var resets: Int { state.withLock { $0.resets } }
    var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    func reset() { state.withLock { $0.resets += 1 } }

    /// The sound of an answer.
    func answer(_ samples: [Float]) throws -> [Float] {
        state.withLock { $0.heard.append(samples) }
        if fails {
            throw NSError(
                domain: "Radio", code: 1, userInfo: [NSLocalizedDescriptionKey: "no ship in sight"])
        }
        return [Float](repeating: 0.1, count: 2_400)
    }
}

/// A conversation with a completion handler and LeapUi's arrays, as the LEAP SDK's demo apps have one.
final class HandlerConversation: VoiceConversation {
    private let radio: Radio

    init(_ radio: Radio) { self.radio = radio }

    func __generateResponse(
        audioSamples: LeapUi.KotlinFloatArray,
        sampleRate: Int32,
        onAudioChunk: @escaping (LeapUi.KotlinFloatArray, LeapUi.KotlinInt) -> Void,
        completionHandler: @escaping @Sendable (LeapUi.Leap_sdkGenerationStats?, (any Error)?) -> Void
    ) {
        // Only ever called by this task.
        nonisolated(unsafe) let play = onAudioChunk
        Task {
            do {
                play(try radio.answer(audioSamples), LeapUi.KotlinInt(value: 24_000))
                completionHandler(
                    LeapUi.Leap_sdkGenerationStats(
                        promptTokens: 1, completionTokens: 2, totalTokens: 3, tokenPerSecond: 4, cachedPromptTokens: 0),
                    nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    func reset() -> any VoiceConversation {
        radio.reset()
        return HandlerConversation(radio)
    }
}

/// A conversation in the form of the LEAP SDK's pages, whose callback takes LeapUi's numbers.
final class PageConversation: VoiceConversation {
    private let radio: Radio

    init(_ radio: Radio) { self.radio = radio }

    func generateResponse(
        audioSamples: LeapUi.KotlinFloatArray,
        sampleRate: Int32,
        onAudioChunk: @escaping (LeapUi.KotlinFloatArray, LeapUi.KotlinInt) -> Void
    ) async throws -> LeapUi.Leap_sdkGenerationStats? {
        onAudioChunk(try radio.answer(audioSamples), LeapUi.KotlinInt(value: 24_000))
        return GenerationStats(promptTokens: 1, completionTokens: 2, tokenPerSecond: 4)
    }

    func reset() -> any VoiceConversation {
        radio.reset()
        return PageConversation(radio)
    }
}

/// A conversation with plain numbers of 32 bits.
final class Int32Conversation: VoiceConversation {
    private let radio: Radio

    init(_ radio: Radio) { self.radio = radio }

    func generateResponse(
        audioSamples: [Float], sampleRate: Int32, onAudioChunk: @escaping ([Float], Int32) -> Void
    ) async throws -> GenerationStats? {
        onAudioChunk(try radio.answer(audioSamples), 24_000)
        return GenerationStats(promptTokens: 1, completionTokens: 2, tokenPerSecond: 4)
    }

    func reset() -> any VoiceConversation {
        radio.reset()
        return self
    }
}

/// A recorder as an app for the LEAP SDK has its own: its rate has 32 bits.
final class ShipRecorder: VoiceAudioRecorder {
    private let recorder: FakeVoiceRecorder

    init(_ recorder: FakeVoiceRecorder) { self.recorder = recorder }

    var amplitude: Float { recorder.amplitude }
    var nativeSampleRate: Int32 { Int32(recorder.nativeSampleRate) }
    func start() -> Bool { recorder.start() }
    func stop() async -> LeapUi.KotlinFloatArray { await recorder.stop() }
    func cancel() async { await recorder.cancel() }
}

/// A player as an app for the LEAP SDK has its own.
final class ShipPlayer: VoiceAudioPlayer {
    private let player: FakeVoicePlayer<ContinuousClock>

    init(_ player: FakeVoicePlayer<ContinuousClock>) { self.player = player }

    var amplitude: Float { player.amplitude }
    func enqueue(samples: LeapUi.KotlinFloatArray, sampleRate: Int32) {
        player.enqueue(samples: samples, sampleRate: Int(sampleRate))
    }
    func waitForPlayback() async { await player.waitForPlayback() }
    func stop() { player.stop() }
}

struct VoiceConversationFormTests {
    enum Form: CaseIterable { case handler, page, int32 }

    @Test("A conversation in each form of the LEAP SDK answers, fails and is reset", arguments: Form.allCases)
    func forms(_ form: Form) async throws {
        let (radio, sites) = (Radio(), VoiceCallSites())
        let conversation =
            switch form {
            case .handler: sites.converseByCompletionHandler(radio)
            case .page: sites.converseByPage(radio)
            case .int32: sites.converseByInt32(radio)
            }
        let bench = Bench(isReady: false)
        bench.store.setConversation(conv: conversation)
        try await bench.ask()
        try await bench.until("plays") { !bench.player.present.samples.isEmpty }
        try await bench.until("is done") { bench.state.widgetState == .idle && bench.state.statusType == .ready }
        #expect(radio.heard == [bench.recorder.present.samples])
        #expect(sites.followAssistant(bench.state).count == 4)

        bench.store.processIntent(intent: .reset)
        try await bench.until("is reset") { radio.resets == 1 }
        radio.fails = true
        try await bench.ask()
        try await bench.until("fails") { bench.state.statusType == .error }
        #expect(bench.state.statusText.contains("no ship in sight"))
    }

    @Test("A recorder and a player with numbers of 32 bits record what is said, and play what is answered")
    func devices() async throws {
        let (clock, recorder) = (ContinuousClock(), FakeVoiceRecorder(nativeSampleRate: 16_000))
        let player = FakeVoicePlayer(clock: clock)
        let conversation = FakeVoiceConversation { _, _, sound in
            sound([0.25, 0.5], 24_000)
            return nil
        }
        let store = VoiceAssistantStore(
            recorder: ShipRecorder(recorder), player: ShipPlayer(player), clock: clock)
        store.setConversation(conv: conversation)
        store.processIntent(intent: .startListening)
        try await until { store.state.value.widgetState == .listening }
        store.processIntent(intent: .stopListening)
        try await until { player.present.samples == [0.25, 0.5] }
        #expect(conversation.said == [recorder.present.samples])
        store.close()
    }

    @Test("A recorder or player in no form records and plays nothing, and does not call itself for ever")
    func formlessDevices() {
        final class Deaf: VoiceAudioRecorder {
            let amplitude: Float = 0
            func start() -> Bool { true }
            func stop() async -> [Float] { [] }
            func cancel() async {}
        }
        final class Mute: VoiceAudioPlayer {
            let amplitude: Float = 0
            func waitForPlayback() async {}
            func stop() {}
        }
        let rate: Int = Deaf().nativeSampleRate
        let rate32: Int32 = Deaf().nativeSampleRate
        #expect(rate == 0 && rate32 == 0)
        Mute().enqueue(samples: [0], sampleRate: 16_000)
    }

    private func until(_ condition: () -> Bool) async throws {
        for _ in 0..<60_000 where !condition() { try await Task.sleep(for: .milliseconds(1)) }
        try #require(condition())
    }

    @Test("A conversation in no form says so")
    func formless() async throws {
        final class Formless: VoiceConversation {}
        let problem = await #expect(throws: VoiceProblem.self) {
            try await Formless().generateResponse(audioSamples: [0], sampleRate: 16_000) { _, _ in }
        }
        #expect(problem?.localizedDescription.contains("Formless") == true)
    }
}
