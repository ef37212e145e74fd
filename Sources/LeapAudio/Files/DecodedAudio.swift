import Foundation

/// Collects the samples of a compressed sound, within limits, as those of a WAV file.
///
/// The rate is lowered while samples come, to that of the models, so that a long recording takes a third of the memory.
struct DecodedAudio {
    private static let sampleRate = MelSpectrum.sampleRate

    private let name: String
    private let rate: Int
    private let channelCount: Int
    private let limits: AudioLimits
    private var resampler: Resampler?
    private var data: Data
    private var decoded = 0
    private var kept = 0

    init(_ name: String, sampleRate: Int, channelCount: Int, _ limits: AudioLimits) throws(AudioFileError) {
        guard WAVFile.sampleRates.contains(sampleRate) else {
            throw AudioFileError(
                .unsupported,
                "the \(name) file has \(sampleRate) samples per second; 1 to \(WAVFile.sampleRates.upperBound) are read"
            )
        }
        guard (1...limits.maxChannels).contains(channelCount) else {
            throw AudioFileError(
                .unsupported, "the \(name) file has \(channelCount) channels; 1 to \(limits.maxChannels) are read")
        }
        self.name = name
        self.channelCount = channelCount
        self.limits = limits
        rate = sampleRate
        let isLowered = sampleRate > Self.sampleRate
        if isLowered { resampler = Resampler(from: sampleRate, to: Self.sampleRate) }
        // Without a length, which means to the end.
        data = WAVFile.header(sampleRate: isLowered ? Self.sampleRate : sampleRate, asInt16: false, byteCount: nil)
    }

    /// Compares a number of frames with the limits.
    ///
    /// - Throws: ``AudioFileError`` where it is too large.
    func check(frames: Int) throws(AudioFileError) {
        let maxFrames = limits.maxDecoded / channelCount
        let most = min(maxFrames, resampler == nil ? limits.maxSamples : maxFramesToLower)
        guard frames <= most else { throw tooLong(most) }
    }

    private var maxFramesToLower: Int {
        let (product, overflow) = limits.maxSamples.multipliedReportingOverflow(by: rate)
        return overflow ? .max : product / Self.sampleRate
    }

    private func tooLong(_ frames: Int) -> AudioFileError {
        AudioFileError(
            .tooLong,
            "the \(name) file has more than \(frames / rate) seconds of sound, the limit for \(channelCount) channels of \(rate) samples per second: split it into parts"
        )
    }

    /// Takes samples of one channel.
    mutating func append(_ samples: [Float]) throws(AudioFileError) {
        decoded += samples.count
        try check(frames: decoded)
        guard resampler != nil else { return put(samples) }
        var lowered: [Float] = []
        resampler?.append(samples, to: &lowered)
        put(lowered)
    }

    private mutating func put(_ samples: [Float]) {
        kept += samples.count
        samples.withUnsafeBytes { data.append(contentsOf: $0) }
    }

    /// The file; no samples come after this.
    mutating func finish() throws(AudioFileError) -> WAVFile {
        var rest: [Float] = []
        resampler?.finish(&rest)
        put(rest)
        guard kept > 0 else { throw AudioFileError(.empty, "the \(name) file has no samples") }
        return try WAVFile(data)
    }
}
