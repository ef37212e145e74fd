/// The numbers of a kind of decoder's speech: the codes of its frames, and the sound that a frame stands for.
package struct SpeechForm: Hashable, Sendable {
    /// The codes that make a frame the end of speech.
    package enum Ending: Sendable {
        /// All of them are the end's.
        case all
        /// At least one of them is the end's.
        case any
    }

    /// Codebooks, and so codes of a frame.
    package let codebookCount: Int
    /// Codes of a codebook that stand for sound: those below the end's.
    package let audioCodeCount: Int
    /// The codes that make a frame the end.
    package let ending: Ending
    /// Samples of a frame: 80 milliseconds.
    package let samplesPerFrame: Int

    /// The code that ends speech.
    package var endCode: Int { audioCodeCount }
    /// Codes of a codebook, the end's included.
    package var codeCount: Int { audioCodeCount + 1 }
    /// A frame that ends speech, with the end's code in all codebooks.
    package var end: SpeechFrame { SpeechFrame(endOf: self) }

    /// LFM2.5-Audio's.
    package static let lfm2Audio = SpeechForm(codebookCount: 8, audioCodeCount: 2048, ending: .all)
    /// LFM3-Audio's and LFM3-Omni's.
    package static let lfm3Audio = SpeechForm(codebookCount: 12, audioCodeCount: 2016, ending: .any)
    /// All forms: their numbers of codebooks tell them apart.
    package static let all = [lfm2Audio, lfm3Audio]

    private init(codebookCount: Int, audioCodeCount: Int, ending: Ending) {
        (self.codebookCount, self.audioCodeCount, self.ending) = (codebookCount, audioCodeCount, ending)
        samplesPerFrame = CodeDecoder.spectraPerFrame * CodeDecoder.hop
    }

    /// The form of frames with so many codes; nil where there is none.
    package init?(codebookCount: Int) {
        guard let form = Self.all.first(where: { $0.codebookCount == codebookCount }) else { return nil }
        self = form
    }
}
