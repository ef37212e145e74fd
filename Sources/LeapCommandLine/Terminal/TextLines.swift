/// The lines of files that a command reads as texts.
enum TextLines {
    /// The lines of a file, or of standard input for `-`; a line end at the end begins none.
    static func read(_ path: String) throws -> [String] {
        let text = path == "-" ? try StandardInput.readText() : try JSONFile.text(path)
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { String($0) }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
