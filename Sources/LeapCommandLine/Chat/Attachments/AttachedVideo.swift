import LeapBase
import LeapChat
import LeapSDK

/// A video that goes with the next message of a chat.
struct AttachedVideo: AttachedFile {
    let name: String
    let content: ChatMessageContent

    /// Reads a folder of pictures or a video file as `/video` names it.
    ///
    /// - Throws: `CommandError` that names the folder or the file.
    init(_ argument: String) throws {
        let path = DroppedPath.of(argument)
        name = path
        content = try VideoArgument.read(path, name: "/video")
    }

    /// A video that was sent before.
    init(name: String, content: ChatMessageContent) {
        self.name = name
        self.content = content
    }

    /// Name, frames and length, in one line.
    var line: String {
        guard case .video(let video) = content, let last = video.frames.last else { return name }
        let tenths = (last.time * 10).rounded() / 10
        return "\(name) (\(video.frames.count) \(video.frames.count == 1 ? "frame" : "frames"), \(tenths) s)"
    }
}
