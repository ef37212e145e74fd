import Foundation

/// The chunks of a WAV file: the two that every file has, and the others in front of the samples by their names.
struct WAVChunks {
    let format: Data
    let samples: Data
    private(set) var others: [String: Data] = [:]
    /// Bytes that a file which is cut off says it has, and those that are there.
    let missing: (declared: UInt64, found: Int)?

    /// No file has more chunks for a reason.
    private static let maxOthers = 64
    /// From here on a length of the samples stands for one that was not known when the header was written.
    ///
    /// Programs that write to a pipe put in 2³²-1, 2³¹, 2³¹-1 or a little less (arecord, SoX and eSpeak round it down
    /// to whole blocks). A file that really is so long is cut off or read just the same.
    static let placeholders: UInt64 = 0x7F00_0000

    init(_ data: Data) throws(AudioFileError) {
        var length = SampleLength(data)
        guard data.count >= 12, length.isLong || data.starts(with: "RIFF".utf8),
            data.dropFirst(8).starts(with: "WAVE".utf8)
        else { throw Self.noWAV(data) }
        var format: Data?
        var rest = data.dropFirst(12)
        while let chunk = Chunk(rest) {
            if chunk.isData {
                guard let format else {
                    throw AudioFileError(.damaged, "the WAV file has its data before its format")
                }
                if chunk.declared == 0, let next = Chunk(chunk.body), next.canFollow {
                    // Without samples, as it says. Another chunk of samples may come.
                    rest = chunk.body
                    if next.isData || Self.hasData(in: rest) { continue }
                    (self.format, samples, missing) = (format, Data(), nil)
                    return
                }
                self.format = format
                let declared = length.declared(by: chunk)
                let isPlaceholder =
                    declared == 0 || declared >= Self.placeholders && declared > UInt64(chunk.body.count)
                samples = isPlaceholder ? chunk.body : chunk.body.prefix(Int(clamping: declared))
                missing =
                    isPlaceholder || declared <= UInt64(chunk.body.count)
                    ? nil : (declared: declared, found: chunk.body.count)
                return
            }
            guard chunk.isWhole else {
                throw AudioFileError(.truncated, "the WAV file is cut off in its header")
            }
            let body = chunk.body.prefix(chunk.declared)
            if chunk.name.elementsEqual("fmt ".utf8) {
                format = body
            } else if !length.take(chunk), others.count < Self.maxOthers {
                others[String(decoding: chunk.name, as: UTF8.self)] = body
            }
            rest = chunk.next
        }
        throw AudioFileError(.damaged, "the WAV file has no data chunk")
    }

    /// Returns whether one of the whole chunks is of samples.
    private static func hasData(in data: Data) -> Bool {
        var rest = data
        while let chunk = Chunk(rest) {
            if chunk.isData { return true }
            guard chunk.isWhole else { return false }
            rest = chunk.next
        }
        return false
    }

    private static func noWAV(_ data: Data) -> AudioFileError {
        if let other = AudioFileFormat(firstBytes: data.prefix(12)), other != .wav {
            return AudioFileError(
                .unknownFormat, "the audio is \(other.rawValue), not a WAV file: \(AudioFileFormat.advice)")
        }
        return AudioFileError(
            .unknownFormat,
            "the audio is not a WAV file (it has \(data.count) bytes and does not start with RIFF and WAVE): \(AudioFileFormat.advice)"
        )
    }

    /// The length of the samples, which RF64 and BW64 files have in a chunk of its own.
    struct SampleLength: Sendable {
        /// True for files of these kinds.
        let isLong: Bool
        private var long: UInt64?

        /// - Parameter file: the first bytes of a file.
        init(_ file: Data) { isLong = file.starts(with: "RF64".utf8) || file.starts(with: "BW64".utf8) }

        /// Reads a whole chunk; false if it is another one.
        mutating func take(_ chunk: Chunk) -> Bool {
            guard isLong, chunk.name.elementsEqual("ds64".utf8), chunk.declared >= 16 else { return false }
            // Behind the length of the file.
            long = chunk.body.dropFirst(8).prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            return true
        }

        /// The bytes of the chunk of samples; the largest number for a length that is not known.
        func declared(by chunk: Chunk) -> UInt64 {
            isLong && chunk.declared == 0xFFFF_FFFF ? long ?? .max : UInt64(chunk.declared)
        }
    }

    /// A name, a length, and what follows them.
    struct Chunk {
        let name: Data
        let declared: Int
        /// Everything after the length, to the end of the file.
        let body: Data

        init?(_ data: Data) {
            guard data.count >= 8 else { return nil }
            name = data.prefix(4)
            declared = Int(data.dropFirst(4).prefix(4).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
            body = data.dropFirst(8)
        }

        var isData: Bool { name.elementsEqual("data".utf8) }
        var isWhole: Bool { declared <= body.count }
        /// The data after the chunk; its body is filled up to an even number of bytes.
        var next: Data { body.dropFirst(declared + declared & 1) }

        /// True if this is a chunk rather than samples after a length that was not known: its name is made of letters,
        /// digits and spaces, and it fits into the file or is one of those that other programs put after samples.
        var canFollow: Bool {
            let isName = name.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x20
            }
            let usual = ["LIST", "data", "fact", "cue ", "smpl", "bext", "id3 ", "ID3 ", "PEAK", "JUNK", "iXML"]
            return isName && (isWhole || usual.contains(String(decoding: name, as: UTF8.self)))
        }
    }
}
