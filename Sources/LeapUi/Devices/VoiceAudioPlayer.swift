/// Plays what a model says.
///
/// `enqueue` is called from one thread, ``stop()`` from another, also while the former waits.
public protocol VoiceAudioPlayer: AnyObject, Sendable {
    /// The loudness of the playback at the moment, in 0...1; 0 while nothing is played.
    var amplitude: Float { get }

    /// The problem because of which the latest sound was not played; nil where nothing is wrong.
    var problem: VoiceProblem? { get }

    /// Plays samples behind those that wait: values in -1...1, one channel.
    ///
    /// A type that conforms has this form or the one with an `Int32`.
    func enqueue(samples: [Float], sampleRate: Int)

    /// Plays samples, in the form of the LEAP SDK's pages.
    @_disfavoredOverload
    func enqueue(samples: KotlinFloatArray, sampleRate: Int32)

    /// Returns when everything was played, or ``stop()`` was called.
    func waitForPlayback() async

    /// Ends the sound at once and forgets what waits.
    func stop()

    /// Plays more quietly, or as loud as before.
    func duck(_ isDucked: Bool)
}

extension VoiceAudioPlayer {
    /// The problem of a player that reports none: nil.
    public var problem: VoiceProblem? { nil }

    /// Plays as loud as before.
    public func duck(_ isDucked: Bool) {}
}
