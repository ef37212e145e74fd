import LeapCore

// A recorder and a player of an app's own have one form of each member: these lead from one to the other.

/// The rate of a recorder as a number of 32 bits, as Kotlin's `Int` is in Swift: in the LEAP SDK a recorder has it so.
///
/// A protocol of its own, as one protocol cannot have a property twice.
public protocol VoiceAudioRecorderRate32: AnyObject, Sendable {
    /// Samples per second of what the recorder gives.
    @_disfavoredOverload
    var nativeSampleRate: Int32 { get }
}

extension VoiceAudioRecorder {
    /// The rate by the form with 32 bits, for recorders that have that one.
    public var nativeSampleRate: Int {
        OtherSpelling.of("nativeSampleRate", self, otherwise: 0) {
            let other: any VoiceAudioRecorderRate32 = self
            return Int(other.nativeSampleRate)
        }
    }
}

extension VoiceAudioRecorderRate32 {
    /// The rate by the form with an `Int`, for recorders that have that one.
    @_disfavoredOverload
    public var nativeSampleRate: Int32 {
        OtherSpelling.of("nativeSampleRate", self, otherwise: 0) {
            guard let recorder = self as? any VoiceAudioRecorder else { return 0 }
            let rate: Int = recorder.nativeSampleRate
            return Int32(clamping: rate)
        }
    }
}

extension VoiceAudioPlayer {
    /// Plays samples by the form with an `Int32`, for players that have that one.
    public func enqueue(samples: [Float], sampleRate: Int) {
        OtherSpelling.of("enqueue", self, otherwise: ()) {
            enqueue(samples: samples, sampleRate: Int32(clamping: sampleRate))
        }
    }

    /// Plays samples by the form with an `Int`, for players that have that one.
    @_disfavoredOverload
    public func enqueue(samples: KotlinFloatArray, sampleRate: Int32) {
        OtherSpelling.of("enqueue", self, otherwise: ()) {
            enqueue(samples: samples, sampleRate: Int(sampleRate))
        }
    }
}
