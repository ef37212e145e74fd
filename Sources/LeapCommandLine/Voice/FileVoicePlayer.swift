import Foundation
import LeapAudio
import LeapBase
import LeapUi

/// A WAV file in the place of a loudspeaker: replies one behind the other, as fast as they come.
final class FileVoicePlayer: VoiceAudioPlayer {
    /// Samples of a file at most: an hour at 48 kHz.
    private static let maxSamples = 48_000 * 3600

    private struct RecordedAudio {
        /// The rate of the first samples, in Hz; others are resampled to it.
        var sampleRate = 0
        var samples: [Float] = []
    }

    private let sound = Locked(RecordedAudio())

    let amplitude: Float = 0

    func enqueue(samples: [Float], sampleRate: Int) {
        sound.withLock { sound in
            if sound.samples.isEmpty { sound.sampleRate = sampleRate }
            guard sound.samples.count < Self.maxSamples else { return }
            guard sampleRate != sound.sampleRate, WAVFile.sampleRates.contains(sampleRate) else {
                sound.samples += samples
                return
            }
            var resampler = Resampler(from: sampleRate, to: sound.sampleRate)
            resampler.append(samples, to: &sound.samples)
            resampler.finish(&sound.samples)
        }
    }

    func waitForPlayback() async {}
    func stop() {}

    /// Seconds of sound so far.
    var seconds: Double {
        sound.withLock { Double($0.samples.count) / Double(max(1, $0.sampleRate)) }
    }

    /// Writes the file.
    ///
    /// - Returns: seconds of sound; nothing is written where there is none.
    func write(to path: String) throws -> Double {
        let sound = sound.withLock { $0 }
        guard !sound.samples.isEmpty else { return 0 }
        try SpokenFile.write(sound.samples, sampleRate: sound.sampleRate, to: path, "--output")
        return Double(sound.samples.count) / Double(max(1, sound.sampleRate))
    }
}
