import LeapBase

/// Reads the small text files in which Linux tells about processes and processors.
package enum SystemFile {
    private static let maxByteCount = 4 << 20

    /// The text of a file, or nil if it cannot be read.
    package static func text(_ path: String) -> String? {
        guard let bytes = try? FileSystem.read(path, limit: maxByteCount) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The value of a line such as `Rss:   123 kB`, in bytes.
    package static func kilobytes(_ name: String, in text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            return words.count > 1 ? Int(words[1]).map { $0 * 1024 } : nil
        }
        return nil
    }
}
