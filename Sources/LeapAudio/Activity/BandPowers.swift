import Foundation

/// The powers of a sound in a few bands of frequencies, frame by frame as it comes.
struct BandPowers: Sendable {
    /// Samples per second that frames are made of.
    static let sampleRate = MelSpectrum.sampleRate
    /// Samples from one frame to the next, and in a frame.
    static let hop = 160
    static let frameLength = 400
    private static let size = 512
    private static let transform = RealTransform(size: size)
    /// Wide enough that the power of noise in a band is much the same from frame to frame.
    private static let filters = MelFilters(count: 16, size: size, sampleRate: sampleRate)
    private static let window: [Float] = (0..<frameLength).map {
        Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(frameLength)))
    }
    /// The factor by which powers become relative to that of a full-scale tone.
    private static let scale: Float = {
        let sum = window.reduce(0, +)
        return 4 / (sum * sum)
    }()

    private var resampler: Resampler
    private var pending: [Float] = []
    /// Bands below half of the rate of the recording.
    let bands: Range<Int>

    /// - Precondition: the rate is 1...768,000.
    init(sampleRate: Int) {
        resampler = Resampler(from: sampleRate, to: Self.sampleRate)
        let edges = Self.filters.upperEdges
        let carried = edges.firstIndex { $0 > Double(sampleRate) / 2 } ?? edges.count
        bands = 0..<max(1, carried)
    }

    /// Takes samples and gives the powers of every frame that is complete.
    mutating func append(_ samples: some Collection<Float>, _ body: (_ powers: [Float]) -> Void) {
        resampler.append(samples, to: &pending)
        frames(body)
    }

    /// Gives the frames that the last samples complete.
    mutating func finish(_ body: (_ powers: [Float]) -> Void) {
        resampler.finish(&pending)
        frames(body)
    }

    private mutating func frames(_ body: (_ powers: [Float]) -> Void) {
        guard pending.count >= Self.frameLength else { return }
        var start = 0
        var powers = [Float](repeating: 0, count: bands.count)
        let bands = bands
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * Self.size + Self.size / 2 + 1) { scratch in
            guard let windowed = scratch.baseAddress else { return }
            windowed.initialize(repeating: 0, count: scratch.count)
            while start + Self.frameLength <= pending.count {
                for index in 0..<Self.frameLength { windowed[index] = pending[start + index] * Self.window[index] }
                let spectrum = windowed + 2 * Self.size
                Self.transform.powers(of: windowed, spectrum, scratch: windowed + Self.size)
                Self.filters.apply(to: spectrum) { band, value in
                    if bands.contains(band) { powers[band - bands.lowerBound] = value * Self.scale }
                }
                body(powers)
                start += Self.hop
            }
        }
        pending.removeFirst(start)
    }
}
