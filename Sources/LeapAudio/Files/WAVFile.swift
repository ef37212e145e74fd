import Foundation

/// One channel of PCM samples in a WAV file (RIFF, "Multimedia Programming Interface and Data Specifications 1.0").
///
/// Opening one reads its header only; samples are decoded where they are asked for.
package struct WAVFile: Sendable {
    /// How the samples are written.
    package let format: WAVFormat
    /// Samples in the file; bytes of half a sample at the end are left out.
    package let sampleCount: Int
    private let data: Data

    /// Samples per second.
    package var sampleRate: Int { format.sampleRate }

    /// The rates a file may have, in samples per second.
    package static let sampleRates = 1...768_000

    /// Reads a WAV file's header.
    ///
    /// - Throws: ``AudioFileError`` that says what is wrong and what would be right.
    package init(_ data: Data) throws(AudioFileError) {
        let chunks = try WAVChunks(data)
        format = try WAVFormat(chunks.format)
        self.data = chunks.samples
        sampleCount = chunks.samples.count / format.bytesPerSample
    }

    /// Some of the samples, values in -1...1 as a rule.
    ///
    /// - Precondition: the range lies within the file.
    package func samples(_ range: Range<Int>) -> [Float] {
        precondition(range.lowerBound >= 0 && range.upperBound <= sampleCount, "samples of the file")
        let width = format.bytesPerSample
        let start = data.startIndex + range.lowerBound * width
        return format.decode(data[start..<start + range.count * width])
    }

    /// All samples.
    package var samples: [Float] { samples(0..<sampleCount) }

    /// A WAV file of 32-bit floats.
    package static func encode(_ samples: [Float], sampleRate: Int, channelCount: Int = 1) -> Data {
        let byteCount = UInt32(clamping: samples.count * 4)
        let channels = UInt16(clamping: max(1, channelCount))
        let rate = UInt32(clamping: max(1, sampleRate))
        var data = Data(capacity: 44 + samples.count * 4)
        func put<T: FixedWidthInteger>(_ value: T) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        data.append(contentsOf: "RIFF".utf8)
        put(UInt32(clamping: 36 + samples.count * 4))
        data.append(contentsOf: "WAVEfmt ".utf8)
        put(UInt32(16))
        put(WAVFormat.floatTag)
        put(channels)
        put(rate)
        put(UInt32(clamping: UInt64(rate) * UInt64(channels) * 4))
        put(channels.multipliedReportingOverflow(by: 4).partialValue)
        put(UInt16(32))
        data.append(contentsOf: "data".utf8)
        put(byteCount)
        for sample in samples { put(sample.bitPattern) }
        return data
    }
}

/// The two chunks of a WAV file that matter.
struct WAVChunks {
    var format: Data
    var samples: Data

    init(_ data: Data) throws(AudioFileError) {
        guard data.count >= 12, data.starts(with: "RIFF".utf8), data.dropFirst(8).starts(with: "WAVE".utf8) else {
            if let other = AudioFileFormat(firstBytes: data.prefix(12)), other != .wav {
                throw AudioFileError(
                    .unknownFormat, "the audio is \(other.rawValue), not a WAV file: \(AudioFileFormat.advice)")
            }
            throw AudioFileError(
                .unknownFormat,
                "the audio is not a WAV file (it has \(data.count) bytes and does not start with RIFF and WAVE): \(AudioFileFormat.advice)"
            )
        }
        var format: Data?
        var rest = data.dropFirst(12)
        while rest.count >= 8 {
            let name = rest.prefix(4)
            // A stream that was written before its length was known has 0 or 2³²-1 here; it goes to the end.
            let declared = Int(rest.dropFirst(4).prefix(4).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
            let body = rest.dropFirst(8)
            if name.elementsEqual("data".utf8) {
                guard let format else {
                    throw AudioFileError(.damaged, "the WAV file has its data before its format")
                }
                self.format = format
                samples = declared == 0 || declared == 0xFFFF_FFFF ? body : body.prefix(declared)
                if declared != 0xFFFF_FFFF, declared > body.count {
                    throw AudioFileError(
                        .truncated,
                        "the WAV file is cut off: its data chunk says \(declared) bytes, \(body.count) are there")
                }
                return
            }
            guard declared <= body.count else {
                throw AudioFileError(.truncated, "the WAV file is cut off in its header")
            }
            if name.elementsEqual("fmt ".utf8) { format = body.prefix(declared) }
            rest = body.dropFirst(declared + declared & 1)
        }
        throw AudioFileError(.damaged, "the WAV file has no data chunk")
    }
}
