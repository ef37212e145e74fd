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

let recorder = Recordings([try LeapAudioDemoModel.Recording.whereabouts.data])
print(recorder.start())
print(await recorder.stop().count, "samples")
