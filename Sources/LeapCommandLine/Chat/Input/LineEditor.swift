import Foundation

/// One line of input as it is edited, with the entries before it; it knows keys and text, and no terminal.
struct LineEditor {
    /// The effect of a key.
    enum Outcome: Equatable {
        case editing
        case accepted(String)
        /// Ctrl-C.
        case interrupted
        /// Ctrl-D on an empty line.
        case ended
        case suspended
        case clearScreen
        /// Several texts can follow; they are shown and editing goes on.
        case candidates([String])
    }

    private(set) var buffer: EditBuffer
    private var entries: [String]
    /// The entry that is shown, and what was typed before one was.
    private var shown: (index: Int, draft: String)?
    private(set) var search: HistorySearch?
    private let completer: @Sendable (_ text: String) -> LineCompletion?

    /// - Parameters:
    ///   - entries: what was entered before, oldest first.
    ///   - initial: the text that stands there at the beginning.
    ///   - completer: what can follow a text, for the tab key.
    init(
        entries: [String] = [], initial: String = "",
        completer: @escaping @Sendable (_ text: String) -> LineCompletion? = { _ in nil }
    ) {
        self.entries = entries
        self.completer = completer
        buffer = EditBuffer(initial)
    }

    mutating func handle(_ key: Key) -> Outcome {
        if search != nil, let outcome = searching(key) { return outcome }
        switch key {
        case .text(let text): buffer.insert(text)
        case .paste(let text): buffer.paste(text)
        case .newLine: buffer.insert("\n")
        case .enter: return .accepted(buffer.text)
        case .tab: return complete()
        case .backspace: buffer.backspace()
        case .deleteForward: buffer.deleteForward()
        case .left: buffer.left()
        case .right: buffer.right()
        case .wordLeft: buffer.wordLeft()
        case .wordRight: buffer.wordRight()
        case .lineStart: buffer.toLineStart()
        case .lineEnd: buffer.toLineEnd()
        case .up: if !buffer.up() { show(-1) }
        case .down: if !buffer.down() { show(1) }
        case .previousEntry: show(-1)
        case .nextEntry: show(1)
        case .deleteToEnd: buffer.deleteToEnd()
        case .deleteToStart: buffer.deleteToStart()
        case .deleteWordLeft: buffer.deleteWordLeft()
        case .deleteWordRight: buffer.deleteWordRight()
        case .yank: buffer.yank()
        case .transpose: buffer.transpose()
        case .search: search = HistorySearch(entries: entries, draft: buffer.text)
        case .cancel: break
        case .clearScreen: return .clearScreen
        case .interrupt: return .interrupted
        case .endOfInput:
            if buffer.isEmpty { return .ended }
            buffer.deleteForward()
        case .suspend: return .suspended
        }
        return .editing
    }

    /// Takes a key as a part of a search; nil where it ends the search and means what it means elsewhere.
    private mutating func searching(_ key: Key) -> Outcome? {
        guard var current = search else { return nil }
        switch key {
        case .text(let text), .paste(let text): current.extend(text)
        case .backspace: current.shorten()
        case .search: current.older()
        case .cancel, .interrupt:
            buffer.replace(with: current.draft)
            search = nil
            return .editing
        default:
            buffer.replace(with: current.match ?? current.draft)
            search = nil
            return nil
        }
        search = current
        return .editing
    }

    private mutating func show(_ step: Int) {
        let current = shown?.index ?? entries.count
        let next = current + step
        guard next >= 0, next <= entries.count else { return }
        let draft = shown?.draft ?? buffer.text
        // What was changed of an entry stays changed while this line is edited.
        if current < entries.count { entries[current] = buffer.text }
        if next == entries.count {
            buffer.replace(with: draft)
            shown = nil
        } else {
            buffer.replace(with: entries[next])
            shown = (next, draft)
        }
    }

    private mutating func complete() -> Outcome {
        let text = String(buffer.characters[..<buffer.cursor])
        guard let completion = completer(text), let first = completion.candidates.first else { return .editing }
        let common = completion.candidates.dropFirst().reduce(first.text) { $0.commonPrefix(with: $1.text) }
        let start = text.count - completion.replaced
        if completion.candidates.count == 1 {
            buffer.complete(from: start, with: first.text + (first.isWhole ? " " : ""))
        } else if common.count > completion.replaced {
            buffer.complete(from: start, with: common)
        } else {
            return .candidates(completion.candidates.map(\.text))
        }
        return .editing
    }
}

/// The texts that can stand in place of the end of a text.
struct LineCompletion: Equatable {
    struct Candidate: Equatable {
        let text: String
        /// True if nothing can be added to it: a file, not a folder.
        var isWhole = true
    }

    /// The characters at the text's end that the candidates replace.
    let replaced: Int
    let candidates: [Candidate]
}
