import Foundation
import LeapBase

/// The mode in which the terminal hands over keys; the mode from before is restored when the program ends.
enum KeyboardMode {
    /// A line is edited: every key comes at once and none is shown or acted upon by the system.
    case editing
    /// A reply is being written: keys wait without being shown, and Ctrl-C is a signal.
    case waiting

    /// The mode of standard input from before, and a flag for the program's end.
    private struct State {
        var original: termios?
        var isEnding = false

        func restore() {
            guard var original else { return }
            tcsetattr(0, TCSANOW, &original)
        }
    }

    private static let state = Locked(State())

    /// Sets the mode of standard input.
    ///
    /// - Returns: whether that worked; it does not where standard input is no terminal.
    @discardableResult
    static func set(_ mode: KeyboardMode) -> Bool {
        // The lock is held while the terminal is set: a signal that ends the program on another thread must have the
        // last word.
        state.withLock { state in
            guard !state.isEnding else { return false }
            if state.original == nil {
                var current = termios()
                guard tcgetattr(0, &current) == 0 else { return false }
                state.original = current
            }
            guard var settings = state.original else { return false }
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
            settings.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
            if mode == .editing { settings.c_lflag &= ~tcflag_t(ISIG) }
            // What was typed ahead stays where Ctrl-C stops an answer.
            settings.c_lflag |= tcflag_t(NOFLSH)
            withUnsafeMutableBytes(of: &settings.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
            }
            // Output goes on being translated, so that line feeds of other threads' messages begin a line. Nothing is
            // waited for: what is set concerns input alone, and a terminal whose output is stopped would hold the lock.
            return tcsetattr(0, TCSANOW, &settings) == 0
        }
    }

    /// Gives the terminal back as it was found.
    static func restore() {
        state.withLock { $0.restore() }
    }

    /// Gives the terminal back as it was found, for good: the program ends, and no other thread sets a mode after it.
    static func end() {
        state.withLock { state in
            state.isEnding = true
            state.restore()
        }
    }
}
