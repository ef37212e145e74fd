import Foundation
package import LeapBase

/// The program's output: results go to standard output, everything else to standard error.
package enum Terminal {
    static let inputIsTerminal = isatty(0) == 1
    package static let outputIsTerminal = isatty(1) == 1
    package static let errorIsTerminal = isatty(2) == 1

    /// Columns of the terminal that standard error is, or 80.
    static var errorWidth: Int { size(of: 2).columns }

    /// The columns and rows of the terminal that is open under a descriptor; 80 and 24 where it does not say.
    static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (80, 24) }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Writes a piece of a result at once, so that a stream is seen as it grows.
    ///
    /// To a pipe or a file as it is; to a terminal without control characters, in a style where it shows them.
    static func write(_ text: String, _ style: TextStyle = []) {
        OutputChannel.put(outputIsTerminal ? style.of(PrintableOutput.of(text)) : text, on: 1)
    }

    /// Writes a line of a result.
    package static func writeLine(_ text: String = "", _ style: TextStyle = []) {
        OutputChannel.put((outputIsTerminal ? style.of(PrintableOutput.of(text)) : text) + "\n", on: 1)
    }

    /// Writes a line that is meant for people wherever it goes, such as the name of a model.
    static func writeText(_ text: String) {
        OutputChannel.put(PrintableOutput.of(text) + "\n", on: 1)
    }

    /// Tells the person at the keyboard something that is no result; on a terminal, lines break between words.
    package static func note(_ text: String) {
        let text = PrintableOutput.of(text)
        OutputChannel.put((errorIsTerminal ? LineWrapper.wrapped(text, width: errorWidth) : text) + "\n", on: 2)
    }

    /// Writes a piece of a result whose control sequences are ours: what comes from outside must be printable already.
    static func writeStyled(_ text: String) {
        if !text.isEmpty { OutputChannel.put(text, on: 1) }
    }

    /// Draws on the terminal that standard error is: the text moves the cursor, so what comes from outside must be
    /// printable already.
    package static func draw(_ text: String) {
        OutputChannel.put(text, on: 2)
    }
}
