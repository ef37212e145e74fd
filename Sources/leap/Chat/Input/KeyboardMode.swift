import Foundation
import LeapBase

/// How the terminal hands over what is typed; what it was before is restored when the program ends.
enum KeyboardMode {
    /// A line is edited: every key comes at once and none is shown or acted upon by the system.
    case editing
    /// A reply is being written: keys wait without being shown, and Ctrl-C is a signal.
    case waiting

    private static let original = Locked<termios?>(nil)

    /// Sets the mode of standard input.
    ///
    /// - Returns: whether that worked; it does not where standard input is no terminal.
    @discardableResult
    static func set(_ mode: KeyboardMode) -> Bool {
        var settings = termios()
        let saved = original.withLock { saved -> termios? in
            if let saved { return saved }
            var current = termios()
            guard tcgetattr(0, &current) == 0 else { return nil }
            saved = current
            return current
        }
        guard let saved else { return false }
        settings = saved
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
        if mode == .editing { settings.c_lflag &= ~tcflag_t(ISIG) }
        withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        // Output goes on being translated, so that line feeds of other threads' messages begin a line.
        return tcsetattr(0, TCSADRAIN, &settings) == 0
    }

    /// Gives the terminal back as it was found.
    static func restore() {
        guard var saved = original.withLock({ $0 }) else { return }
        tcsetattr(0, TCSANOW, &saved)
    }
}
