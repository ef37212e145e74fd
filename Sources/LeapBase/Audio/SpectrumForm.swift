/// The form of the spectra that an encoder of sound reads.
///
/// Encoders' files are read into one, another process gets it over the wire, and LeapAudio makes spectra of it.
package enum SpectrumForm: Sendable, Hashable {
    /// Frames around their middles, of bands that have mean 0 and deviation 1 over the whole sound (LFM2-Audio).
    case normalised
    /// Frames from their first samples on, on a scale that is the same for all sounds (LFM3-Audio).
    case scaled(bands: Int)

    /// Bands of a normalised frame.
    package static let normalisedBandCount = 128
    /// The numbers of bands that a file may ask for.
    package static let bandCounts = 1...512

    /// Bands of a frame.
    package var bandCount: Int {
        switch self {
        case .normalised: Self.normalisedBandCount
        case .scaled(let bands): bands
        }
    }

    /// True if spectra can be made of it: damaged ones arrive over the wire too.
    package var isUsable: Bool { Self.bandCounts.contains(bandCount) }
}
