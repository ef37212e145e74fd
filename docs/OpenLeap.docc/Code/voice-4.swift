import LeapAudioDemoModel
import LeapSDK
import LeapUi
import Synchronization

/// Recordings in the place of a microphone: each that is taken is the next one.
final class Recordings: VoiceAudioRecorder {
    let nativeSampleRate = 16_000
    let amplitude: Float = 0
    private let waiting: Mutex<[Data]>

    init(_ files: [Data]) { waiting = Mutex(files) }

    func start() -> Bool { waiting.withLock { !$0.isEmpty } }

    func stop() async -> [Float] {
        let file = waiting.withLock { $0.removeFirst() }
        // A WAV file of 16 bits and one channel: a header of 44 bytes, then the samples.
        let bytes = [UInt8](file.dropFirst(44))
        return stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            Float(Int16(truncatingIfNeeded: Int(bytes[index]) | Int(bytes[index + 1]) << 8)) / 32_768
        }
    }

    func cancel() async {}
}

/// Adds up what would be heard, in the place of a loudspeaker.
final class Listener: VoiceAudioPlayer {
    let amplitude: Float = 0
    private let heard = Mutex(0.0)

    /// Seconds of sound so far.
    var seconds: Double { heard.withLock { $0 } }

    func enqueue(samples: [Float], sampleRate: Int) {
        heard.withLock { $0 += Double(samples.count) / Double(sampleRate) }
    }

    func waitForPlayback() async {}
    func stop() {}
}

/// Waits until the assistant is in a state.
func state(
    of store: VoiceAssistantStore, when isReached: (VoiceAssistantState) -> Bool
) async -> VoiceAssistantState? {
    for await state in store.state where isReached(state) || state.problem != nil { return state }
    return nil
}

let recorder = Recordings([
    try LeapAudioDemoModel.Recording.whereabouts.data, try LeapAudioDemoModel.Recording.lamp.data,
])
let player = Listener()
let store = VoiceAssistantStore(recorder: recorder, player: player)

let runner = try await Leap.load(url: LeapAudioDemoModel.url)
let chat = runner.createConversation(systemPrompt: "Respond with interleaved text and audio.")
let options = GenerationOptions().with(temperature: 0)
store.setConversation(conv: ModelVoiceConversation(conversation: chat, generationOptions: options))

store.processIntent(intent: .toggle)  // listens
_ = await state(of: store) { $0.widgetState == .listening }
store.processIntent(intent: .toggle)  // sends what was said
let answer = await state(of: store) { $0.replyCount == 1 && $0.widgetState == .idle }
print(answer?.problem?.localizedDescription ?? answer?.caption ?? "")
