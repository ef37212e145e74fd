import LeapBase

/// The words of a command as a shell splits it, without a shell: blanks, quotes and backslashes mean what they mean
/// there, and nothing else means anything.
package enum CommandWords {
    /// The error of a text that is no command.
    package struct Failure: CodedError, Hashable {
        package let message: String
    }

    /// Splits a command.
    ///
    /// - Throws: ``Failure`` for quotes that do not end, a backslash at the end, and NUL.
    package static func split(_ text: String) throws(Failure) -> [String] {
        var words: [String] = []
        var word: String?
        var rest = text.unicodeScalars[...]
        func failure(_ reason: String) -> Failure { Failure(message: reason) }
        guard !rest.contains("\0") else { throw failure("it contains a NUL, which no argument can have") }
        while let scalar = rest.popFirst() {
            switch scalar {
            case " ", "\t", "\n", "\r":
                if let whole = word { words.append(whole) }
                word = nil
            case "'":
                guard let end = rest.firstIndex(of: "'") else { throw failure("a ' is not closed") }
                word = (word ?? "") + String(rest[..<end])
                rest = rest[rest.index(after: end)...]
            case "\"":
                word = (word ?? "") + (try quoted(&rest))
            case "\\":
                guard let next = rest.popFirst() else { throw failure("nothing follows a backslash") }
                // A line that goes on in the next one.
                if next != "\n" { word = (word ?? "") + String(next) }
            default: word = (word ?? "") + String(scalar)
            }
        }
        if let word { words.append(word) }
        return words
    }

    /// Reads a text up to the closing double quote; a backslash means something before a few characters alone.
    private static func quoted(_ rest: inout Substring.UnicodeScalarView) throws(Failure) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return String(text)
            case "\\":
                guard let next = rest.popFirst() else { break }
                if next == "\n" { continue }
                if !"\"\\$`".unicodeScalars.contains(next) { text.append(scalar) }
                text.append(next)
            default: text.append(scalar)
            }
        }
        throw Failure(message: "a \" is not closed")
    }
}
