import Foundation
import LeapBase
import LeapTransfers

/// A text file that goes with the next message of a chat.
struct AttachedText: AttachedFile {
    /// Bytes of a file that are read.
    private static let maxBytes = 4 << 20

    let name: String
    let text: String

    /// Reads a text file as `/file` names it: by a path as a terminal writes it where a file is dropped.
    ///
    /// - Throws: `CommandError` that names the file.
    init(_ argument: String) throws {
        let path = DroppedPath.of(argument)
        guard path != "-" else { throw CommandError("/file -: standard input is the chat itself; name a file") }
        let bytes = [UInt8](try MediaBytes.read(path, name: "/file", maxBytes: Self.maxBytes))
        let shown = ShownText.of(path, limit: 200)
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw CommandError(
                "/file \(shown): it is not UTF-8 text; /image, /audio and /video attach pictures, sounds and videos, convert other files first"
            )
        }
        guard text.contains(where: { !$0.isWhitespace }) else { throw CommandError("/file \(shown): it is empty") }
        name = (path as NSString).lastPathComponent
        self.text = text.trimmingCharacters(in: .newlines)
    }

    var line: String {
        let lines = text.reduce(1) { $0 + ($1.isNewline ? 1 : 0) }
        return "\(name) (\(lines) \(lines == 1 ? "line" : "lines"), \(ByteText.of(Int64(text.utf8.count))))"
    }

    /// A message with texts behind it; of several each has its file's name before it.
    static func joined(_ message: String, _ texts: [AttachedText]) -> String {
        let parts = texts.map { texts.count == 1 ? $0.text : "\($0.name):\n\n\($0.text)" }
        return ([message] + parts).joined(separator: "\n\n")
    }
}
