import Foundation
import LeapBase
import LeapSDK
import LeapVision

/// A picture that goes with the next message of a chat.
struct AttachedImage: AttachedFile {
    let name: String
    let content: ChatMessageContent
    /// The decoded picture; nil for one at an address.
    let image: RGBImage?

    /// Reads a picture as `/image` names it: by a path as a terminal writes it where a file is dropped, or an https
    /// address.
    ///
    /// - Throws: `CommandError` that names the file.
    init(_ argument: String) throws {
        let path = DroppedPath.of(argument)
        name = path
        content = try ImageArgument.read(path, name: "/image")
        guard !content.isAddress, let data = content.picture else {
            image = nil
            return
        }
        do {
            image = try RGBImage(file: [UInt8](data))
        } catch {
            throw CommandError("/image \(path): \(error)")
        }
    }

    /// A picture that was sent before.
    init(name: String, content: ChatMessageContent) {
        self.name = name
        self.content = content
        image = content.isAddress ? nil : content.picture.flatMap { try? RGBImage(file: [UInt8]($0)) }
    }

    var line: String {
        guard let image, let data = content.picture else { return "\(name) (fetched with the message)" }
        return "\(name) (\(image.width) × \(image.height), \(data.count) bytes)"
    }
}
