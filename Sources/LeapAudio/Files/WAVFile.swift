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
    private let others: [String: Data]

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
        others = chunks.others
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

    /// The bytes of a chunk in front of the samples that is neither of the two which every file has.
    package func chunk(_ name: String) -> Data? { others[name] }

    /// A WAV file of 32-bit floats, or of 16-bit integers, to which samples are rounded.
    ///
    /// - Parameter chunk: a chunk of one's own; programs that do not know its name, of four ASCII letters, leave it alone.
    package static func encode(
        _ samples: [Float], sampleRate: Int, channelCount: Int = 1, asInt16: Bool = false,
        chunk: (name: String, bytes: [UInt8])? = nil
    ) -> Data {
        let width = asInt16 ? 2 : 4
        var data = header(
            sampleRate: sampleRate, channelCount: channelCount, asInt16: asInt16, byteCount: samples.count * width,
            chunk: chunk)
        func put<T: FixedWidthInteger>(_ value: T) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        for sample in samples {
            if asInt16 { put(int16(sample)) } else { put(sample.bitPattern) }
        }
        return data
    }

    /// What stands in front of the samples.
    ///
    /// - Parameter byteCount: bytes of the samples; nil for a sound that is still being made, which readers take to the end.
    package static func header(
        sampleRate: Int, channelCount: Int = 1, asInt16: Bool, byteCount: Int?,
        chunk: (name: String, bytes: [UInt8])? = nil
    ) -> Data {
        let width = asInt16 ? 2 : 4
        let channels = UInt16(clamping: max(1, channelCount))
        let rate = UInt32(clamping: max(1, sampleRate))
        let extra = chunk.map { 8 + $0.bytes.count + $0.bytes.count & 1 } ?? 0
        var data = Data(capacity: 44 + extra + (byteCount ?? 0))
        func put<T: FixedWidthInteger>(_ value: T) {
            withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
        }
        data.append(contentsOf: "RIFF".utf8)
        put(byteCount.map { UInt32(clamping: 36 + extra + $0) } ?? .max)
        data.append(contentsOf: "WAVEfmt ".utf8)
        put(UInt32(16))
        put(asInt16 ? WAVFormat.integerTag : WAVFormat.floatTag)
        put(channels)
        put(rate)
        put(UInt32(clamping: UInt64(rate) * UInt64(channels) * UInt64(width)))
        put(channels.multipliedReportingOverflow(by: UInt16(width)).partialValue)
        put(UInt16(8 * width))
        if let chunk {
            data.append(contentsOf: chunk.name.utf8.prefix(4))
            put(UInt32(clamping: chunk.bytes.count))
            data.append(contentsOf: chunk.bytes)
            if chunk.bytes.count & 1 == 1 { data.append(0) }
        }
        data.append(contentsOf: "data".utf8)
        put(byteCount.map { UInt32(clamping: $0) } ?? .max)
        return data
    }

    /// A sample as a 16-bit integer; what is louder than 1 is cut off.
    package static func int16(_ sample: Float) -> Int16 {
        Int16(min(max(WAVFormat.usable(sample), -1), 1) * 32767)
    }
}

/// The chunks of a WAV file: the two that every file has, and the others in front of the samples by their names.
struct WAVChunks {
    var format: Data
    var samples: Data
    var others: [String: Data] = [:]
    /// No file has more chunks for a reason.
    private static let maxOthers = 64

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
            if name.elementsEqual("fmt ".utf8) {
                format = body.prefix(declared)
            } else if others.count < Self.maxOthers {
                others[String(decoding: name, as: UTF8.self)] = body.prefix(declared)
            }
            rest = body.dropFirst(declared + declared & 1)
        }
        throw AudioFileError(.damaged, "the WAV file has no data chunk")
    }
}
