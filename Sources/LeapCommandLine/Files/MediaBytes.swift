import Foundation
import LeapBase

/// The files of pictures and sounds that options name.
enum MediaBytes {
    /// Reads a file, or standard input for `-`.
    ///
    /// - Throws: `CommandError` that names what named the file.
    static func read(_ path: String, name: String, maxBytes: Int) throws -> Data {
        let handle: FileHandle
        if path == "-" {
            try StandardInput.take(for: name)
            handle = .standardInput
        } else {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
                let opened = FileHandle(forReadingAtPath: path)
            else {
                throw CommandError("\(name) \(ShownText.of(path, limit: 200)): there is no file that can be read")
            }
            handle = opened
        }
        let data = try handle.read(upToCount: maxBytes + 1) ?? Data()
        guard data.count <= maxBytes else {
            throw CommandError("\(name) \(path) has more than \(maxBytes) bytes: make it smaller first")
        }
        return data
    }
}
