/// Takes what a person says, from a microphone or in its place.
///
/// Calls come one after the other, from threads of the store that may wait.
public protocol VoiceAudioRecorder: VoiceAudioRecorderRate32 {
    /// The loudness of the recording at the moment, in 0...1; 0 while nothing is recorded.
    var amplitude: Float { get }

    /// Samples per second of what ``stop()`` gives; an app's own recorder may have it as an `Int32`, as the LEAP SDK's
    /// pages do.
    var nativeSampleRate: Int { get }

    /// The problem because of which the latest ``start()`` was false, or a recording that was started came to an end by
    /// itself; nil where nothing is wrong.
    ///
    /// The store asks 30 times a second while it records.
    var problem: VoiceProblem? { get }

    /// Begins a recording.
    ///
    /// - Returns: false where that cannot be done, for example as the person does not permit it.
    func start() -> Bool

    /// Ends the recording: its samples, values in -1...1, one channel.
    func stop() async -> [Float]

    /// Ends the recording and forgets it.
    func cancel() async
}

extension VoiceAudioRecorder {
    /// The problem of a recorder that reports none: nil.
    public var problem: VoiceProblem? { nil }
}

/// A recorder that gives samples while it records, as speaking without a key needs them.
public protocol VoiceAudioStreamRecorder: VoiceAudioRecorder {
    /// Begins a recording whose samples go to a function, in pieces of any length; nothing is kept for
    /// ``VoiceAudioRecorder/stop()``.
    ///
    /// - Returns: false where that cannot be done.
    func start(onSamples: @escaping @Sendable ([Float]) -> Void) -> Bool
}
