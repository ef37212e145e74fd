/// Text on its way to a person's terminal or into a log: the one place where control sequences are taken out.
package enum PrintableOutput {
    /// The text with every control character but line feed and tab escaped, and with those that change the direction of
    /// what follows.
    ///
    /// Names, messages and answers come from servers, files and models; none of them may move the cursor, change the
    /// window's title, write to the clipboard, or show a text in another order than its bytes. A carriage return before
    /// a line feed is left out: it is how some systems end lines.
    package static func of(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isEscaped) else { return text }
        var result = ""
        var pending = text.unicodeScalars[...]
        while let scalar = pending.popFirst() {
            if scalar == "\r", pending.first == "\n" { continue }
            if isEscaped(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        // The controls of ASCII and of C1; marks, embeddings, overrides and isolates of direction; line and paragraph
        // separators.
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
