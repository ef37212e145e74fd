import Foundation
import LeapBase

/// The arithmetic that makes a frame of samples, for one form of spectra.
struct SpectrumFrames: Sendable {
    /// Samples from one frame to the next.
    static let hop = 160
    /// Samples per second.
    static let sampleRate = 16_000
    fileprivate static let windowLength = 400

    /// Zeros in front of the first sample.
    let lead: Int
    /// The part of the sample before that is taken from each one; 0 for none.
    let emphasis: Float
    /// Samples of a frame, with those beside the window.
    var size: Int { transform.size }

    private let form: SpectrumForm
    private let transform: RealTransform
    private let filters: MelFilters
    /// In the middle of the transform.
    private let window: [Float]

    /// Bands of a frame.
    var bandCount: Int { filters.count }

    /// - Parameters:
    ///   - size: samples of the transform.
    ///   - period: samples after which the window, Hann's, begins anew.
    private init(_ form: SpectrumForm, size: Int, period: Int, lead: Int, emphasis: Float) {
        self.form = form
        self.lead = lead
        self.emphasis = emphasis
        transform = RealTransform(size: size)
        filters = MelFilters(count: form.bandCount, size: size, sampleRate: Self.sampleRate)
        window = (0..<Self.windowLength).map { Float(0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(period))) }
    }

    private static let normalised = SpectrumFrames(
        .normalised, size: 512, period: windowLength - 1, lead: 256, emphasis: 0.97)
    /// LFM3-Audio's.
    private static let usual = makeScaled(.scaled(bands: 128))

    private static func makeScaled(_ form: SpectrumForm) -> SpectrumFrames {
        SpectrumFrames(form, size: windowLength, period: windowLength, lead: 0, emphasis: 0)
    }

    /// The frames of a form.
    static func of(_ form: SpectrumForm) -> SpectrumFrames {
        switch form {
        case .normalised: normalised
        case .scaled: form == usual.form ? usual : makeScaled(form)
        }
    }

    /// Floats of scratch memory that ``make(_:scratch:_:)`` takes.
    var scratchCount: Int { 2 * size + size / 2 + 1 }

    /// Calls a closure with the value of each band of a frame.
    ///
    /// - Parameters:
    ///   - samples: ``size`` of them.
    ///   - scratch: zeros, or what an earlier call left.
    func make(
        _ samples: UnsafePointer<Float>, scratch windowed: UnsafeMutablePointer<Float>, _ body: (Float) -> Void
    ) {
        let powers = windowed + 2 * size
        let margin = (size - window.count) / 2
        for index in window.indices { windowed[margin + index] = samples[margin + index] * window[index] }
        transform.powers(of: windowed, powers, scratch: windowed + size)
        switch form {
        case .normalised: filters.apply(to: powers) { _, value in body(logf(value + 0x1p-24)) }
        case .scaled: filters.apply(to: powers) { _, value in body((max(log10f(value), -12) + 4) / 4) }
        }
    }
}

extension SpectrumForm {
    /// Frames that are made of a number of samples.
    func frameCount(samples: Int) -> Int {
        switch self {
        // As many as have their middle among the samples.
        case .normalised: samples / SpectrumFrames.hop
        // The last one is filled up with zeros.
        case .scaled:
            max(0, samples - SpectrumFrames.windowLength + SpectrumFrames.hop - 1) / SpectrumFrames.hop + 1
        }
    }

    /// Frames that can be made of the samples that are there while more may come.
    func completeFrameCount(samples: Int) -> Int {
        switch self {
        case .normalised: samples / SpectrumFrames.hop
        case .scaled:
            samples < SpectrumFrames.windowLength
                ? 0 : (samples - SpectrumFrames.windowLength) / SpectrumFrames.hop + 1
        }
    }
}
