package import LeapBase
package import LeapTokenizer

/// 80 milliseconds of speech as a model writes them: one code of each codebook (LFM2-Audio).
package struct SpeechFrame: Hashable, Sendable {
    /// Codebooks, and so codes of a frame.
    package static let codebookCount = 8
    /// Codes of a codebook that stand for sound.
    package static let audioCodeCount = 2048
    /// The code that ends speech; in all codebooks of the last frame.
    package static let endCode = 2048
    /// Codes of a codebook, the end's included.
    package static let codeCount = 2049

    /// The codes, each in 0...2048.
    package let codes: [UInt16]

    /// The frame that ends speech.
    package static let end = SpeechFrame(unchecked: Array(repeating: UInt16(endCode), count: codebookCount))

    /// A frame of sound, or the end; nil for any other codes.
    package init?(codes: [UInt16]) {
        guard codes.count == Self.codebookCount,
            codes.allSatisfy({ $0 < Self.audioCodeCount }) || codes.allSatisfy({ $0 == Self.endCode })
        else { return nil }
        self.codes = codes
    }

    private init(unchecked codes: [UInt16]) { self.codes = codes }

    /// True if the frame ends speech and stands for no sound.
    package var isEnd: Bool { codes[0] == Self.endCode }

    /// The negative number that stands for the frame in sequences of tokens.
    ///
    /// Two frames, or one of two decoders, have the same with a probability of 2⁻³¹.
    package func place(decoder: StableHash) -> TokenID {
        var hash = decoder
        for code in codes { hash.combine(UInt64(code)) }
        return TokenID(bitPattern: UInt32(truncatingIfNeeded: hash.low ^ hash.high) | 0x8000_0000)
    }
}
