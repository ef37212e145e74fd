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

/// A conversation in the form of the LEAP SDK's pages.
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

struct VoiceConversationFormTests {
    @Test("A conversation in either form of the LEAP SDK answers, fails and is reset", arguments: [true, false])
    func forms(byHandler: Bool) async throws {
        let (radio, sites) = (Radio(), VoiceCallSites())
        let conversation = byHandler ? sites.converseByCompletionHandler(radio) : sites.converseByInt32(radio)
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

    @Test("A conversation in no form says so")
    func formless() async throws {
        final class Formless: VoiceConversation {}
        let problem = await #expect(throws: VoiceProblem.self) {
            try await Formless().generateResponse(audioSamples: [0], sampleRate: 16_000) { _, _ in }
        }
        #expect(problem?.localizedDescription.contains("Formless") == true)
    }
}
