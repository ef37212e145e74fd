package import Foundation

/// The samples in a WAV file (RIFF, "Multimedia Programming Interface and Data Specifications 1.0"; RF64, EBU Tech
/// 3306), mixed down to one channel.
///
/// Opening one reads its header only; samples are decoded where they are asked for.
package struct WAVFile: Sendable {
    /// The format in which the samples are written.
    package let format: WAVFormat
    /// Samples of a channel in the file; bytes of a part of a sample at the end are left out.
    package let sampleCount: Int
    /// A note on what is odd about the file, and how it was read; nil for a file as it has to be.
    package let note: String?
    private let data: Data
    private let formatChunk: Data
    private let others: [String: Data]

    /// Samples per second.
    package var sampleRate: Int { format.sampleRate }

    /// The rates a file may have, in samples per second.
    package static let sampleRates = 1...768_000

    /// Returns whether a file begins as a WAV file does.
    package static func isWAV(_ data: Data) -> Bool { AudioFileFormat(firstBytes: data.prefix(12)) == .wav }

    /// Reads a WAV file's header.
    ///
    /// - Throws: ``AudioFileError`` that says what is wrong and what would be right.
    package init(_ data: Data) throws(AudioFileError) {
        let chunks = try WAVChunks(data)
        format = try WAVFormat(chunks.format)
        self.data = chunks.samples
        formatChunk = chunks.format
        others = chunks.others
        sampleCount = chunks.samples.count / format.bytesPerFrame
        note = chunks.missing.map {
            "the WAV file is cut off: its data chunk declares \($0.declared) bytes, but only the \($0.found) in the file are read"
        }
    }

    /// Some of the samples, values in -1...1 as a rule; of several channels their mean.
    ///
    /// - Precondition: the range lies within the file.
    package func samples(_ range: Range<Int>) -> [Float] {
        precondition(range.lowerBound >= 0 && range.upperBound <= sampleCount, "samples of the file")
        let width = format.bytesPerFrame
        let start = data.startIndex + range.lowerBound * width
        return format.decode(data[start..<start + range.count * width])
    }

    /// All samples.
    package var samples: [Float] { samples(0..<sampleCount) }

    /// A file of some of the samples, written as here, with all channels.
    ///
    /// - Precondition: the range lies within the file.
    package func part(_ range: Range<Int>) -> Data {
        precondition(range.lowerBound >= 0 && range.upperBound <= sampleCount, "samples of the file")
        let width = format.bytesPerFrame
        let start = data.startIndex + range.lowerBound * width
        let samples = data[start..<start + range.count * width]
        func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(clamping: value).littleEndian) { Array($0) } }
        var file = Data("RIFF".utf8) + number(20 + formatChunk.count + formatChunk.count & 1 + samples.count)
        file += Data("WAVEfmt ".utf8) + number(formatChunk.count) + formatChunk
        if formatChunk.count & 1 == 1 { file.append(0) }
        return file + Data("data".utf8) + number(samples.count) + samples
    }

    /// The bytes of a chunk in front of the samples that is neither of the two which every file has.
    package func chunk(_ name: String) -> Data? { others[name] }

    /// A WAV file of 32-bit floats, or of 16-bit integers, to which samples are rounded.
    ///
    /// - Parameter chunk: a chunk of one's own; programs that do not know its name, of four ASCII letters, leave it
    ///   alone.
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

    /// Returns the bytes in front of the samples.
    ///
    /// - Parameter byteCount: bytes of the samples; nil for a sound that is still being made, which readers take to the
    ///   end.
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
