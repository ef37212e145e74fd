import Foundation
package import LeapBase

/// The logarithms of what each band of frequencies has of a sound, frame by frame, as an encoder takes them.
package struct MelSpectrum: Sendable {
    /// Samples per second that it is made of.
    package static let sampleRate = SpectrumFrames.sampleRate

    /// Frames; the last one of ``SpectrumForm/normalised`` is all zeros.
    package let frameCount: Int
    /// Bands of a frame.
    package let bandCount: Int
    /// `[frameCount][bandCount]`; of ``SpectrumForm/normalised``, every band has the mean 0 and the standard deviation 1
    /// over the frames.
    package let values: [Float]

    /// Frames of a number of samples.
    package static func frameCount(samples: Int, form: SpectrumForm) -> Int {
        form.frameCount(samples: samples) + (form == .normalised ? 1 : 0)
    }
}

/// Makes a spectrum of samples as they come.
///
/// - ``SpectrumForm/normalised``: pre-emphasis, windows of 25 ms every 10 ms, power, mel bands, natural logarithm, and
///   at the end each band brought to mean 0 and deviation 1 (NVIDIA NeMo's front-end for FastConformer, which
///   LFM2-Audio was trained with).
/// - ``SpectrumForm/scaled(bands:)``: the same windows without pre-emphasis, and a decimal logarithm of at least -12,
///   plus 4, divided by 4 (LFM3-Audio). Such frames do not change when more samples come.
package struct MelSpectrumBuilder: Sendable {
    private let form: SpectrumForm
    private let source: SpectrumFrames
    private var resampler: Resampler
    /// Samples that frames to come need, from the first one of the next frame on.
    private var pending: [Float]
    /// The last sample before emphasis.
    private var previous: Float?
    /// Samples at the rate of the spectrum.
    private var count = 0
    private var frames: [Float] = []
    /// Frames that ``takeFrames()`` gave out.
    private var takenCount = 0

    /// - Precondition: the rate is 1...768,000, and the form usable.
    package init(sampleRate: Int, form: SpectrumForm) {
        self.form = form
        source = SpectrumFrames.of(form)
        resampler = Resampler(from: sampleRate, to: MelSpectrum.sampleRate)
        pending = [Float](repeating: 0, count: source.lead)
    }

    /// Frames that are computed.
    package var frameCount: Int { takenCount + frames.count / source.bandCount }

    /// Takes samples at the rate of their recording.
    package mutating func append(_ samples: some Collection<Float>) {
        var resampled: [Float] = []
        resampler.append(samples, to: &resampled)
        take(resampled)
    }

    /// Returns the frames that are computed and were not returned before.
    ///
    /// - Precondition: the form is not ``SpectrumForm/normalised``, whose frames change until the end.
    package mutating func takeFrames() -> MelSpectrum {
        precondition(form != .normalised, "frames that do not change when more samples come")
        defer { frames.removeAll(keepingCapacity: true) }
        let count = frames.count / source.bandCount
        takenCount += count
        return MelSpectrum(frameCount: count, bandCount: source.bandCount, values: frames)
    }

    /// The spectrum of all samples, or what ``takeFrames()`` did not return of it.
    package mutating func finish() -> MelSpectrum {
        var rest: [Float] = []
        resampler.finish(&rest)
        take(rest)
        let valid = form.frameCount(samples: count)
        pending += [Float](repeating: 0, count: source.size)
        computeFrames(upTo: valid)
        guard form == .normalised else { return takeFrames() }
        var values = frames
        normalise(&values, frames: valid)
        // Of the frame at the end nothing is left.
        values += [Float](repeating: 0, count: source.bandCount)
        return MelSpectrum(frameCount: valid + 1, bandCount: source.bandCount, values: values)
    }

    private mutating func take(_ samples: [Float]) {
        pending.reserveCapacity(pending.count + samples.count)
        if source.emphasis == 0 {
            pending += samples
        } else {
            for sample in samples {
                pending.append(previous.map { sample - source.emphasis * $0 } ?? sample)
                previous = sample
            }
        }
        count += samples.count
        // A frame at the very end may count for nothing, and whether there is one is not known yet.
        computeFrames(upTo: form.completeFrameCount(samples: count))
    }

    /// Computes the frames that all samples are there for.
    private mutating func computeFrames(upTo limit: Int) {
        var start = 0
        withUnsafeTemporaryAllocation(of: Float.self, capacity: source.scratchCount) { scratch in
            guard let windowed = scratch.baseAddress else { return }
            windowed.initialize(repeating: 0, count: scratch.count)
            let (source, samples) = (source, pending)
            samples.withUnsafeBufferPointer { samples in
                guard let base = samples.baseAddress else { return }
                while frameCount < limit, start + source.size <= samples.count {
                    source.make(base + start, scratch: windowed) { frames.append($0) }
                    start += SpectrumFrames.hop
                }
            }
        }
        // The hop is shorter than a frame.
        pending.removeFirst(start)
    }

    /// Brings each band to mean 0 and deviation 1.
    private func normalise(_ values: inout [Float], frames: Int) {
        let bands = source.bandCount
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
