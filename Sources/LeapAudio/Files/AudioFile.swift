package import Foundation

/// Reads a sound of any format that is read here: WAV, FLAC, MP3, and Ogg with Vorbis, Opus or FLAC in it.
///
/// The format of a file follows from its first bytes: its name, or the format that a request names, may be wrong.
///
/// WAV and FLAC are decoded here. MP3, Vorbis and Opus are decoded by a library of the system (see
/// ``SystemAudioLibrary``).
package enum AudioFile {
    /// The formats that are read.
    package static let formats = "WAV, FLAC, MP3 and Ogg (Vorbis, Opus)"

    /// Reads a file: the header of a WAV file, and all of any other, whose samples are kept as those of a WAV file.
    ///
    /// Compressed sounds are mixed down to one channel and have 16,000 samples per second at most, which is all that
    /// models hear.
    ///
    /// - Throws: ``AudioFileError`` that says what was found and what to do.
    package static func read(
        _ data: Data, limits: AudioLimits = AudioLimits(), library: SystemAudioLibrary? = .shared
    ) throws(AudioFileError) -> WAVFile {
        do {
            return try decoded(data, limits, library)
        } catch {
            guard error.code == .damaged || error.code == .truncated, !error.message.contains(AudioFileFormat.advice)
            else {
                throw error
            }
            throw AudioFileError(error.code, "\(error.message): get the file again, or \(AudioFileFormat.advice)")
        }
    }

    private static func decoded(
        _ data: Data, _ limits: AudioLimits, _ library: SystemAudioLibrary?
    ) throws(AudioFileError) -> WAVFile {
        // Some programs put a tag in front of FLAC files, as it is usual for MP3.
        let untagged = ID3Tag.dropped(from: data)
        let format = AudioFileFormat(firstBytes: untagged.prefix(12))
        switch format == .flac ? format : AudioFileFormat(firstBytes: data.prefix(12)) {
        case .flac: return try flac([UInt8](untagged), limits)
        case .wav: return try WAVFile(data)
        case .mp3: return try compressed(data, "MP3", limits, library)
        case .ogg: return try compressed(data, "Ogg", limits, library)
        case let other?:
            throw AudioFileError(
                .unknownFormat, "the audio is \(other.rawValue); \(formats) are read: \(AudioFileFormat.advice)")
        case nil:
            throw AudioFileError(
                .unknownFormat,
                "the audio is not a WAV, FLAC, MP3 or Ogg (Vorbis, Opus) file (it has \(data.count) bytes\(beginning(of: data))): \(AudioFileFormat.advice)"
            )
        }
    }

    private static func beginning(of data: Data) -> String {
        let bytes = data.prefix(4).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count < 2 ? "0" + digits : digits
        }
        return bytes.isEmpty ? "" : " and begins with \(bytes.joined(separator: " "))"
    }

    private static func flac(_ bytes: [UInt8], _ limits: AudioLimits) throws(AudioFileError) -> WAVFile {
        var decoder = try FLACDecoder(bytes)
        let info = decoder.info
        var sound = try DecodedAudio("FLAC", sampleRate: info.sampleRate, channelCount: info.channelCount, limits)
        // Told before any work where the header says it.
        try sound.check(frames: info.sampleCount)
        let scale = Float(sign: .plus, exponent: info.bitsPerSample - 1, significand: 1)
        while let frame = try decoder.next() {
            try sound.append(
                frame[0].indices.map { index in
                    var sum: Float = 0
                    for channel in frame { sum += Float(channel[index]) / scale }
                    return frame.count == 1 ? sum : sum / Float(frame.count)
                })
        }
        return try sound.finish()
    }

    private static func compressed(
        _ data: Data, _ name: String, _ limits: AudioLimits, _ library: SystemAudioLibrary?
    ) throws(AudioFileError) -> WAVFile {
        guard let library else {
            throw AudioFileError(.needsLibrary, SystemAudioLibrary.absence(name))
        }
        return try library.read([UInt8](data), name, limits)
    }
}
