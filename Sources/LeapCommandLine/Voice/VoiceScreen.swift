import LeapBase
import LeapUi

/// The output of `leap voice`: the text of replies as a result, and a line about the assistant for the person.
///
/// On a terminal that moves its cursor the line has a meter and is drawn anew in its place; elsewhere each state is a
/// line of its own. The line gives way while the text of a reply is written.
struct VoiceScreen {
    /// A piece of output.
    enum Piece: Equatable {
        case result(String)
        /// Of the line about the assistant: control sequences are ours.
        case note(String)
    }

    /// Cells of the meter.
    private static let width = 16
    /// Characters that are shown of what a person says: the latest ones.
    private static let heardLength = 40

    private let isDrawn: Bool
    private let hint: String
    /// The text of the reply that was written so far, which reply that is, and whether its line has not ended.
    private var written = ""
    private var reply = 0
    private var isOpen = false
    private var line = ""

    /// - Parameters:
    ///   - isDrawn: whether the line is drawn in its place.
    ///   - hint: the keys, behind the line.
    init(isDrawn: Bool, hint: String) {
        self.isDrawn = isDrawn
        self.hint = hint
    }

    /// Returns the output for a state.
    ///
    /// - Parameter columns: those of the terminal: a line that is drawn in its place must not be longer.
    mutating func show(_ state: VoiceAssistantState, columns: Int = .max) -> [Piece] {
        var pieces: [Piece] = []
        func result(_ text: String) {
            if case .result(let before) = pieces.last {
                pieces[pieces.count - 1] = .result(before + text)
            } else {
                pieces.append(.result(text))
            }
        }
        if state.replyCount != reply {
            if isOpen { result("\n") }
            (reply, written, isOpen) = (state.replyCount, "", false)
        }
        let new = state.caption.dropFirst(written.count)
        if !new.isEmpty {
            if isDrawn, !line.isEmpty { pieces.append(.note("\r\u{1B}[K")) }
            line = ""
            result(String(new))
            (written, isOpen) = (state.caption, true)
        }
        if isOpen, state.widgetState != .responding {
            result("\n")
            isOpen = false
        }
        let next = isDrawn ? Self.cut(text(of: state), columns: columns) : text(of: state)
        if !isOpen, next != line {
            pieces.append(.note(isDrawn ? "\r\u{1B}[K" + next : next + "\n"))
            line = next
        }
        return pieces
    }

    /// Returns the rest of the output at the end.
    mutating func finish() -> [Piece] {
        var pieces: [Piece] = []
        if isOpen { pieces.append(.result("\n")) }
        if isDrawn, !line.isEmpty { pieces.append(.note("\r\u{1B}[K")) }
        (isOpen, line) = (false, "")
        return pieces
    }

    private static func cut(_ text: String, columns: Int) -> String {
        var width = 0
        return String(
            text.prefix {
                width += TextWidth.of($0)
                return width < columns
            })
    }

    private func text(of state: VoiceAssistantState) -> String {
        var parts = [PrintableOutput.of(OptionNames.translated(state.statusText))]
        if isDrawn, state.statusType != .loading, state.problem == nil {
            let count = Int((Float(Self.width) * min(max(state.amplitude, 0), 1)).rounded())
            parts.insert(
                String(repeating: "█", count: count) + String(repeating: "░", count: Self.width - count), at: 0)
        }
        if isDrawn, state.widgetState == .listening, !state.heard.isEmpty {
            parts.append(PrintableOutput.of(String(state.heard.suffix(Self.heardLength))))
        }
        if state.widgetState == .idle {
            if !state.statsText.isEmpty { parts.append("(\(state.statsText))") }
            if isDrawn, !hint.isEmpty { parts.append(hint) }
        }
        return parts.joined(separator: "  ")
    }
}
