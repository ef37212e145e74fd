import Foundation

/// The look of a piece of text on a terminal (SGR of ECMA-48).
package struct TextStyle: OptionSet, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let bold = TextStyle(rawValue: 1)
    package static let dim = TextStyle(rawValue: 2)
    static let italic = TextStyle(rawValue: 4)
    static let underline = TextStyle(rawValue: 8)
    static let struck = TextStyle(rawValue: 16)
    /// Text of a program, in a colour that is legible on light and on dark.
    static let code = TextStyle(rawValue: 32)
    /// A string within a program's text.
    static let string = TextStyle(rawValue: 64)
    /// A number within a program's text.
    static let number = TextStyle(rawValue: 128)
    /// A word of the language that a program is written in.
    static let keyword = TextStyle.code

    /// True if styles are shown: the output is a terminal that understands them, and `NO_COLOR` (https://no-color.org)
    /// is not set.
    static let isShown = Terminal.outputIsTerminal && movesCursor && isWanted(ProcessInfo.processInfo.environment)

    /// True if the terminal, if there is one, understands control sequences.
    static let movesCursor = understandsSequences(ProcessInfo.processInfo.environment)

    static func isWanted(_ environment: [String: String]) -> Bool { (environment["NO_COLOR"] ?? "").isEmpty }

    static func understandsSequences(_ environment: [String: String]) -> Bool {
        !["", "dumb", "unknown"].contains(environment["TERM"] ?? "")
    }

    /// The text in this style where styles are shown, else as it is.
    func of(_ text: String) -> String {
        Self.isShown && !isEmpty && !text.isEmpty ? sequence + text + Self.reset : text
    }

    static let reset = "\u{1B}[0m"

    /// The control sequence that begins the style.
    var sequence: String {
        let codes = [
            (TextStyle.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.struck, "9"), (.code, "35"),
            (.string, "32"), (.number, "36"),
        ]
        let used = codes.filter { contains($0.0) }.map(\.1)
        return used.isEmpty ? "" : "\u{1B}[" + used.joined(separator: ";") + "m"
    }
}
