/// The form of the spectra that an encoder of sound reads.
///
/// Encoders' files are read into one, another process gets it over the wire, and LeapAudio makes spectra of it.
package enum SpectrumForm: Sendable, Hashable {
    /// Frames around their middles, of bands that have mean 0 and deviation 1 over the whole sound (LFM2-Audio).
    case normalised
    /// Frames from their first samples on, on a scale that is the same for all sounds (LFM3-Audio).
    case scaled(bands: Int)
    /// Logarithms of magnitudes, the same for all sounds, of parts that are computed apart (Gemma 4 E2B and E4B).
    case magnitudes(bands: Int)
    /// No spectrum: samples as they are, as many in a frame (Gemma 4 12B).
    case samples(count: Int)

    /// Bands of a normalised frame.
    package static let normalisedBandCount = 128
    /// The numbers of bands that a file may ask for, and those of samples in a frame.
    package static let bandCounts = 1...512
    package static let sampleCounts = 1...16_384
    /// Seconds of the parts of a sound that models of Gemma 4 hear at most.
    private static let gemmaSeconds = 30

    /// Bands of a frame, or samples where frames are made of these.
    package var bandCount: Int {
        switch self {
        case .normalised: Self.normalisedBandCount
        case .scaled(let bands), .magnitudes(let bands): bands
        case .samples(let count): count
        }
    }

    /// Seconds of the parts that a longer sound is cut into; nil where it stays whole.
    package var secondsOfPart: Int? {
        switch self {
        case .normalised, .scaled: nil
        case .magnitudes, .samples: Self.gemmaSeconds
        }
    }

    /// True if spectra can be made of it: damaged ones arrive over the wire too.
    package var isUsable: Bool {
        if case .samples(let count) = self { return Self.sampleCounts.contains(count) }
        return Self.bandCounts.contains(bandCount)
    }
}
