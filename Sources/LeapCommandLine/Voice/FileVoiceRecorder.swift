import Foundation
import LeapAudio
import LeapBase
import LeapUi

/// A sound file in the place of a microphone, as fast as a person speaks.
final class FileVoiceRecorder: VoiceAudioStreamRecorder {
    /// Pieces of a second.
    private static let pieces = 50

    let nativeSampleRate: Int
    private let file: WAVFile
    /// Samples that are silent behind the file, so that its last utterance ends.
    private let silence: Int
    private let level = Locked<Float>(0)
    private let run = Locked(0)
    private let isPaused: @Sendable () -> Bool
    /// Set when everything was heard.
    let end = OneWaySwitch()

    /// - Parameters:
    ///   - silence: milliseconds that end an utterance.
    ///   - isPaused: whether nothing is said at the moment, as by a person who listens.
    init(_ file: WAVFile, silence: Int, isPaused: @escaping @Sendable () -> Bool) {
        self.file = file
        self.isPaused = isPaused
        self.silence = (silence + 1000) * file.sampleRate / 1000
        nativeSampleRate = file.sampleRate
    }

    /// True if somebody speaks in the file.
    var hasSpeech: Bool { SpeechExtent.find(in: file) != nil }

    var amplitude: Float { level.withLock { $0 } }

    /// By key, the whole file is what is said.
    func start() -> Bool { true }

    func stop() async -> [Float] {
        end.set()
        return file.samples
    }

    func start(onSamples: @escaping @Sendable ([Float]) -> Void) -> Bool {
        let number = run.withLock { run in
            run += 1
            return run
        }
        Thread.detachNewThread { [weak self, file, silence, level, end] in
            let length = max(1, file.sampleRate / Self.pieces)
            let total = file.sampleCount + silence
            var start = 0
            while start < total {
                Thread.sleep(forTimeInterval: 1 / Double(Self.pieces))
                guard let self, self.run.withLock({ $0 }) == number else { return }
                guard !self.isPaused() else { continue }
                let heard = min(start, file.sampleCount)..<min(start + length, file.sampleCount)
                let samples = file.samples(heard) + [Float](repeating: 0, count: length - heard.count)
                level.withLock { $0 = VoiceLevel.of(samples) }
                onSamples(samples)
                start += length
            }
            level.withLock { $0 = 0 }
            end.set()
        }
        return true
    }

    func cancel() async { run.withLock { $0 += 1 } }
}
