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

    /// The parts of a sound that an encoder reads apart, with their frames: as many of the same length as there are,
    /// and what is left.
    package struct Parts: Sendable, Equatable {
        /// Parts of full length; 0 where a sound stays whole.
        package let fullCount: Int
        /// Frames of each of them.
        package let framesOfFull: Int
        /// Frames of the last part; 0 where there is nothing left.
        package let framesOfLast: Int

        /// All parts.
        package var count: Int { fullCount + (framesOfLast > 0 ? 1 : 0) }

        /// The frames of a part among those of the whole sound.
        package func frames(of index: Int) -> Range<Int> {
            let start = index * framesOfFull
            return start..<start + (index < fullCount ? framesOfFull : framesOfLast)
        }
    }

    /// The parts of a number of samples.
    package static func parts(samples: Int, form: SpectrumForm) -> Parts {
        guard let length = form.samplesOfPart else {
            return Parts(
                fullCount: 0, framesOfFull: 0,
                framesOfLast: form.frameCount(samples: samples) + (form == .normalised ? 1 : 0))
        }
        return Parts(
            fullCount: samples / length, framesOfFull: form.frameCount(samples: length),
            framesOfLast: form.frameCount(samples: samples % length))
    }

    /// Frames of a number of samples.
    package static func frameCount(samples: Int, form: SpectrumForm) -> Int {
        let parts = parts(samples: samples, form: form)
        return parts.fullCount * parts.framesOfFull + parts.framesOfLast
    }
}

/// Makes a spectrum of samples as they come.
///
/// - ``SpectrumForm/normalised``: pre-emphasis, windows of 25 ms every 10 ms, power, mel bands, natural logarithm, and
///   at the end each band brought to mean 0 and deviation 1 (NVIDIA NeMo's front-end for FastConformer, which
///   LFM2-Audio was trained with).
/// - ``SpectrumForm/scaled(bands:)``: the same windows without pre-emphasis, and a decimal logarithm of at least -12,
///   plus 4, divided by 4 (LFM3-Audio). Such frames do not change when more samples come.
/// - ``SpectrumForm/magnitudes(bands:)``: windows of 20 ms every 10 ms, magnitudes, bands of equal height, and the
///   natural logarithm of a thousandth more; every 30 seconds begin anew (Gemma 4).
/// - ``SpectrumForm/samples(count:)``: the samples themselves; the last frame of each 30 seconds is filled with zeros.
package struct MelSpectrumBuilder: Sendable {
    private let form: SpectrumForm
    private let source: SpectrumFrames
    private var resampler: Resampler
    /// Samples that frames to come need, from the first one of the next frame on.
    private var pending: [Float]
    /// The last sample before emphasis.
    private var previous: Float?
    /// Samples at the rate of the spectrum, of the part that has begun last.
    private var count = 0
    /// Frames of the parts before.
    private var earlierCount = 0
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
        endPart()
        guard form == .normalised else { return takeFrames() }
        var values = frames
        normalise(&values, frames: valid)
        // Of the frame at the end nothing is left.
        values += [Float](repeating: 0, count: source.bandCount)
        return MelSpectrum(frameCount: valid + 1, bandCount: source.bandCount, values: values)
    }

    /// Computes the last frames of a part, and begins another.
    private mutating func endPart() {
        pending += [Float](repeating: 0, count: source.size)
        computeFrames(upTo: form.frameCount(samples: count))
        pending = [Float](repeating: 0, count: source.lead)
        (earlierCount, count) = (frameCount, 0)
    }

    private mutating func take(_ samples: [Float]) {
        guard let length = form.samplesOfPart else { return takeOfPart(samples[...]) }
        var rest = samples[...]
        while !rest.isEmpty {
            let taken = rest.prefix(length - count)
            takeOfPart(taken)
            rest = rest.dropFirst(taken.count)
            if count == length { endPart() }
        }
    }

    private mutating func takeOfPart(_ samples: ArraySlice<Float>) {
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

    /// Computes the frames of a part that all samples are there for.
    private mutating func computeFrames(upTo limit: Int) {
        var start = 0
        withUnsafeTemporaryAllocation(of: Float.self, capacity: source.scratchCount) { scratch in
            guard let windowed = scratch.baseAddress else { return }
            windowed.initialize(repeating: 0, count: scratch.count)
            let (source, samples) = (source, pending)
            samples.withUnsafeBufferPointer { samples in
                guard let base = samples.baseAddress else { return }
                while frameCount - earlierCount < limit, start + source.size <= samples.count {
                    source.make(base + start, scratch: windowed) { frames.append($0) }
                    start += source.hop
                }
            }
        }
        // The hop is at most as long as a frame.
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
