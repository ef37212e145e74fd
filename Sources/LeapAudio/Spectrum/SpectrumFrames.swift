import Foundation
import LeapBase

/// The arithmetic that makes a frame of samples, for one form of spectra.
struct SpectrumFrames: Sendable {
    /// Samples per second.
    static let sampleRate = 16_000
    /// Samples from one frame to the next, where frames are spectra.
    fileprivate static let usualHop = 160
    fileprivate static let windowLength = 400
    /// Samples of a frame of ``SpectrumForm/magnitudes(bands:)``, and those that have to be there for it.
    fileprivate static let shortLength = 320
    fileprivate static let countedLength = 321

    /// Samples from one frame to the next.
    let hop: Int
    /// Zeros in front of the first sample of each part.
    let lead: Int
    /// The part of the sample before that is taken from each one; 0 for none.
    let emphasis: Float
    /// Samples of a frame, with those beside the window.
    let size: Int
    /// Values of a frame.
    let bandCount: Int

    private let form: SpectrumForm
    /// nil where frames are samples.
    private let bands: Bands?

    /// The arithmetic of spectra.
    private struct Bands: Sendable {
        let transform: RealTransform
        let filters: MelFilters
        /// In the middle of a frame.
        let window: [Float]
    }

    /// - Parameters:
    ///   - size: samples of the transform.
    ///   - window: samples of the window, Hann's.
    ///   - period: samples after which the window begins anew.
    ///   - length: samples of a frame; nil for those of the transform.
    private init(
        _ form: SpectrumForm, size: Int, window: Int = windowLength, period: Int, length: Int? = nil, lead: Int,
        emphasis: Float
    ) {
        (self.form, self.lead, self.emphasis) = (form, lead, emphasis)
        (hop, self.size, bandCount) = (Self.usualHop, length ?? size, form.bandCount)
        var scale = MelFilters.Scale.slaney
        if case .magnitudes = form { scale = .plain }
        bands = Bands(
            transform: RealTransform(size: size),
            filters: MelFilters(count: form.bandCount, size: size, sampleRate: Self.sampleRate, scale: scale),
            window: (0..<window).map { Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(period))) })
    }

    /// Frames of samples as they are.
    private init(samples count: Int) {
        form = .samples(count: count)
        (lead, emphasis, bands) = (0, 0, nil)
        (hop, size, bandCount) = (count, count, count)
    }

    private static let normalised = SpectrumFrames(
        .normalised, size: 512, period: windowLength - 1, lead: 256, emphasis: 0.97)
    /// LFM3-Audio's.
    private static let usual = makeScaled(.scaled(bands: 128))
    /// Gemma 4's.
    private static let usualMagnitudes = makeMagnitudes(.magnitudes(bands: 128))

    private static func makeScaled(_ form: SpectrumForm) -> SpectrumFrames {
        SpectrumFrames(form, size: windowLength, period: windowLength, lead: 0, emphasis: 0)
    }

    private static func makeMagnitudes(_ form: SpectrumForm) -> SpectrumFrames {
        SpectrumFrames(
            form, size: 512, window: shortLength, period: shortLength, length: shortLength, lead: shortLength / 2,
            emphasis: 0)
    }

    /// The frames of a form.
    static func of(_ form: SpectrumForm) -> SpectrumFrames {
        switch form {
        case .normalised: normalised
        case .scaled: form == usual.form ? usual : makeScaled(form)
        case .magnitudes: form == usualMagnitudes.form ? usualMagnitudes : makeMagnitudes(form)
        case .samples(let count): SpectrumFrames(samples: count)
        }
    }

    /// Floats of scratch memory that ``make(_:scratch:_:)`` takes.
    var scratchCount: Int { bands.map { 2 * $0.transform.size + $0.transform.size / 2 + 1 } ?? 1 }

    /// Calls a closure with the value of each band of a frame.
    ///
    /// - Parameters:
    ///   - samples: ``size`` of them.
    ///   - scratch: zeros, or what an earlier call left.
    func make(
        _ samples: UnsafePointer<Float>, scratch windowed: UnsafeMutablePointer<Float>, _ body: (Float) -> Void
    ) {
        guard let bands else {
            for index in 0..<size { body(samples[index]) }
            return
        }
        let powers = windowed + 2 * bands.transform.size
        let margin = (size - bands.window.count) / 2
        for index in bands.window.indices { windowed[margin + index] = samples[margin + index] * bands.window[index] }
        bands.transform.powers(of: windowed, powers, scratch: windowed + bands.transform.size)
        switch form {
        case .normalised: bands.filters.apply(to: powers) { _, value in body(logf(value + 0x1p-24)) }
        case .scaled: bands.filters.apply(to: powers) { _, value in body((max(log10f(value), -12) + 4) / 4) }
        case .magnitudes:
            for index in 0...bands.transform.size / 2 { powers[index] = powers[index].squareRoot() }
            bands.filters.apply(to: powers) { _, value in body(logf(value + 0.001)) }
        // They have no bands.
        case .samples: break
        }
    }
}

extension SpectrumForm {
    /// Frames that are made of a number of samples, which are a whole sound or a part of it.
    func frameCount(samples: Int) -> Int {
        switch self {
        // As many as have their middle among the samples.
        case .normalised: samples / SpectrumFrames.usualHop
        // The last one is filled up with zeros.
        case .scaled:
            max(0, samples - SpectrumFrames.windowLength + SpectrumFrames.usualHop - 1) / SpectrumFrames.usualHop + 1
        // Those that are there in full, but for a sound that is shorter than a frame.
        case .magnitudes: samples > 0 ? max(1, completeFrameCount(samples: samples)) : 0
        case .samples(let count): samples / count + (samples % count > 0 ? 1 : 0)
        }
    }

    /// Frames that can be made of the samples that are there while more may come.
    func completeFrameCount(samples: Int) -> Int {
        switch self {
        case .normalised: return samples / SpectrumFrames.usualHop
        case .scaled:
            return samples < SpectrumFrames.windowLength
                ? 0 : (samples - SpectrumFrames.windowLength) / SpectrumFrames.usualHop + 1
        case .magnitudes:
            let missing = SpectrumFrames.countedLength - SpectrumFrames.shortLength / 2
            return samples < missing ? 0 : (samples - missing) / SpectrumFrames.usualHop + 1
        case .samples(let count): return samples / count
        }
    }

    /// Samples of the parts that are computed apart; nil where a sound is computed as a whole.
    var samplesOfPart: Int? { secondsOfPart.map { $0 * SpectrumFrames.sampleRate } }
}
