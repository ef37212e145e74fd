package import Foundation

/// Decodes a sound whose bytes come piece by piece: a WAV file while it is being recorded, or raw samples.
///
/// Files of other formats are decoded when they are whole.
package struct SoundStream: Sendable {
    /// Bytes in front of the samples of a WAV file at most.
    private static let maxHeaderBytes = 1 << 20
    /// Bytes of a file of another format at most.
    private static let maxFileBytes = 512 << 20

    private enum State: Sendable {
        /// Too few bytes came to tell what it is.
        case beginning
        /// The samples of a WAV file have not begun; its format, if that came, the bytes of what was read, and what is
        /// known of the samples' length.
        case header(WAVFormat?, readCount: Int, WAVChunks.SampleLength)
        case samples(WAVFormat, left: UInt64)
        /// A file that is decoded at its end.
        case file
        case over
    }

    private let rawRate: Int?
    private var state = State.beginning
    /// Those that were not decoded.
    private var bytes = Data()
    /// Samples per second; nil as long as that is not known.
    package private(set) var sampleRate: Int?

    /// - Parameter rawRate: samples per second of raw samples, which are 16-bit integers of one channel with the low
    ///   byte first; nil for a file. A WAV file is read as such in either case.
    package init(rawRate: Int? = nil) {
        self.rawRate = rawRate
        sampleRate = rawRate
    }

    /// Takes bytes, and returns the samples that are complete.
    ///
    /// - Throws: ``AudioFileError``.
    package mutating func append(_ data: Data) throws(AudioFileError) -> [Float] {
        bytes += data
        if case .beginning = state {
            guard bytes.count >= 12 else { return [] }
            switch (AudioFileFormat(firstBytes: bytes.prefix(12)), rawRate) {
            case (.wav, _):
                state = .header(nil, readCount: 12, WAVChunks.SampleLength(bytes))
                bytes = Data(bytes.dropFirst(12))
            case (_, let rate?): state = .samples(WAVFormat(rawRate: rate), left: .max)
            case (_, nil): state = .file
            }
        }
        if case .header(let format, let readCount, let length) = state { try readHeader(format, readCount, length) }
        switch state {
        case .samples(let format, let left): return decode(format, left)
        case .file:
            guard bytes.count <= Self.maxFileBytes else {
                throw AudioFileError(
                    .unsupported, "the audio file has more than \(Self.maxFileBytes) bytes: \(AudioFileFormat.advice)")
            }
            return []
        case .beginning, .header: return []
        case .over:
            bytes = Data()
            return []
        }
    }

    /// Takes the end of the sound, and returns the samples that are left.
    ///
    /// - Throws: ``AudioFileError`` for a file that is cut off before its samples, or cannot be read.
    package mutating func finish() throws(AudioFileError) -> [Float] {
        defer { (state, bytes) = (.over, Data()) }
        switch state {
        case .samples, .over: return []
        case .beginning where bytes.isEmpty: return []
        case .beginning:
            guard let rawRate else { break }
            let format = WAVFormat(rawRate: rawRate)
            return format.decode(Data(bytes.prefix(bytes.count / format.bytesPerFrame * format.bytesPerFrame)))
        case .header: throw AudioFileError(.truncated, "the WAV file is cut off in its header")
        case .file: break
        }
        let file = try AudioFile.read(bytes)
        sampleRate = file.sampleRate
        return file.samples
    }

    /// Reads the chunks that are there, each once.
    ///
    /// - Parameters:
    ///   - known: the format, if it was among the chunks before.
    ///   - readCount: bytes of these.
    ///   - knownLength: what they say of the samples' length.
    private mutating func readHeader(
        _ known: WAVFormat?, _ readCount: Int, _ knownLength: WAVChunks.SampleLength
    ) throws(AudioFileError) {
        var (format, length, rest) = (known, knownLength, bytes)
        while let chunk = WAVChunks.Chunk(rest) {
            if chunk.isData {
                guard let format else {
                    throw AudioFileError(.damaged, "the WAV file has its data before its format")
                }
                let declared = length.declared(by: chunk)
                // A length in a chunk of its own is no placeholder.
                let isPlain = declared == UInt64(chunk.declared)
                let isUnknown = declared == 0 || isPlain && declared >= WAVChunks.placeholders
                bytes = Data(chunk.body)
                sampleRate = format.sampleRate
                state = .samples(format, left: isUnknown ? .max : declared)
                return
            }
            // With the byte that fills it up to an even number.
            guard chunk.declared + chunk.declared & 1 <= chunk.body.count else { break }
            if chunk.name.elementsEqual("fmt ".utf8) {
                format = try WAVFormat(chunk.body.prefix(chunk.declared))
            } else {
                _ = length.take(chunk)
            }
            rest = chunk.next
        }
        guard readCount + bytes.count <= Self.maxHeaderBytes else {
            throw AudioFileError(
                .damaged, "the WAV file has no samples in its first \(Self.maxHeaderBytes) bytes")
        }
        let count = bytes.count - rest.count
        if count > 0 { bytes = Data(rest) }
        state = .header(format, readCount: readCount + count, length)
    }

    private mutating func decode(_ format: WAVFormat, _ left: UInt64) -> [Float] {
        let count = Int(clamping: min(UInt64(bytes.count), left)) / format.bytesPerFrame * format.bytesPerFrame
        let samples = format.decode(Data(bytes.prefix(count)))
        bytes = Data(bytes.dropFirst(count))
        let rest = left == .max ? left : left - UInt64(count)
        state = rest < UInt64(format.bytesPerFrame) ? .over : .samples(format, left: rest)
        return samples
    }
}
