/// The amount of pictures and sounds that is kept in memory, in addition to the state of prompts.
package enum KeptMedia {
    /// Bytes of the vectors that an engine keeps.
    package static let maxVectorBytes = 32 << 20
    /// Bytes of the pixels or spectra, as encoders take them, that a loaded model keeps.
    package static let maxInputBytes = 64 << 20
}
