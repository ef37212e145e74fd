/// Records what a person says, from a microphone or another source.
///
/// Calls come one after the other, from threads of the store that may block.
public protocol VoiceAudioRecorder: VoiceAudioRecorderRate32 {
    /// The current loudness of the recording, in 0...1; 0 if nothing is being recorded.
    var amplitude: Float { get }

    /// The number of samples per second that ``stop()`` returns.
    ///
    /// An app's own recorder can have it as an `Int32`, as in the LEAP SDK's pages.
    var nativeSampleRate: Int { get }

    /// The reason why ``start()`` returned false or a recording ended by itself; nil if there is none.
    ///
    /// The store reads it 30 times a second while it records.
    var problem: VoiceProblem? { get }

    /// Starts a recording.
    ///
    /// - Returns: false if that is not possible, for example without the person's permission.
    func start() -> Bool

    /// Ends the recording and returns its samples: values in -1...1, one channel.
    func stop() async -> [Float]

    /// Ends the recording and discards it.
    func cancel() async
}

extension VoiceAudioRecorder {
    /// The problem of a recorder that reports none: nil.
    public var problem: VoiceProblem? { nil }
}

/// A recorder that delivers samples while it records, which hands-free mode needs.
public protocol VoiceAudioStreamRecorder: VoiceAudioRecorder {
    /// Starts a recording whose samples are passed to a function, in pieces of any length.
    ///
    /// Nothing is kept for ``VoiceAudioRecorder/stop()``.
    ///
    /// - Returns: false if that is not possible.
    func start(onSamples: @escaping @Sendable ([Float]) -> Void) -> Bool
}
