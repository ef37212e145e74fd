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
        let handle: FileHandle
        if path == "-" {
            try StandardInput.take(for: name)
            handle = .standardInput
        } else {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
                let opened = FileHandle(forReadingAtPath: path)
            else { throw CommandError("\(name) \(path): there is no file that can be read") }
            handle = opened
        }
        let data = try handle.read(upToCount: maxBytes + 1) ?? Data()
        guard data.count <= maxBytes else {
            throw CommandError("\(name) \(path) has more than \(maxBytes) bytes: make it smaller first")
        }
        let content = ChatMessageContent.image(data)
        do {
            try content.validate()
        } catch {
            throw CommandError("\(name) \(path): \(error.localizedDescription)")
        }
        return content
    }
}
