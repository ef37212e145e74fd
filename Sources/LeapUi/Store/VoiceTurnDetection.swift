import LeapAudio

/// The settings by which an utterance begins and ends without a key, in the terms of OpenAI's `server_vad`.
public struct VoiceTurnDetection: Equatable, Sendable {
    /// The likelihood that speech must have, in 0...1; higher needs a louder voice.
    public var threshold: Double
    /// The number of milliseconds in front of an utterance that belong to it.
    public var prefixPaddingMs: Int
    /// The number of milliseconds of silence that end an utterance, 20 or more.
    public var silenceDurationMs: Int

    /// Makes settings; values beyond their range become the nearest one in it.
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
