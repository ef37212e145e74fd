import Foundation

/// Triangles over the frequencies, evenly spaced on a mel scale.
struct MelFilters: Sendable {
    /// The mel scales.
    enum Scale: Sendable {
        /// A straight line and a logarithm, with triangles of equal area (Slaney, "Auditory Toolbox", 1998).
        case slaney
        /// One logarithm (HTK), with triangles of equal height.
        case plain
    }

    /// The frequencies where a band is not zero, and its weights there.
    private let bands: [(first: Int, weights: [Float])]
    /// The frequency above which each band is zero, in Hz.
    let upperEdges: [Double]

    /// Bands.
    var count: Int { bands.count }

    /// - Parameters:
    ///   - count: bands, from 0 to half of the rate.
    ///   - size: samples of the transform whose powers come in.
    init(count: Int, size: Int, sampleRate: Int, scale: Scale = .slaney) {
        let highest = scale.mel(Double(sampleRate) / 2)
        let edges = (0...count + 1).map { scale.hertz(highest * Double($0) / Double(count + 1)) }
        upperEdges = Array(edges[2...])
        bands = (0..<count).map { band in
            let (low, middle, high) = (edges[band], edges[band + 1], edges[band + 2])
            let area = scale == .slaney ? 2 / (high - low) : 1
            let weights = (0...size / 2).map { bin -> Float in
                let frequency = Double(bin) * Double(sampleRate) / Double(size)
                let height = min((frequency - low) / (middle - low), (high - frequency) / (high - middle))
                return Float(max(0, height) * area)
            }
            let first = weights.firstIndex { $0 > 0 } ?? 0
            let end = (weights.lastIndex { $0 > 0 } ?? -1) + 1
            return (first, Array(weights[min(first, end)..<end]))
        }
    }

    /// Calls a closure with the value of each band of a transform's powers.
    func apply(to powers: UnsafePointer<Float>, _ body: (_ band: Int, _ value: Float) -> Void) {
        for (index, band) in bands.enumerated() {
            var sum: Float = 0
            for (offset, weight) in band.weights.enumerated() { sum += weight * powers[band.first + offset] }
            body(index, sum)
        }
    }
}

extension MelFilters.Scale {
    fileprivate func mel(_ hertz: Double) -> Double {
        switch self {
        // The line goes up to 1000 Hz.
        case .slaney: hertz < 1000 ? hertz * 3 / 200 : 15 + log(hertz / 1000) * 27 / log(6.4)
        case .plain: 2595 * log10(1 + hertz / 700)
        }
    }

    fileprivate func hertz(_ mel: Double) -> Double {
        switch self {
        case .slaney: mel < 15 ? mel * 200 / 3 : 1000 * exp((mel - 15) * log(6.4) / 27)
        case .plain: 700 * (pow(10, mel / 2595) - 1)
        }
    }
}
