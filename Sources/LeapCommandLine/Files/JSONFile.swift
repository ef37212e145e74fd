import Foundation
import LeapBase
import LeapSDK

/// Files that hold JSON or text, with errors that name them; - is standard input.
enum JSONFile {
    /// Bytes of a file that are read.
    private static let maxBytes = 1 << 30

    /// The text of a file.
    ///
    /// - Parameter name: the option that names the file, for errors about standard input.
    static func text(_ path: String, _ name: String = "a file") throws -> String {
        if path == "-" { return try StandardInput.readText(for: name) }
        let full = (path as NSString).expandingTildeInPath
        let bytes: [UInt8]?
        do {
            bytes = try FileSystem.read(full, limit: maxBytes)
        } catch {
            throw CommandError("cannot read \(path): \(error.reason)")
        }
        guard let bytes else { throw CommandError("cannot read \(path): there is no such file") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let offset = StandardInput.invalidUTF8Offset(in: bytes) ?? 0
            throw CommandError("\(path) is not UTF-8: the byte at offset \(offset) starts no valid character")
        }
        return text
    }

    /// The tools of a file, in OpenAI's shape.
    static func functions(_ path: String, _ name: String) throws -> [LeapFunction] {
        try read(path, name) { try LeapFunction.functions(fromJSON: $0) }
    }

    /// Reads a file's text and returns what a closure makes of it; errors name the file.
    static func read<T>(_ path: String, _ name: String = "a file", _ body: (String) throws -> T) throws -> T {
        let text = try text(path, name)
        do {
            return try body(text)
        } catch let error as LeapException {
            throw CommandError("\(path == "-" ? name : path): \(error.message)")
        }
    }
}
