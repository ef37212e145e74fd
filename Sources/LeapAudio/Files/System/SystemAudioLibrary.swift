import LeapBase

/// The libsndfile of the system; see ``SystemLibrary``.
///
/// MP3, Vorbis and Opus are decoded by it rather than here. Each of them is a decoder of many thousand lines, which
/// libsndfile and the libraries under it have had, with fuzzing by OSS-Fuzz and the mending of what that finds, for
/// years; systems update them without a release of ours. Programs that use none of these formats, and apps for phones,
/// carry no code for them. FLAC is decoded here, as it is small, exactly specified (RFC 9639), and checked by its own
/// checksums.
///
/// Everything unsafe about the library is here: the signatures are those of its documented interface (`sndfile.h`), it
/// reads the bytes of an array through functions that stay within them, and writes into an array with its count.
package struct SystemAudioLibrary: Sendable {
    private typealias OpenVirtual =
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
        ) -> OpaquePointer?
    private typealias ReadFrames = @convention(c) (OpaquePointer?, UnsafeMutablePointer<Float>?, Int64) -> Int64
    private typealias Close = @convention(c) (OpaquePointer?) -> CInt
    private typealias ErrorText = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
    private typealias VersionText = @convention(c) () -> UnsafePointer<CChar>?

    /// nil where the system has none.
    package static let shared = SystemAudioLibrary(names: [
        "libsndfile.so.1", "libsndfile.so", "libsndfile.1.dylib", "/opt/homebrew/lib/libsndfile.1.dylib",
    ])

    private let openVirtual: OpenVirtual
    private let readFrames: ReadFrames
    private let close: Close
    private let errorText: ErrorText
    /// Its name with its version, as it says them.
    package let version: String

    package init?(names: [String]) {
        let symbols = ["sf_open_virtual", "sf_readf_float", "sf_close", "sf_strerror", "sf_version_string"]
        guard let (name, functions) = SystemLibrary.functions(symbols, in: names) else { return nil }
        openVirtual = unsafeBitCast(functions[0], to: OpenVirtual.self)
        readFrames = unsafeBitCast(functions[1], to: ReadFrames.self)
        close = unsafeBitCast(functions[2], to: Close.self)
        errorText = unsafeBitCast(functions[3], to: ErrorText.self)
        version = unsafeBitCast(functions[4], to: VersionText.self)().map { String(cString: $0) } ?? name
    }

    /// Returns the message, with advice, where the system has no such library.
    static func absence(_ format: String) -> String {
        "the audio is \(format), but the system has no libsndfile to read it: install it (libsndfile1 on Debian and Ubuntu, libsndfile on Fedora, Arch, Alpine and in Homebrew), or pass WAV or FLAC, which do not need it"
    }

    // MARK: The file as the library reads it

    /// The bytes of a file, and the place of the next one that is read.
    private struct Bytes {
        let base: UnsafeRawPointer?
        let count: Int
        var position = 0
    }

    private static func bytes(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Bytes>? {
        context?.assumingMemoryBound(to: Bytes.self)
    }

    private static let length: @convention(c) (UnsafeMutableRawPointer?) -> Int64 = { context in
        Int64(bytes(context)?.pointee.count ?? 0)
    }

    private static let seek: @convention(c) (Int64, CInt, UnsafeMutableRawPointer?) -> Int64 = {
        offset, origin, context in
        guard let bytes = bytes(context) else { return -1 }
        let start =
            switch origin {
            case SEEK_CUR: bytes.pointee.position
            case SEEK_END: bytes.pointee.count
            default: 0
            }
        let (place, overflow) = Int64(start).addingReportingOverflow(offset)
        guard !overflow, (0...Int64(bytes.pointee.count)).contains(place) else { return -1 }
        bytes.pointee.position = Int(place)
        return place
    }

    private static let read: @convention(c) (UnsafeMutableRawPointer?, Int64, UnsafeMutableRawPointer?) -> Int64 = {
        target, count, context in
        guard let target, count > 0, let bytes = bytes(context), let base = bytes.pointee.base else { return 0 }
        let length = min(Int(clamping: count), bytes.pointee.count - bytes.pointee.position)
        target.copyMemory(from: base + bytes.pointee.position, byteCount: length)
        bytes.pointee.position += length
        return Int64(length)
    }

    private static let write: @convention(c) (UnsafeRawPointer?, Int64, UnsafeMutableRawPointer?) -> Int64 = {
        _, _, _ in 0
    }

    private static let tell: @convention(c) (UnsafeMutableRawPointer?) -> Int64 = { context in
        Int64(bytes(context)?.pointee.position ?? 0)
    }

    /// The five functions by which the library reads a file (`SF_VIRTUAL_IO`).
    private static var functions: [UnsafeRawPointer] {
        [
            unsafeBitCast(length, to: UnsafeRawPointer.self), unsafeBitCast(seek, to: UnsafeRawPointer.self),
            unsafeBitCast(read, to: UnsafeRawPointer.self), unsafeBitCast(write, to: UnsafeRawPointer.self),
            unsafeBitCast(tell, to: UnsafeRawPointer.self),
        ]
    }

    /// The library's description of a file (`SF_INFO`): the number of frames in 64 bits, then five numbers of 32 bits.
    ///
    /// The place that it writes them to is larger than that.
    private struct Info {
        static let words = 8
        private static let containers: [CInt: String] = [0x20_0000: "Ogg", 0x23_0000: "MP3"]

        let sampleRate: Int
        let channelCount: Int
        /// The name of the container; nil for one that was not asked for.
        let container: String?

        init(_ words: [Int64]) {
            let numbers = words.withUnsafeBytes { words in
                (0..<3).map { words.loadUnaligned(fromByteOffset: 8 + 4 * $0, as: CInt.self) }
            }
            (sampleRate, channelCount) = (Int(numbers[0]), Int(numbers[1]))
            container = Self.containers[numbers[2] & 0x0FFF_0000]
        }
    }

    // MARK: Reading

    /// `SFM_READ`.
    private static let readMode: CInt = 0x10
    /// Samples of all channels that are decoded at a time.
    private static let blockLength = 1 << 16

    /// Reads a file.
    ///
    /// - Parameter format: what its first bytes say it is.
    func read(_ file: [UInt8], _ format: String, _ limits: AudioLimits) throws(AudioFileError) -> WAVFile {
        let result = file.withUnsafeBytes { file in
            var bytes = Bytes(base: file.baseAddress, count: file.count)
            return withUnsafeMutablePointer(to: &bytes) { bytes in
                Result { () throws(AudioFileError) in try read(bytes, format, limits) }
            }
        }
        return try result.get()
    }

    private func read(
        _ bytes: UnsafeMutablePointer<Bytes>, _ format: String, _ limits: AudioLimits
    ) throws(AudioFileError) -> WAVFile {
        var functions = Self.functions
        var words = [Int64](repeating: 0, count: Info.words)
        let opened = functions.withUnsafeMutableBytes { functions in
            words.withUnsafeMutableBytes { openVirtual(functions.baseAddress, Self.readMode, $0.baseAddress, bytes) }
        }
        guard let opened else { throw refused(format) }
        defer { _ = close(opened) }
        let info = Info(words)
        guard info.container != nil else {
            throw AudioFileError(
                .damaged, "the audio begins as \(format), but \(version) finds another format in it: convert it first")
        }
        var sound = try DecodedAudio(
            format, sampleRate: info.sampleRate, channelCount: info.channelCount, limits)
        let frames = max(1, Self.blockLength / info.channelCount)
        var samples = [Float](repeating: 0, count: frames * info.channelCount)
        while true {
            let count = samples.withUnsafeMutableBufferPointer {
                Int(clamping: readFrames(opened, $0.baseAddress, Int64(frames)))
            }
            guard count > 0 else { break }
            try sound.append(Self.mixed(samples, frames: min(count, frames), channelCount: info.channelCount))
        }
        return try sound.finish()
    }

    /// The means of the samples of frames.
    private static func mixed(_ samples: [Float], frames: Int, channelCount: Int) -> [Float] {
        (0..<frames).map { frame in
            var sum: Float = 0
            for channel in 0..<channelCount { sum += WAVFormat.usable(samples[frame * channelCount + channel]) }
            return channelCount == 1 ? sum : sum / Float(channelCount)
        }
    }

    private func refused(_ format: String) -> AudioFileError {
        let reason = errorText(nil).map { String(cString: $0) } ?? "no reason"
        return AudioFileError(
            .damaged,
            "the \(format) file is damaged, or of a kind that \(version) does not read (\(reason); MP3 needs version 1.1 or later): \(AudioFileFormat.advice)"
        )
    }
}
