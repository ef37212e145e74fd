/// The settings by which a sound counts as speech: what OpenAI's realtime interface calls `server_vad`.
package struct VoiceActivitySettings: Equatable, Sendable {
    /// The likelihood that speech must have for an utterance to begin, in 0...1; higher needs a louder voice.
    package var threshold: Double
    /// Seconds in front of an utterance that belong to it, so that its first sound is not cut.
    package var prefixPadding: Double
    /// Seconds without speech that end an utterance.
    package var silenceDuration: Double

    package static let thresholds = 0.0...1.0
    package static let paddings = 0.0...10.0
    package static let silences = 0.02...60.0

    /// Values beyond their range become the nearest one in it, and what is not a number the usual one.
    package init(threshold: Double = 0.5, prefixPadding: Double = 0.3, silenceDuration: Double = 0.5) {
        func within(_ value: Double, _ range: ClosedRange<Double>, _ usual: Double) -> Double {
            value.isNaN ? usual : min(max(value, range.lowerBound), range.upperBound)
        }
        self.threshold = within(threshold, Self.thresholds, 0.5)
        self.prefixPadding = within(prefixPadding, Self.paddings, 0.3)
        self.silenceDuration = within(silenceDuration, Self.silences, 0.5)
    }
}
