import Foundation
import LeapBase

/// The look of text on a terminal (SGR of ECMA-48).
extension TextStyle {
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
