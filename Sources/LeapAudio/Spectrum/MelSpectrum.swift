import Foundation

/// The logarithms of what each band of frequencies has of a sound, frame by frame, as the encoder of LFM2-Audio takes
/// them.
package struct MelSpectrum: Sendable {
    /// Bands of a frame.
    package static let bandCount = 128
    /// Samples per second that it is made of.
    package static let sampleRate = 16_000
    /// Samples from one frame to the next.
    package static let hop = 160

    /// Frames; the last one is all zeros.
    package let frameCount: Int
    /// `[frameCount][bandCount]`; over the frames every band has the mean 0 and the standard deviation 1.
    package let values: [Float]

    /// Frames of a number of samples.
    package static func frameCount(samples: Int) -> Int { samples / hop + 1 }
}

/// Makes a spectrum of samples as they come.
///
/// Pre-emphasis, windows of 25 ms every 10 ms, power, mel bands, natural logarithm, and at the end each band brought to
/// mean 0 and deviation 1 (NVIDIA NeMo's front-end for FastConformer, which LFM2-Audio was trained with).
package struct MelSpectrumBuilder: Sendable {
    private static let size = 512
    private static let windowLength = 400
    private static let emphasis: Float = 0.97
    private static let floor: Float = 0x1p-24
    private static let transform = RealTransform(size: size)
    private static let filters = MelFilters(
        count: MelSpectrum.bandCount, size: size, sampleRate: MelSpectrum.sampleRate)
    /// A symmetric Hann window, in the middle of the transform.
    private static let window: [Float] = (0..<windowLength).map {
        Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(windowLength - 1)))
    }

    private var resampler: Resampler
    /// Emphasised samples that frames to come need, from half a transform before the next frame's middle on.
    private var pending: [Float]
    /// The last sample before emphasis.
    private var previous: Float?
    /// Samples at the rate of the spectrum.
    private var count = 0
    private var frames: [Float] = []

    /// - Precondition: the rate is 1...768,000.
    package init(sampleRate: Int) {
        resampler = Resampler(from: sampleRate, to: MelSpectrum.sampleRate)
        pending = [Float](repeating: 0, count: Self.size / 2)
    }

    /// Frames that are computed.
    package var frameCount: Int { frames.count / MelSpectrum.bandCount }

    /// Takes samples at the rate of their recording.
    package mutating func append(_ samples: some Collection<Float>) {
        var resampled: [Float] = []
        resampler.append(samples, to: &resampled)
        take(resampled)
    }

    /// The spectrum of all samples.
    package mutating func finish() -> MelSpectrum {
        var rest: [Float] = []
        resampler.finish(&rest)
        take(rest)
        // The frames behind: as many as have their middle among the samples; of the one at their end nothing is left.
        let valid = count / MelSpectrum.hop
        pending += [Float](repeating: 0, count: Self.size)
        computeFrames(upTo: valid)
        var values = frames
        Self.normalise(&values, frames: valid)
        values += [Float](repeating: 0, count: MelSpectrum.bandCount)
        return MelSpectrum(frameCount: valid + 1, values: values)
    }

    private mutating func take(_ samples: [Float]) {
        pending.reserveCapacity(pending.count + samples.count)
        for sample in samples {
            pending.append(previous.map { sample - Self.emphasis * $0 } ?? sample)
            previous = sample
        }
        count += samples.count
        // A frame at the very end counts for nothing, and whether there is one is not known yet.
        computeFrames(upTo: count / MelSpectrum.hop)
    }

    /// Computes the frames that all samples are there for.
    private mutating func computeFrames(upTo limit: Int) {
        let size = Self.size
        var start = 0
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * size + size / 2 + 1) { scratch in
            guard let windowed = scratch.baseAddress else { return }
            let powers = windowed + 2 * size
            let margin = (size - Self.windowLength) / 2
            windowed.initialize(repeating: 0, count: scratch.count)
            while frameCount < limit, start + size <= pending.count {
                pending.withUnsafeBufferPointer { samples in
                    for index in 0..<Self.windowLength {
                        windowed[margin + index] = samples[start + margin + index] * Self.window[index]
                    }
                }
                Self.transform.powers(of: windowed, powers, scratch: windowed + size)
                Self.filters.apply(to: powers) { _, value in frames.append(logf(value + Self.floor)) }
                start += MelSpectrum.hop
            }
        }
        pending.removeFirst(start)
    }

    /// Brings each band to mean 0 and deviation 1.
    private static func normalise(_ values: inout [Float], frames: Int) {
        let bands = MelSpectrum.bandCount
        for band in 0..<bands where frames > 0 {
            var sum = 0.0
            for frame in 0..<frames { sum += Double(values[frame * bands + band]) }
            let mean = sum / Double(frames)
            var squares = 0.0
            for frame in 0..<frames {
                let difference = Double(values[frame * bands + band]) - mean
                squares += difference * difference
            }
            // One frame has no deviation.
            let deviation = Float((squares / Double(max(1, frames - 1))).squareRoot()) + 1e-5
            for frame in 0..<frames {
                let place = frame * bands + band
                values[place] = (values[place] - Float(mean)) / deviation
            }
        }
    }
}
