import Foundation
import LeapAudio
import LeapAudioDemoModel
import LeapUi
import LeapUiTesting
import Observation
import Testing

/// A conversation with a model, as the voice demo of the LEAP SDK wraps one: a completion handler, and no state
/// forgotten by a reset.
private final class PilotConversation: VoiceConversation {
    private let conversation: Conversation

    init(conversation: Conversation) { self.conversation = conversation }

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
                let call = ChatMessageContent.fromFloatSamples(audioSamples, sampleRate: Int(sampleRate))
                let message = ChatMessage(role: .user, content: [call], reasoningContent: nil, functionCalls: nil)
                var figures: LeapUi.Leap_sdkGenerationStats?
                let flow = conversation.generateResponse(message: message, generationOptions: GenerationOptions())
                for try await response in flow {
                    try Task.checkCancellation()
                    switch onEnum(of: response) {
                    case .audioSample(let audio):
                        play(audio.samples, LeapUi.KotlinInt(value: audio.sampleRate))
                    case .complete(let completion):
                        guard let stats = completion.stats else { break }
                        figures = LeapUi.Leap_sdkGenerationStats(
                            promptTokens: stats.promptTokens, completionTokens: stats.completionTokens,
                            totalTokens: stats.totalTokens, tokenPerSecond: stats.tokenPerSecond,
                            cachedPromptTokens: stats.cachedPromptTokens)
                    default: break
                    }
                }
                completionHandler(figures, nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    func reset() -> any VoiceConversation { PilotConversation(conversation: conversation) }
}

/// The state of the model, as the app shows it.
private enum PilotStatus: String {
    case loading = "LOADING"
    case ready = "READY"
    case error = "ERROR"

    init(kotlinName: String) { self = PilotStatus(rawValue: kotlinName) ?? .loading }
}

/// The store of the voice demo, iOS and macOS: it loads a model, wires it to the assistant, and follows the assistant's
/// state.
@MainActor
@Observable
private final class VoiceDemoStore {
    let store: VoiceAssistantStore
    private(set) var statusText = "Looking for the pilot…"
    private(set) var statusType = PilotStatus.loading
    private(set) var statsText: String?
    private(set) var debugInfo = ""
    static var sharedRunner: (any ModelRunner)?
    @ObservationIgnored private var observation: Task<Void, Never>?

    #if canImport(Darwin)
        /// The app's own; tests have no microphone.
        init() { store = VoiceAssistantStore.makeForApple(playbackTimeoutMs: 10_000) }
    #endif

    init(store: VoiceAssistantStore) { self.store = store }

    deinit { store.close() }

    func onAppear() {
        observation = Task { [weak self] in
            guard let states = self?.store.state else { return }
            for await state in states {
                guard let self, !Task.isCancelled else { break }
                statusText = state.statusText
                statusType = PilotStatus(kotlinName: state.statusType.name)
                statsText = state.statsText
                if statusType == .ready {
                    if let stats = state.statsText, !stats.isEmpty {
                        debugInfo = "Last answer: \(stats)"
                    } else {
                        debugInfo = "No answer yet"
                    }
                }
            }
        }
    }

    func onDisappear() {
        observation?.cancel()
        observation = nil
    }

    /// - Parameter load: `Leap.shared.load(model:quantization:options:progress:)` in the app.
    func loadModel(
        _ load: @MainActor (_ progress: @escaping @MainActor (Double, Int64) -> Void) async throws -> any ModelRunner
    ) async {
        store.setModelProgress(fraction: 0, message: "Looking for the manifest…")
        do {
            let runner = try await load { [weak self] fraction, _ in
                self?.store.setModelProgress(
                    fraction: Float(fraction), message: "Fetching (\(Int(fraction * 100))%)")
            }
            VoiceDemoStore.sharedRunner = runner
            let conversation = runner.createConversation(systemPrompt: "Respond with interleaved text and audio.")
            store.setConversation(conv: PilotConversation(conversation: conversation))
        } catch {
            store.setModelError(message: "\u{2717} \(error.localizedDescription)")
        }
    }
}

#if canImport(Darwin) && canImport(SwiftUI)
    import SwiftUI

    // The widget in the demo apps; compiled on Apple's systems.

    private let pilotLabels = VoiceWidgetLabels(
        idle: "Hold to call the pilot", listening: "On the air", responding: "The pilot speaks",
        micStartDescription: "Call", micStopDescription: "Over", micCancelDescription: "Hang up")

    #if canImport(UIKit)
        private struct PilotWidget: UIViewControllerRepresentable {
            let store: VoiceAssistantStore

            func makeUIViewController(context: Context) -> UIViewController {
                VoiceAssistantViewControllerKt.VoiceAssistantViewController(
                    state: store.widgetStateHolder,
                    onIntent: { intent in store.processIntent(intent: intent) },
                    labels: pilotLabels,
                    colors: VoiceWidgetColors.companion.Default,
                    showPoweredBy: true
                )
            }

            func updateUIViewController(_ controller: UIViewController, context: Context) {}
        }
    #elseif canImport(AppKit)
        private struct PilotWidget: NSViewControllerRepresentable {
            let store: VoiceAssistantStore

            func makeNSViewController(context: Context) -> NSViewController {
                VoiceAssistantNSViewControllerKt.VoiceAssistantNSViewController(
                    state: store.widgetStateHolder,
                    onIntent: { intent in store.processIntent(intent: intent) },
                    labels: pilotLabels,
                    colors: VoiceWidgetColors.companion.Default,
                    showPoweredBy: true
                )
            }

            func updateNSViewController(_ controller: NSViewController, context: Context) {}
        }
    #endif
#endif

@Suite(.timeLimit(.minutes(30)))
@MainActor
struct VoiceDemoStoreTests {
    @Test("The voice demo's store loads a model that speaks, and has it answer what was said")
    func answers() async throws {
        let recorder = FakeVoiceRecorder(nativeSampleRate: 16_000)
        let player = FakeVoicePlayer(clock: ContinuousClock())
        let demo = VoiceDemoStore(store: VoiceAssistantStore(recorder: recorder, player: player))
        demo.onAppear()
        await demo.loadModel { progress in
            progress(0.5, 1_000_000)
            return try await Leap.load(url: LeapAudioDemoModel.url)
        }
        try await until { demo.statusType == .ready }
        #expect(demo.debugInfo == "No answer yet" && demo.statsText == nil)

        let said = try WAVFile(LeapAudioDemoModel.Recording.lamp.data).samples
        recorder.change { $0.samples = said }
        demo.store.processIntent(intent: .startListening)
        try await until { demo.store.state.value.widgetState == .listening }
        demo.store.processIntent(intent: .stopListening)
        try await until { demo.statsText != nil }
        #expect(player.present.samples.count > 24_000 && demo.debugInfo.hasPrefix("Last answer: "))
        demo.store.processIntent(intent: .cancel)
        await VoiceDemoStore.sharedRunner?.unload()
        demo.onDisappear()
    }

    @Test("A model that cannot be loaded shows why")
    func fails() async throws {
        let recorder = FakeVoiceRecorder()
        let demo = VoiceDemoStore(
            store: VoiceAssistantStore(recorder: recorder, player: FakeVoicePlayer(clock: ContinuousClock())))
        demo.onAppear()
        await demo.loadModel { _ in try await Leap.load(url: URL(fileURLWithPath: "/no/such/pilot.gguf")) }
        try await until { demo.statusType == .error }
        #expect(demo.statusText.contains("/no/such/pilot.gguf"))
    }

    private func until(_ condition: () -> Bool) async throws {
        for _ in 0..<60_000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
        try #require(condition())
    }
}
