package import LeapTokenizer

/// A piece of speech.
package struct SpeechPiece: Sendable {
    /// The frame; nil where none came.
    package var frame: SpeechFrame?
    /// The token that stands for it in the sequence; 0 without a frame.
    package var place: TokenID
    /// Samples of one channel, 24,000 per second, at most 80 milliseconds: those that no later frame changes.
    package var samples: [Float]

    package init(frame: SpeechFrame?, place: TokenID, samples: [Float]) {
        self.frame = frame
        self.place = place
        self.samples = samples
    }
}
