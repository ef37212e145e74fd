/// Plays a model's speech.
///
/// `enqueue` is called from one thread and ``stop()`` from another, also while the former waits.
public protocol VoiceAudioPlayer: AnyObject, Sendable {
    /// The current loudness of the playback, in 0...1; 0 if nothing is playing.
    var amplitude: Float { get }

    /// The problem that prevented playback of the latest sound; nil if there is none.
    var problem: VoiceProblem? { get }

    /// Plays samples after those already queued: values in -1...1, one channel.
    ///
    /// A conforming type implements this form or the one with an `Int32`.
    func enqueue(samples: [Float], sampleRate: Int)

    /// Plays samples, in the form of the LEAP SDK's pages.
    @_disfavoredOverload
    func enqueue(samples: KotlinFloatArray, sampleRate: Int32)

    /// Returns when playback has finished, or ``stop()`` was called.
    func waitForPlayback() async

    /// Stops the sound at once and discards queued samples.
    func stop()

    /// Lowers the volume, or restores it.
    func duck(_ isDucked: Bool)
}

extension VoiceAudioPlayer {
    /// The problem of a player that reports none: nil.
    public var problem: VoiceProblem? { nil }

    /// Does nothing: the volume stays as it is.
    public func duck(_ isDucked: Bool) {}
}
