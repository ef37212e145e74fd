import LeapChat

// A recorder and a player of an app's own have one form of each member: these lead from one to the other.

/// The sample rate of a recorder as a 32-bit integer, as in the LEAP SDK (Kotlin's `Int`).
///
/// It is a separate protocol because one protocol cannot have a property twice.
public protocol VoiceAudioRecorderRate32: AnyObject, Sendable {
    /// The number of samples per second of the recorder.
    @_disfavoredOverload
    var nativeSampleRate: Int32 { get }
}

extension VoiceAudioRecorder {
    /// The rate from the form with 32 bits, for recorders that implement that one.
    public var nativeSampleRate: Int {
        OtherSpelling.of("nativeSampleRate", self, otherwise: 0) {
            let other: any VoiceAudioRecorderRate32 = self
            return Int(other.nativeSampleRate)
        }
    }
}

extension VoiceAudioRecorderRate32 {
    /// The rate from the form with an `Int`, for recorders that implement that one.
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
    /// Plays samples through the form with an `Int32`, for players that implement that one.
    public func enqueue(samples: [Float], sampleRate: Int) {
        OtherSpelling.of("enqueue", self, otherwise: ()) {
            enqueue(samples: samples, sampleRate: Int32(clamping: sampleRate))
        }
    }

    /// Plays samples through the form with an `Int`, for players that implement that one.
    @_disfavoredOverload
    public func enqueue(samples: KotlinFloatArray, sampleRate: Int32) {
        OtherSpelling.of("enqueue", self, otherwise: ()) {
            enqueue(samples: samples, sampleRate: Int(sampleRate))
        }
    }
}
