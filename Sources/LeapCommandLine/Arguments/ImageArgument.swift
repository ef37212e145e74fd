import Foundation
import LeapBase
import LeapChat
import LeapSDK
import LeapVision

/// A picture that an option names.
enum ImageArgument {
    /// Bytes of a file that are read.
    private static let maxBytes = 64 << 20

    /// Reads a file, a `data:` address, or standard input for `-`; an https address is fetched when a reply begins.
    ///
    /// - Parameter name: what names the picture: an option or a command.
    static func read(_ path: String, name: String = "--image") throws -> ChatMessageContent {
        if path.lowercased().hasPrefix("https://") { return .image(url: path) }
        let shown = ShownText.of(path, limit: 200)
        let content: ChatMessageContent
        if path.lowercased().hasPrefix("data:") {
            content = .image(url: path)
            guard !content.isAddress else {
                throw CommandError("\(name) \(shown): the data: address does not hold a picture in Base64")
            }
        } else {
            content = .image(try MediaBytes.read(path, name: name, maxBytes: maxBytes))
        }
        let data = content.picture ?? Data()
        do {
            try content.validate()
            // Now, as the model's error would not name the file.
            _ = try RGBImage(file: [UInt8](data))
        } catch let error as ImageFileError {
            throw CommandError("\(name) \(shown): \(error.message)")
        } catch {
            throw CommandError("\(name) \(shown): \(error.sentence)")
        }
        return content
    }
}
