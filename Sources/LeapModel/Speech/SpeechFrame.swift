package import LeapBase
package import LeapTokenizer

/// 80 milliseconds of speech as a model writes them: one code of each codebook.
package struct SpeechFrame: Hashable, Sendable {
    /// The codes, each below ``SpeechForm/codeCount``.
    package let codes: [UInt16]
    /// True if the frame ends speech and stands for no sound.
    package let isEnd: Bool

    /// A frame of sound, or an end; nil for codes that no form of speech has.
    package init?(codes: [UInt16]) {
        guard let form = SpeechForm(codebookCount: codes.count), codes.allSatisfy({ $0 <= form.endCode }) else {
            return nil
        }
        let ends = codes.count { $0 == form.endCode }
        guard ends == 0 || form.ending == .any || ends == codes.count else { return nil }
        self.codes = codes
        isEnd = ends > 0
    }

    init(endOf form: SpeechForm) {
        codes = Array(repeating: UInt16(form.endCode), count: form.codebookCount)
        isEnd = true
    }

    /// The negative number that stands for the frame in sequences of tokens.
    ///
    /// Two frames, or one of two decoders, have the same with a probability of 2⁻³¹.
    package func place(decoder: StableHash) -> TokenID {
        var hash = decoder
        for code in codes { hash.combine(UInt64(code)) }
        return TokenID(bitPattern: UInt32(truncatingIfNeeded: hash.low ^ hash.high) | 0x8000_0000)
    }
}
