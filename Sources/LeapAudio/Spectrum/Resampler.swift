import Foundation

/// Changes the rate of samples with a windowed sinc, as they come (Smith, "Digital Audio Resampling", 2002).
///
/// Before the first sample and after the last one there are zeros. What the lower of the two rates cannot carry is at
/// least 80 dB weaker in the result; up to 0.9 of that nothing changes.
package struct Resampler: Sendable {
    /// Zero crossings of the sinc on each side, at the lower of the two rates.
    private static let crossings = 64
    /// Places of the stored filter for each crossing; between them it is interpolated.
    private static let resolution = 512
    /// The taps of all phases are kept where they are no more than this.
    private static let maxBankTaps = 1 << 18

    /// The positive half of the filter, in units of the lower rate's samples.
    ///
    /// A Kaiser window of 90 dB, and a cutoff so much below half of the rate that the transition ends there.
    private static let filter: [Float] = {
        let attenuation = 90.0
        let beta = 0.1102 * (attenuation - 8.7)
        let transition = (attenuation - 7.95) / (14.36 * Double(crossings))
        let cutoff = 1 - transition / 2
        let scale = 1 / bessel(beta)
        return (0...crossings * resolution + 1).map { index in
            let x = Double(index) / Double(resolution)
            let place = x / Double(crossings)
            guard place < 1 else { return 0 }
            let angle = Double.pi * x * cutoff
            let sinc = index == 0 ? cutoff : cutoff * sin(angle) / angle
            return Float(sinc * bessel(beta * (1 - place * place).squareRoot()) * scale)
        }
    }()

    /// The modified Bessel function of the first kind and order 0.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, k) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= (x / (2 * k)) * (x / (2 * k))
            sum += term
            k += 1
        }
        return sum
    }

    /// Samples in and out for a period of both.
    private let inputs: Int
    private let outputs: Int
    /// Filter units of an input sample.
    private let scale: Double
    /// Input samples on each side of an output that it depends on.
    private let reach: Int
    /// `[phase][2 · reach]`; empty where it would be too large.
    private let bank: [Float]

    /// Inputs that outputs to come depend on.
    private var kept: [Float] = []
    /// The index of the first of them; negative in front of the first sample.
    private var keptStart: Int
    private var received = 0
    private var made = 0

    /// - Precondition: both rates are 1...768,000.
    package init(from: Int, to: Int) {
        precondition(WAVFile.sampleRates.contains(from) && WAVFile.sampleRates.contains(to), "rates within bounds")
        var (a, b) = (from, to)
        while b != 0 { (a, b) = (b, a % b) }
        inputs = from / a
        outputs = to / a
        scale = min(1, Double(to) / Double(from))
        reach = inputs == outputs ? 0 : Int((Double(Self.crossings) / scale).rounded(.up))
        keptStart = 1 - reach
        kept = [Float](repeating: 0, count: max(0, reach - 1))
        var bank: [Float] = []
        if inputs != outputs, outputs * 2 * reach <= Self.maxBankTaps {
            bank.reserveCapacity(outputs * 2 * reach)
            for phase in 0..<outputs {
                bank += Self.taps(phase: Double(phase) / Double(outputs), scale: scale, reach: reach)
            }
        }
        self.bank = bank
    }

    /// Samples that come of a number of them: ⌈count · to / from⌉, or nil where that is beyond all numbers.
    package static func count(of count: Int, from: Int, to: Int) -> Int? {
        let (product, overflow) = count.multipliedReportingOverflow(by: to)
        return overflow ? nil : product / from + (product % from == 0 ? 0 : 1)
    }

    /// The weights of the inputs around a place between two of them; the first is reach - 1 samples before the input in
    /// front of it.
    private static func taps(phase: Double, scale: Double, reach: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: 2 * reach) { taps, count in
            let end = Double(crossings * resolution)
            let step = scale * Double(resolution)
            filter.withUnsafeBufferPointer { filter in
                for index in 0..<2 * reach {
                    let distance = abs(Double(index - reach + 1) - phase) * step
                    guard distance < end else {
                        taps[index] = 0
                        continue
                    }
                    let place = Int(distance)
                    let share = Float(distance - Double(place))
                    taps[index] = Float(scale) * (filter[place] + share * (filter[place + 1] - filter[place]))
                }
            }
            count = 2 * reach
        }
    }

    /// Takes samples, and puts those that follow from them at the end of `output`.
    package mutating func append(_ samples: some Collection<Float>, to output: inout [Float]) {
        received += samples.count
        guard reach > 0 else {
            output += samples
            return
        }
        kept += samples
        make(until: received - reach, &output)
    }

    /// Puts the rest at the end of `output`; no samples come after this.
    package mutating func finish(_ output: inout [Float]) {
        guard reach > 0 else { return }
        kept += [Float](repeating: 0, count: reach + 1)
        let total = Self.count(of: received, from: inputs, to: outputs) ?? 0
        make(until: .max, upTo: total, &output)
    }

    /// Makes the outputs whose last input is before an index.
    private mutating func make(until end: Int, upTo total: Int = .max, _ output: inout [Float]) {
        var first = made * inputs / outputs
        while first < end, made < total {
            let phase = made * inputs % outputs
            let start = first - reach + 1 - keptStart
            if bank.isEmpty {
                let taps = Self.taps(phase: Double(phase) / Double(outputs), scale: scale, reach: reach)
                output.append(Self.sum(taps, 0, kept, start, 2 * reach))
            } else {
                output.append(Self.sum(bank, phase * 2 * reach, kept, start, 2 * reach))
            }
            made += 1
            first = made * inputs / outputs
        }
        let needless = min(kept.count, first - reach + 1 - keptStart)
        // Rarely, as it moves all others.
        guard needless > 2 * reach else { return }
        kept.removeFirst(needless)
        keptStart += needless
    }

    /// The sum of the products of `count` taps and samples from two places on.
    private static func sum(_ taps: [Float], _ tap: Int, _ samples: [Float], _ sample: Int, _ count: Int) -> Float {
        precondition(tap >= 0 && tap + count <= taps.count && sample >= 0 && sample + count <= samples.count)
        return taps.withUnsafeBytes { taps in
            samples.withUnsafeBytes { samples in
                let width = MemoryLayout<Float>.stride
                var sums = SIMD8<Float>()
                var index = 0
                while index + 8 <= count {
                    let a = taps.loadUnaligned(fromByteOffset: (tap + index) * width, as: SIMD8<Float>.self)
                    sums += a * samples.loadUnaligned(fromByteOffset: (sample + index) * width, as: SIMD8<Float>.self)
                    index += 8
                }
                var total = sums.sum()
                while index < count {
                    let a = taps.loadUnaligned(fromByteOffset: (tap + index) * width, as: Float.self)
                    total += a * samples.loadUnaligned(fromByteOffset: (sample + index) * width, as: Float.self)
                    index += 1
                }
                return total
            }
        }
    }
}
