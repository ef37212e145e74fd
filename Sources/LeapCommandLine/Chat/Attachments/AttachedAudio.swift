import Foundation
import LeapAudio
import LeapSDK

/// A sound that goes with the next message of a chat.
struct AttachedAudio: AttachedFile {
    let name: String
    let content: ChatMessageContent

    /// Reads a sound file as `/audio` names it: by a path as a terminal writes it where a file is dropped.
    ///
    /// - Throws: `CommandError` that names the file.
    init(_ argument: String) throws {
        let path = DroppedPath.of(argument)
        name = path
        content = try AudioArgument.read(path, name: "/audio")
    }

    /// A sound that was sent before.
    init(name: String, content: ChatMessageContent) {
        self.name = name
        self.content = content
    }

    /// Name, length and size, in one line.
    var line: String {
        guard case .audio(let data) = content, let file = try? AudioFile.read(data), file.sampleRate > 0 else {
            return name
        }
        let tenths = (Double(file.sampleCount) / Double(file.sampleRate) * 10).rounded() / 10
        return "\(name) (\(tenths) s, \(data.count) bytes)"
    }
}
