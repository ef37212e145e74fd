import LeapBase

/// Text on its way to a person's terminal.
enum PrintableOutput {
    /// Sequences of our own that may stay.
    private static let emphasis = ["\u{1B}[2m", "\u{1B}[1m", "\u{1B}[0m"]

    /// The text with every control character but line feed and tab escaped, and our own emphasis as it was.
    ///
    /// Names, messages and answers come from servers, files and models; none of them may move the cursor, change the window's title or
    /// write to the clipboard.
    static func of(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isEscaped) else { return text }
        var result = ""
        var rest = text[...]
        while let first = rest.unicodeScalars.first {
            if first.value == 0x1B, let sequence = emphasis.first(where: { rest.hasPrefix($0) }) {
                result += sequence
                rest.unicodeScalars.removeFirst(sequence.unicodeScalars.count)
                continue
            }
            rest.unicodeScalars.removeFirst()
            if isEscaped(first) {
                result += ShownText.of(String(first))
            } else {
                result.unicodeScalars.append(first)
            }
        }
        return result
    }

    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
