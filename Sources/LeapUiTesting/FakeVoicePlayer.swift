import Foundation
import LeapBase
public import LeapUi

/// A player without a loudspeaker: sound takes its time on a clock.
public final class FakeVoicePlayer<C: Clock>: VoiceAudioPlayer where C.Duration == Duration {
    /// The behaviour that a test sets, and the record that it reads.
    public struct Behavior: Sendable {
        /// A Boolean value that tells whether ``FakeVoicePlayer/enqueue(samples:sampleRate:)`` waits until
        /// ``FakeVoicePlayer/stop()`` is called.
        public var blocks = false
        /// A Boolean value that tells whether playback never ends by itself.
        public var neverEnds = false
        /// Samples that were taken.
        public internal(set) var samples: [Float] = []
        /// A Boolean value that tells whether it plays more quietly.
        public internal(set) var isDucked = false
        /// The number of times that it was told to play more quietly.
        public internal(set) var duckCount = 0
        /// The number of times that it was told to stop.
        public internal(set) var stopCount = 0
        /// The time at which the sound that was taken so far ends.
        var end: C.Instant?
    }

    private let clock: C
    private let behavior = Locked(Behavior())

    /// Makes a player that goes by a clock.
    public init(clock: C) {
        self.clock = clock
    }

    /// The behaviour and the record at present.
    public var present: Behavior { behavior.withLock { $0 } }

    /// Changes what it does.
    public func change(_ body: (inout Behavior) -> Void) { behavior.withLock { body(&$0) } }

    /// A Boolean value that tells whether there is sound at the moment.
    public var isPlaying: Bool {
        behavior.withLock { behavior in
            guard let end = behavior.end else { return false }
            return behavior.neverEnds || end > clock.now
        }
    }

    /// The loudness at the moment, in 0...1.
    public var amplitude: Float { isPlaying ? 0.5 : 0 }

    /// Plays samples behind those that wait.
    public func enqueue(samples: [Float], sampleRate: Int) {
        let stops = present.stopCount
        behavior.withLock { behavior in
            behavior.samples += samples
            let length = Duration.seconds(Double(samples.count) / Double(max(1, sampleRate)))
            behavior.end = max(behavior.end ?? clock.now, clock.now).advanced(by: length)
        }
        while present.blocks, present.stopCount == stops { waitBriefly() }
    }

    /// Returns when everything was played.
    public func waitForPlayback() async {
        while isPlaying {
            guard let end = present.end, !present.neverEnds else {
                try? await Task.sleep(for: .milliseconds(1))
                continue
            }
            guard (try? await clock.sleep(until: end, tolerance: nil)) != nil else { return }
        }
    }

    /// Ends the playback.
    public func stop() {
        behavior.withLock { behavior in
            behavior.stopCount += 1
            behavior.end = nil
        }
    }

    /// Plays more quietly, or as loud as before.
    public func duck(_ isDucked: Bool) {
        behavior.withLock { behavior in
            behavior.isDucked = isDucked
            if isDucked { behavior.duckCount += 1 }
        }
    }
}

/// Waits a little, on a thread that may.
func waitBriefly() { Thread.sleep(forTimeInterval: 0.001) }
