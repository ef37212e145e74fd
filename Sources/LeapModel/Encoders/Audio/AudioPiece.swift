import LeapBase

/// A sound that comes in pieces; its encoder keeps a state for it while it lives.
package final class PiecewiseSound: Sendable {
    package init() {}
}

/// Frames of a sound that follow those of the piece before.
///
/// It keeps the vectors that were made of it, so that a prompt can be computed again without the encoder's state of
/// that time.
package final class AudioPiece: Sendable {
    package let sound: PiecewiseSound
    /// The number of pieces before it.
    package let index: Int
    package let spectrum: AudioSpectrum
    /// True if the sound ends with it; the frames of others are multiples of ``ConvolutionSubsampling/factor``.
    package let isLast: Bool
    private let made = Locked<[Float]?>(nil)

    package init(of sound: PiecewiseSound, index: Int, _ spectrum: AudioSpectrum, isLast: Bool) {
        self.sound = sound
        self.index = index
        self.spectrum = spectrum
        self.isLast = isLast
    }

    /// Vectors that come of it.
    package var vectorCount: Int { spectrum.vectorCount }

    /// The vectors, `[vectorCount][outputLength]`; nil as long as they are not made.
    package var vectors: [Float]? { made.withLock { $0 } }

    /// Keeps the vectors that were made.
    package func keep(_ vectors: [Float]) { made.withLock { $0 = vectors } }
}
