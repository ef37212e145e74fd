import LeapBase
import LeapSDK

/// Shows a reply while it is written: the answer on standard output, the thinking apart from it.
struct ReplyPrinter {
    private let showsThinking: Bool
    private var markdown: MarkdownPrinter?
    private var wrapper: LineWrapper?
    private var isThinking = false
    /// The sign of life until the answer begins.
    private var prompt: PromptDisplay?
    /// True if the answer has text so far.
    private(set) var hasText = false
    /// The text of the line that is shown while the model thinks, and erased when the answer begins.
    private static let waiting = "thinking…"

    /// - Parameters:
    ///   - showsThinking: whether what the model thinks is shown.
    ///   - markdown: whether Markdown is laid out, where the output is a terminal that can show it.
    ///   - prompt: what is shown until the answer begins.
    init(showsThinking: Bool, markdown: Bool, prompt: PromptDisplay? = nil) {
        self.prompt = prompt
        self.showsThinking = showsThinking
        guard Terminal.outputIsTerminal else { return }
        // Long lines are hard to read.
        let width = min(Terminal.size(of: 1).columns, 100)
        if TextStyle.isShown, markdown { self.markdown = MarkdownPrinter(width: width) }
        wrapper = LineWrapper(width: width)
    }

    mutating func add(_ response: MessagePiece) {
        endPrompt()
        switch response {
        case .chunk(let piece):
            guard !piece.isEmpty else { return }
            endThinking()
            hasText = true
            write(piece)
        case .reasoningChunk(let piece): think(piece)
        case .functionCall, .audioSample, .complete: break
        }
    }

    /// Ends the last line.
    mutating func end() {
        endPrompt()
        endThinking()
        guard hasText else { return }
        if markdown != nil {
            Terminal.writeStyled(markdown?.end() ?? "")
        } else if wrapper != nil {
            Terminal.writeStyled(wrapper?.newLine() ?? "")
        } else {
            Terminal.writeLine()
        }
    }

    private mutating func endPrompt() {
        prompt?.end()
        prompt = nil
    }

    private mutating func write(_ piece: String) {
        guard Terminal.outputIsTerminal else { return Terminal.write(piece) }
        let text = PrintableOutput.of(piece)
        Terminal.writeStyled((markdown != nil ? markdown?.add(text) : wrapper?.put(text)) ?? "")
    }

    private mutating func think(_ piece: String) {
        guard !piece.isEmpty else { return }
        let isFirst = !isThinking
        isThinking = true
        guard showsThinking else {
            if isFirst, TextStyle.isShown { Terminal.writeStyled(TextStyle.dim.of(Self.waiting)) }
            return
        }
        guard Terminal.outputIsTerminal else {
            if isFirst, !Terminal.errorIsTerminal { OutputChannel.put("Thinking:\n", on: 2) }
            OutputChannel.put(Terminal.errorIsTerminal ? PrintableOutput.of(piece) : piece, on: 2)
            return
        }
        if isFirst, !TextStyle.isShown { Terminal.writeLine("Thinking:") }
        let style: TextStyle = TextStyle.isShown ? .dim : []
        let text = PrintableOutput.of(isFirst ? String(piece.drop(while: \.isWhitespace)) : piece)
        Terminal.writeStyled(wrapper?.put(text, style) ?? "")
    }

    /// Sets what follows apart from the thinking.
    private mutating func endThinking() {
        guard isThinking else { return }
        isThinking = false
        if !showsThinking {
            if TextStyle.isShown { Terminal.writeStyled("\r\u{1B}[K") }
        } else if Terminal.outputIsTerminal {
            var rest = wrapper?.endWord() ?? ""
            if wrapper?.column ?? 0 > 0 { rest += wrapper?.newLine() ?? "" }
            Terminal.writeStyled(rest + "\n")
        } else {
            OutputChannel.put(Terminal.errorIsTerminal ? "\n\n" : "\nAnswer:\n", on: 2)
        }
    }
}
