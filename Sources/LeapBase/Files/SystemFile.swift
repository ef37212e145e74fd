/// Reads the small text files in which Linux tells about processes, processors and memory.
package enum SystemFile {
    private static let maxByteCount = 4 << 20

    /// The text of a file, or nil if it cannot be read.
    package static func text(_ path: String) -> String? {
        guard let bytes = try? FileSystem.read(path, limit: maxByteCount) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The first line of a file without the blanks at its end, or nil if it cannot be read or is empty.
    package static func line(_ path: String) -> Substring? {
        var line = text(path)?.split(separator: "\n", maxSplits: 1).first
        while line?.last?.isWhitespace == true { line?.removeLast() }
        return line?.isEmpty == false ? line : nil
    }

    /// The value of a line such as `Rss:   123 kB`, in bytes.
    package static func kilobytes(_ name: String, in text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count > 1, let count = Int(words[1]) else { return nil }
            let (bytes, overflow) = count.multipliedReportingOverflow(by: 1024)
            return overflow ? nil : bytes
        }
        return nil
    }
}
