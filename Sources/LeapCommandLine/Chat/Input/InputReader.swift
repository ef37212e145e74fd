import Dispatch
import Foundation
import LeapBase
import LeapTransfers

/// The reader of standard input: lines that a person edits at a terminal, or those of a pipe or file as they are.
///
/// Input is read on a queue of its own, so that no task's thread waits for the keyboard.
final class InputReader: @unchecked Sendable {
    /// An entry, or another event of the input.
    enum Event: Equatable {
        case text(String)
        /// Text of several lines, which is never a command.
        case block(String)
        /// Ctrl-C where nothing was written.
        case interrupted
        case ended
    }

    /// The prompt for one entry, and the options of its editing.
    struct Request: Sendable {
        var prompt: String
        /// The text that stands there at the beginning.
        var initial = ""
        /// True if the entry is kept among those that the arrows bring back.
        var isKept = true
        var completer: @Sendable (_ text: String) -> LineCompletion? = { _ in nil }
    }

    // Sendable although it has variables: all of them are used on its queue only.
    private let queue = DispatchQueue(label: "leap.input")
    private let history: InputHistory
    /// Nil where standard input is no terminal.
    private let terminal: (keyboard: Keyboard, output: Int32, kind: EditorScreen.Kind)?
    private var decoder = KeyDecoder()
    private var keys: ArraySlice<Key> = []
    private var lines = PlainLines()

    init(history: InputHistory = InputHistory(path: nil)) {
        self.history = history
        let output: Int32? = Terminal.outputIsTerminal ? 1 : Terminal.errorIsTerminal ? 2 : nil
        if Terminal.inputIsTerminal, let output, KeyboardMode.set(.waiting) {
            terminal = (Keyboard(), output, TextStyle.movesCursor ? .full : .plain)
        } else {
            terminal = nil
        }
    }

    deinit {
        if terminal != nil { KeyboardMode.restore() }
    }

    /// Has a prompt that waits drawn again, as something else was written.
    func requestRedraw() { terminal?.keyboard.requestRedraw() }

    /// The next entry: a line, or several as `"""` and a backslash at the end put them together.
    ///
    /// The prompt is shown on a terminal only.
    func next(_ request: Request) async -> Event {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.compose(request)) }
        }
    }

    private func compose(_ request: Request) -> Event {
        var composer = MessageComposer()
        var request = request
        while true {
            let line: String
            switch read(request) {
            case .text(let text): line = text
            case .interrupted where composer.isOpen: return .text("")
            case .ended where composer.isOpen:
                return composer.end().map { keep(.block($0), request) } ?? .ended
            case let other: return other
            }
            let wasOpen = composer.isOpen
            if let text = composer.add(line) {
                let isBlock = wasOpen || text != line || text.contains("\n")
                return keep(isBlock ? .block(text) : .text(text), request)
            }
            request.prompt = "... "
            request.initial = ""
            request.completer = { _ in nil }
        }
    }

    private func keep(_ event: Event, _ request: Request) -> Event {
        guard request.isKept, terminal != nil else { return event }
        switch event {
        case .text(let text), .block(let text):
            if let problem = history.add(text.trimmingCharacters(in: .newlines)) {
                Terminal.note("(your input is not kept for the next chat: \(problem))")
            }
        case .interrupted, .ended: break
        }
        return event
    }

    private func read(_ request: Request) -> Event {
        guard let terminal else {
            guard let line = lines.next() else { return .ended }
            return .text(line)
        }
        KeyboardMode.set(.editing)
        if terminal.kind == .full { OutputChannel.put("\u{1B}[?2004h", on: terminal.output) }
        defer {
            if terminal.kind == .full { OutputChannel.put("\u{1B}[?2004l", on: terminal.output) }
            KeyboardMode.set(.waiting)
        }
        return edit(request, terminal.keyboard, on: terminal.output, EditorScreen(kind: terminal.kind))
    }

    private func edit(_ request: Request, _ keyboard: Keyboard, on output: Int32, _ screen: EditorScreen) -> Event {
        var screen = screen
        var editor = LineEditor(
            entries: request.isKept ? history.entries : [], initial: request.initial, completer: request.completer)
        func draw() {
            let size = Terminal.size(of: output)
            OutputChannel.put(
                screen.draw(editor, prompt: request.prompt, columns: size.columns, rows: size.rows), on: output)
        }
        func leave() { OutputChannel.put(screen.finish(), on: output) }
        draw()
        while true {
            guard receive(keyboard, &screen, output) else {
                leave()
                return .ended
            }
            while let key = keys.popFirst() {
                switch editor.handle(key) {
                case .editing: break
                case .accepted(let text):
                    draw()
                    leave()
                    tellFaults()
                    return .text(text)
                case .interrupted:
                    leave()
                    guard editor.buffer.isEmpty else {
                        editor = LineEditor(
                            entries: request.isKept ? history.entries : [], completer: request.completer)
                        break
                    }
                    return .interrupted
                case .ended:
                    leave()
                    return .ended
                case .clearScreen:
                    screen.forget()
                    if screen.kind == .full { OutputChannel.put("\u{1B}[H\u{1B}[2J", on: output) }
                case .suspended:
                    leave()
                    KeyboardMode.restore()
                    raise(SIGTSTP)
                    KeyboardMode.set(.editing)
                case .candidates(let candidates):
                    leave()
                    Terminal.note(candidates.prefix(100).joined(separator: "  "))
                }
            }
            draw()
        }
    }

    /// Waits for keys; false at the end of input.
    private func receive(_ keyboard: Keyboard, _ screen: inout EditorScreen, _ output: Int32) -> Bool {
        while keys.isEmpty {
            // The escape key alone sends what begins a sequence: the rest of one follows at once.
            switch keyboard.next(within: decoder.isUndecided ? 50 : nil) {
            case .bytes(let bytes): keys = decoder.decode(bytes)[...]
            case .quiet: keys = decoder.decide()[...]
            case .redraw:
                KeyboardMode.set(.editing)
                OutputChannel.put(screen.erase(columns: Terminal.size(of: output).columns), on: output)
                return true
            case .ended: return false
            }
        }
        return true
    }

    private func tellFaults() {
        let faults = decoder.takeFaults()
        if faults.repaired { Terminal.note("(invalid UTF-8 bytes were replaced by \u{FFFD})") }
        if faults.shortened {
            Terminal.note(
                "(the pasted text is longer than \(ByteText.of(Int64(KeyDecoder.maxPasteBytes))) and was cut there)")
        }
    }
}
