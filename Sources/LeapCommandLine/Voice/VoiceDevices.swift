import Foundation
import LeapAudio
import LeapBase
import LeapUi

/// The devices with which `leap voice` listens and speaks: this machine's, or files in their place.
enum VoiceDevices {
    /// Bytes of a file that are read.
    private static let maxBytes = 512 << 20

    /// - Parameter silence: milliseconds that end an utterance.
    static func recorder(
        _ path: String?, silence: Int, isPaused: @escaping @Sendable () -> Bool
    ) throws -> any VoiceAudioRecorder {
        guard let path else {
            #if canImport(Darwin)
                return AppleVoiceRecorder()
            #else
                return try ProgramVoiceRecorder()
            #endif
        }
        let file: WAVFile
        do {
            file = try AudioFile.read(try MediaBytes.read(path, name: "--input", maxBytes: maxBytes))
        } catch let error as AudioFileError {
            throw CommandError("--input \(path): \(error.message)")
        }
        if let note = file.note { Terminal.note("--input \(path): \(note)") }
        guard file.sampleCount > 0 else { throw CommandError("--input \(path): the file has no samples") }
        return FileVoiceRecorder(file, silence: silence, isPaused: isPaused)
    }

    static func player(_ path: String?) throws -> any VoiceAudioPlayer {
        if path != nil { return FileVoicePlayer() }
        #if canImport(Darwin)
            return AppleVoicePlayer()
        #else
            return try ProgramVoicePlayer()
        #endif
    }
}
