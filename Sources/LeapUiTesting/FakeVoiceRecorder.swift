import LeapBase
public import LeapUi

/// A microphone whose samples a test gives.
public final class FakeVoiceRecorder: VoiceAudioStreamRecorder {
    /// The behaviour that a test sets, and the record that it reads.
    public struct Behavior: Sendable {
        /// The samples that ``FakeVoiceRecorder/stop()`` returns.
        public var samples: [Float] = [0.1, 0.2, 0.1]
        /// The value of ``FakeVoiceRecorder/amplitude`` during a recording.
        public var amplitude: Float = 0.5
        /// A Boolean value that tells whether a recording can begin.
        public var starts = true
        /// The problem because of which a recording cannot begin, or ended.
        public var problem: VoiceProblem?
        /// A Boolean value that tells whether the calls that begin and end a recording return; if not, they wait until
        /// this is true.
        public var responds = true
        /// A Boolean value that tells whether a recording goes on.
        public internal(set) var isRecording = false
        /// Recordings that began.
        public internal(set) var startCount = 0
        /// Recordings that were cancelled.
        public internal(set) var cancelCount = 0
        var onSamples: (@Sendable ([Float]) -> Void)?
    }

    private let behavior = Locked(Behavior())
    /// Samples per second of what ``stop()`` gives.
    public let nativeSampleRate: Int

    /// Makes a microphone.
    public init(nativeSampleRate: Int = 16_000) {
        self.nativeSampleRate = nativeSampleRate
    }

    /// The behaviour and the record at present.
    public var present: Behavior { behavior.withLock { $0 } }

    /// Changes what it does.
    public func change(_ body: (inout Behavior) -> Void) { behavior.withLock { body(&$0) } }

    /// Gives samples to whoever listens without a key.
    public func speak(_ samples: [Float]) { present.onSamples?(samples) }

    /// The loudness at the moment, in 0...1.
    public var amplitude: Float { behavior.withLock { $0.isRecording ? $0.amplitude : 0 } }
    /// The problem because of which a recording could not begin, or ended.
    public var problem: VoiceProblem? { behavior.withLock { $0.problem } }

    /// Begins a recording.
    public func start() -> Bool { begin(nil) }

    /// Begins a recording whose samples go to a function.
    public func start(onSamples: @escaping @Sendable ([Float]) -> Void) -> Bool { begin(onSamples) }

    private func begin(_ onSamples: (@Sendable ([Float]) -> Void)?) -> Bool {
        while !present.responds { waitBriefly() }
        return behavior.withLock { behavior in
            guard behavior.starts else { return false }
            behavior.isRecording = true
            behavior.startCount += 1
            behavior.onSamples = onSamples
            return true
        }
    }

    /// Ends the recording and returns its samples.
    public func stop() async -> [Float] {
        while !present.responds { try? await Task.sleep(for: .milliseconds(1)) }
        return behavior.withLock { behavior in
            defer { behavior.isRecording = false }
            return behavior.isRecording ? behavior.samples : []
        }
    }

    /// Ends the recording and forgets it.
    public func cancel() async {
        behavior.withLock { behavior in
            if behavior.isRecording { behavior.cancelCount += 1 }
            behavior.isRecording = false
            behavior.onSamples = nil
        }
    }
}
