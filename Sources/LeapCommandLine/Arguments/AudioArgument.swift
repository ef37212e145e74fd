import Foundation
import LeapAudio
import LeapBase
import LeapSDK

/// A sound that an option or an argument names.
enum AudioArgument {
    /// The extensions of file names that shells complete.
    static let extensions = ["wav", "flac", "mp3", "ogg", "oga", "opus"]
    /// Bytes of a file that are read.
    private static let maxBytes = 512 << 20

    /// Reads a sound file, or standard input for `-`.
    ///
    /// - Parameter name: what names the sound: an option or a command.
    static func read(_ path: String, name: String = "--audio") throws -> ChatMessageContent {
        let content = ChatMessageContent.audio(try MediaBytes.read(path, name: name, maxBytes: maxBytes))
        do {
            try content.validate()
        } catch {
            throw CommandError("\(name) \(path): \(error.sentence)")
        }
        if case .audio(let file) = content, let note = try? WAVFile(file).note {
            Terminal.note("\(name) \(path): \(note)")
        }
        return content
    }

    /// The part of a sound in which somebody speaks; nil where nobody does.
    static func spoken(_ sound: ChatMessageContent) -> ChatMessageContent? {
        guard case .audio(let data) = sound, let file = try? AudioFile.read(data) else { return sound }
        return SpeechExtent.find(in: file).map { .audio(file.part($0)) }
    }
}
