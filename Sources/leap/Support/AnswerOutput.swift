import LeapSDK

/// Shows an answer of `leap run` as it grows: the answer on standard output, what the model thinks before it on standard error.
///
/// So whoever reads the output gets the answer alone. On a terminal thoughts are dim and an empty line ends them; elsewhere a line stands
/// before and after them.
struct AnswerOutput {
    let showsThoughts: Bool
    private var isThinking = false
    /// Whether the answer has text so far.
    private(set) var hasText = false

    init(showsThoughts: Bool) { self.showsThoughts = showsThoughts }

    mutating func show(_ response: MessageResponse) {
        switch response {
        case .reasoningChunk(let piece):
            guard showsThoughts, !piece.isEmpty else { return }
            if !isThinking, !Terminal.errorIsTerminal { write("Thinking:\n") }
            isThinking = true
            write(Terminal.errorIsTerminal ? "\u{1B}[2m\(piece)\u{1B}[0m" : piece)
        case .chunk(let piece):
            endThoughts()
            if !piece.isEmpty { hasText = true }
            Terminal.write(piece)
        case .functionCall, .complete: endThoughts()
        case .audioSample: break
        }
    }

    /// Ends the answer's last line.
    mutating func end(calls: [RunResult.Call]) {
        for call in calls {
            Terminal.write("\(hasText ? "\n" : "")\(call.line)")
            hasText = true
        }
        Terminal.writeLine()
    }

    private mutating func endThoughts() {
        guard isThinking else { return }
        isThinking = false
        write(Terminal.errorIsTerminal ? "\n\n" : "\nAnswer:\n")
    }

    private func write(_ text: String) { OutputChannel.put(PrintableOutput.of(text), on: 2) }
}
