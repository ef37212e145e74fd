package import Foundation
import LeapHTTP
import LeapHashing

/// File and folder names from addresses, manifests and users, made safe on every file system we know.
package enum SafeFileName {
    /// The longest name, in bytes, with room for our suffixes under the usual limit of 255.
    static let longest = 200

    /// The local name for the file at `url`: its last path component, without query and fragment.
    ///
    /// - Throws: ``DownloadError/Code/unsafeFileName`` if that component is none, or would leave the folder once
    ///   decoded.
    package static func of(_ url: URL) throws -> String {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? url.path
        let last = path.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        guard let name = last.removingPercentEncoding else {
            throw DownloadError(.unsafeFileName, "\(url.shown): the file name is not valid UTF-8.", url: url)
        }
        return try checked(name, in: url.shown)
    }

    /// The name if it is one, mapped where a file system would take it for something else.
    ///
    /// - Throws: ``DownloadError/Code/unsafeFileName`` for names that hold separators or NUL, and for `.` and `..`.
    package static func checked(_ name: String, in place: String) throws -> String {
        guard !name.isEmpty else {
            throw DownloadError(.unsafeFileName, "\(place): no file name.", path: nil)
        }
        guard name != ".", name != ".." else {
            throw DownloadError(.unsafeFileName, "\(place): the file name \(name) is outside of the model's folder.")
        }
        if let bad = name.unicodeScalars.first(where: { $0 == "/" || $0 == "\\" || $0.value == 0 }) {
            let shown = bad.value == 0 ? "a NUL" : "“\(bad)”"
            throw DownloadError(
                .unsafeFileName, "\(place): the file name contains \(shown), which would leave the model's folder.")
        }
        return mapped(name)
    }

    /// A name that every file system takes: control characters, Windows' reserved characters and names, trailing dots
    /// and spaces and too long names are replaced.
    package static func mapped(_ name: String) -> String {
        var result = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { scalar in
                    isUnsafe(scalar) ? "_" : scalar
                }))
        while result.hasSuffix(".") || result.hasSuffix(" ") { result.removeLast() }
        if result.isEmpty { result = "_" }
        let stem = result.prefix { $0 != "." }.lowercased().trimmingCharacters(in: .whitespaces)
        // Ours, the system's, and hidden files.
        let isOurs = ["manifest.json", "manifest"].contains(result.lowercased()) || result.hasPrefix(".")
        if isOurs || reserved.contains(stem) { result = "_" + result }
        // By these endings files are known as unfinished.
        if endings.contains(where: { result.lowercased().hasSuffix($0) }) { result += "_" }
        guard result.utf8.count > longest else { return result }
        return shortened(result, marking: name)
    }

    /// The name with a mark that depends on `text`, for a second file that would have the same name.
    package static func distinct(_ name: String, for text: String) -> String {
        shortened(name, marking: text)
    }

    private static func shortened(_ name: String, marking text: String) -> String {
        let mark = Hexadecimal.text(of: SHA256.hash(text.utf8).prefix(6))
        var suffix = (name as NSString).pathExtension
        if suffix.utf8.count > 16 { suffix = "" }
        var stem = suffix.isEmpty ? name : String(name.dropLast(suffix.count + 1))
        while stem.utf8.count > longest - 32 { stem.removeLast() }
        return "\(stem)-\(mark)" + (suffix.isEmpty ? "" : ".\(suffix)")
    }

    private static let endings = [".partial", JournalFile.suffix, ".tmp"]

    /// Control characters (of both sets), what turns the direction of text, and what Windows reserves.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: "<>:\"|?*/\\".unicodeScalars.contains(scalar)
        }
    }

    private static let reserved: Set<String> = {
        var names: Set<String> = ["con", "prn", "aux", "nul", "conin$", "conout$"]
        for number in 1...9 { names.formUnion(["com\(number)", "lpt\(number)"]) }
        return names
    }()
}
