import Foundation
import LeapAudio
import LeapBase

/// The lengths of sounds: from the header of a WAV file, and from the samples of a compressed file once it is decoded.
///
/// Messages are checked in every turn, and the history with them, so what was decoded once is remembered: lengths of
/// the latest files, by what is in them.
enum AudioLengths {
    struct Length: Sendable {
        let sampleCount: Int
        let sampleRate: Int
        /// A note on the file for the log; nil where there is nothing to say.
        let note: String?

        init(_ sound: WAVFile) {
            (sampleCount, sampleRate, note) = (sound.sampleCount, sound.sampleRate, sound.note)
        }
    }

    private static let known = Locked(LatestValues<[UInt8], Length>(maxBytes: 1 << 16) { _ in 64 })

    /// The length of a file.
    ///
    /// - Throws: ``AudioFileError`` where it cannot be read.
    static func of(_ file: MediaFile) throws(AudioFileError) -> Length {
        if WAVFile.isWAV(file.data) { return Length(try AudioFile.read(file.data)) }
        if let length = known.withLock({ $0.use(file.digest) }) { return length }
        let length = Length(try AudioFile.read(file.data))
        known.withLock { $0.keep(length, for: file.digest) }
        return length
    }

    /// Checks that a file can be read.
    ///
    /// - Throws: ``AudioFileError`` where it cannot.
    static func check(_ data: Data) throws(AudioFileError) {
        // Nothing is known of a WAV file by its digest.
        if WAVFile.isWAV(data) { _ = try AudioFile.read(data) } else { _ = try of(MediaFile(data)) }
    }
}
