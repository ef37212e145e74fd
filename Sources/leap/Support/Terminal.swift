import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where output goes: results to standard output, everything else to standard error.
enum Terminal {
    static let inputIsTerminal = isatty(0) == 1
    static let outputIsTerminal = isatty(1) == 1
    static let errorIsTerminal = isatty(2) == 1

    /// Columns of the terminal that standard error is, or 80.
    static var errorWidth: Int {
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes a piece of a result at once, so that a stream is seen as it grows.
    static func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    /// Writes a line of a result.
    static func writeLine(_ text: String = "") {
        write(text + "\n")
    }

    /// Tells the person at the keyboard something that is no result.
    static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// Emphasis where the output is a terminal, plain text elsewhere.
    static func dim(_ text: String) -> String { outputIsTerminal ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    /// Emphasis where the output is a terminal, plain text elsewhere.
    static func bold(_ text: String) -> String { outputIsTerminal ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
}
