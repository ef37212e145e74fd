import Foundation
import LeapSDK

/// A picture that an option names.
enum ImageArgument {
    /// Bytes of a file that are read.
    private static let maxBytes = 64 << 20

    /// Reads a file, or standard input for `-`; an https address is fetched when a reply begins.
    ///
    /// - Parameter name: what names the picture: an option or a command.
    static func read(_ path: String, name: String = "--image") throws -> ChatMessageContent {
        if path.lowercased().hasPrefix("https://") { return .image(url: path) }
        let data = try MediaBytes.read(path, name: name, maxBytes: maxBytes)
        let content = ChatMessageContent.image(data)
        do {
            try content.validate()
        } catch {
            throw CommandError("\(name) \(path): \(error.localizedDescription)")
        }
        return content
    }
}
