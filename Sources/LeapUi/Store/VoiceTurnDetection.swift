import LeapAudio

/// The settings for the start and end of utterances in hands-free mode, in the terms of OpenAI's `server_vad`.
public struct VoiceTurnDetection: Equatable, Sendable {
    /// The minimum likelihood of speech, in 0...1; a higher value needs a louder voice.
    public var threshold: Double
    /// The number of milliseconds before an utterance that belong to it.
    public var prefixPaddingMs: Int
    /// The number of milliseconds of silence that end an utterance, 20 or more.
    public var silenceDurationMs: Int

    /// Creates settings; values out of range are clamped.
    public init(threshold: Double = 0.5, prefixPaddingMs: Int = 300, silenceDurationMs: Int = 700) {
        self.threshold = threshold
        self.prefixPaddingMs = prefixPaddingMs
        self.silenceDurationMs = silenceDurationMs
    }

    var settings: VoiceActivitySettings {
        VoiceActivitySettings(
            threshold: threshold, prefixPadding: Double(prefixPaddingMs) / 1000,
            silenceDuration: Double(silenceDurationMs) / 1000)
    }
}
