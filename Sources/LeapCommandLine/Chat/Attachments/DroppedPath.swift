import Foundation

/// The path of a file as a terminal writes it where the file is dropped.
enum DroppedPath {
    /// The path without quotes, escapes and the short form of the home folder, unless there is a file of that very
    /// name.
    static func of(_ argument: String) -> String {
        if FileManager.default.fileExists(atPath: argument) { return argument }
        var path = argument
        for quote in ["'", "\""] where path.count >= 2 && path.hasPrefix(quote) && path.hasSuffix(quote) {
            return String(path.dropFirst().dropLast())
        }
        path = path.replacingOccurrences(of: "\\ ", with: " ")
        return path.hasPrefix("~/") ? NSHomeDirectory() + path.dropFirst() : path
    }
}
