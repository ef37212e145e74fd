/// Speech begins or ends in a sound.
package struct VoiceActivityEvent: Equatable, Sendable {
    package enum Kind: Sendable { case started, ended }

    package let kind: Kind
    /// Of a start, the first sample that belongs to the utterance, padding included; of an end, the sample after its
    /// last one.
    ///
    /// Counted from the first sample that was taken.
    package let position: Int
    /// Samples that had to be there for it to be known.
    ///
    /// At an end this is ``VoiceActivitySettings/silenceDuration`` after ``position``, as the server of OpenAI counts
    /// `audio_end_ms`.
    package let knownAt: Int
}
