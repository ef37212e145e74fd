import Foundation

/// The power of the noise in each band: the least that was heard of late (Martin, "Noise power spectral density
/// estimation based on optimal smoothing and minimum statistics", 2001, without its optimal smoothing).
///
/// Speech leaves every band alone for moments, between words and sounds; noise that lasts does not.
struct NoiseFloor: Sendable {
    /// Frames whose minimum is kept as one, and how many such are remembered: 2.4 s.
    private static let blockLength = 30
    private static let blockCount = 8
    /// The share that a frame has in the smoothed power.
    private static let smoothing: Float = 0.2
    /// The mean of noise over the least of its smoothed powers in the time that is remembered.
    private static let bias: Float = 2.2
    /// Noise is no weaker than this (full scale is 1): what is quieter is silence.
    static let weakest: Float = 1e-9
    /// Noise at the beginning is no stronger than this, so that speech from the first sample on is heard.
    private static let strongestAtStart: Float = 1e-5

    private var smoothed: [Float] = []
    private var minima: [[Float]] = []
    private var current: [Float] = []
    private var framesInBlock = 0

    /// The powers of the noise; of no use before the first frame.
    private(set) var powers: [Float]

    init(bandCount: Int) {
        powers = [Float](repeating: Self.weakest, count: bandCount)
    }

    /// Takes the powers of a frame.
    mutating func update(_ frame: [Float]) {
        if smoothed.isEmpty {
            smoothed = frame.map { min($0, Self.strongestAtStart) }
            current = smoothed
        } else {
            for band in frame.indices { smoothed[band] += Self.smoothing * (frame[band] - smoothed[band]) }
        }
        for band in frame.indices { current[band] = min(current[band], smoothed[band]) }
        framesInBlock += 1
        for band in frame.indices {
            var least = current[band]
            for block in minima { least = min(least, block[band]) }
            powers[band] = max(least * Self.bias, Self.weakest)
        }
        if framesInBlock == Self.blockLength {
            minima.append(current)
            if minima.count == Self.blockCount { minima.removeFirst() }
            current = smoothed
            framesInBlock = 0
        }
    }
}
