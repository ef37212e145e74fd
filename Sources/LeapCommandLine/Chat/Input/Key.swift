/// The action that one keystroke, or one paste, asks of the line editor.
enum Key: Equatable, Sendable {
    /// Text as it was typed; several characters where they arrived together.
    case text(String)
    /// Text between the marks of a bracketed paste, line ends as line feeds.
    case paste(String)
    /// Return: the message is complete.
    case enter
    /// Alt-Return: a new line within the message.
    case newLine
    case tab
    case backspace
    case deleteForward
    case left, right, up, down
    case wordLeft, wordRight
    case lineStart, lineEnd
    case deleteToEnd, deleteToStart, deleteWordLeft, deleteWordRight
    case yank
    case transpose
    case previousEntry, nextEntry
    case search
    case clearScreen
    /// Ctrl-G, or the escape key alone.
    case cancel
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D: deletes forward, or ends the input where the line is empty.
    case endOfInput
    /// Ctrl-Z.
    case suspend
}
