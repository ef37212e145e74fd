public import Foundation
import LeapAudio
import LeapBase

/// Collects samples from a microphone into a WAV file.
///
/// ```swift
/// let buffer = FloatAudioBuffer(sampleRate: 16000)
/// buffer.add(samples)
/// let message = ChatMessage(role: .user, content: [.audio(buffer.createWavBytes())])
/// ```
public final class FloatAudioBuffer: Sendable {
    /// Samples per second.
    public let sampleRate: Int
    private let storage = Locked<[Float]>([])

    /// Creates an empty buffer.
    public init(sampleRate: Int) {
        self.sampleRate = sampleRate
    }

    /// Appends samples: values in -1...1, one channel.
    public func add(_ samples: [Float]) {
        storage.withLock { $0.append(contentsOf: samples) }
    }

    /// The samples so far.
    public var samples: [Float] { storage.withLock { $0 } }

    /// The samples so far as a WAV file of 32-bit floats.
    public func createWavBytes() -> Data {
        WAVFile.encode(samples, sampleRate: sampleRate)
    }
}
