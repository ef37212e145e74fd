/// The kind of a line of Markdown, by its beginning.
package enum MarkdownLine: Equatable {
    case blank
    /// The text begins behind so many characters, and its further lines so many columns in.
    case paragraph(indent: Int)
    case heading(level: Int, textStart: Int)
    case bullet(indent: Int, textStart: Int)
    case ordered(indent: Int, marker: String, textStart: Int)
    case quote(textStart: Int)
    case rule
    case fence(Fence)
    /// A row of a table, as it is written.
    case row

    /// The mark that begins a block of code, and ends it.
    package struct Fence: Equatable {
        package let character: Character
        package let length: Int

        /// Returns whether a line ends the block.
        package func isClosed(by line: some StringProtocol) -> Bool {
            let text = line.drop { $0 == " " }
            let run = text.prefix { $0 == character }
            return run.count >= length && text.dropFirst(run.count).allSatisfy(\.isWhitespace)
        }

        /// Returns whether a line that begins like this may end the block.
        package func mayBeClosed(by start: some StringProtocol) -> Bool {
            start.drop { $0 == " " }.drop { $0 == character }.allSatisfy(\.isWhitespace)
        }

        /// Returns the name of the language in the line that begins the block; empty for none.
        package func language(of line: [Character]) -> String {
            String(line.drop { $0 == character || $0 == " " }.prefix { !$0.isWhitespace && $0 != "{" })
        }
    }

    /// The kind, or nil where more of the line decides.
    package init?(_ line: [Character], isComplete: Bool) {
        guard let kind = LineBeginning(line, isComplete: isComplete).kind else { return nil }
        self = kind
    }
}

/// The beginning of a line, of which more may come.
private struct LineBeginning {
    private let indent: Int
    /// The line behind its indentation; indices are those of the line.
    private let text: ArraySlice<Character>
    private let isComplete: Bool
    /// The number of times that the first character of the text stands at its beginning.
    private let run: Int

    init(_ line: [Character], isComplete: Bool) {
        indent = line.prefix { $0 == " " }.count
        text = line[indent...]
        self.isComplete = isComplete
        let first = text.first
        run = text.prefix { $0 == first }.count
    }

    /// The kind, or nil where more of the line decides.
    var kind: MarkdownLine? {
        guard let first = text.first else { return whenComplete(.blank) }
        return switch first {
        case "#": heading
        case "-", "*", "_", "+": bulletOrRule
        case "0"..."9": ordered
        case ">": quote
        case "`", "~": fence(first)
        case "|": whenComplete(.row)
        default: paragraph
        }
    }

    private var paragraph: MarkdownLine { .paragraph(indent: indent) }
    private var isAllOne: Bool { run == text.count }
    /// The character behind the run of the first one.
    private var next: Character? { isAllOne ? nil : text[indent + run] }

    private func whenComplete(_ kind: MarkdownLine) -> MarkdownLine? { isComplete ? kind : nil }

    private var heading: MarkdownLine? {
        guard !isAllOne || isComplete else { return nil }
        return run <= 6 && next == " " ? .heading(level: run, textStart: indent + run + 1) : paragraph
    }

    private var bulletOrRule: MarkdownLine? {
        if isAllOne { return whenComplete(run >= 3 && text.first != "+" ? .rule : paragraph) }
        guard run == 1, text.first != "_", next == " " else { return paragraph }
        return .bullet(indent: indent, textStart: indent + 2)
    }

    private var ordered: MarkdownLine? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }.count
        let rest = text[(indent + digits)...]
        guard digits <= 9, rest.first.map({ $0 == "." || $0 == ")" }) ?? true else { return paragraph }
        if rest.count < 2 { return whenComplete(paragraph) }
        guard rest[indent + digits + 1] == " " else { return paragraph }
        return .ordered(indent: indent, marker: String(text.prefix(digits + 1)), textStart: indent + digits + 2)
    }

    private var quote: MarkdownLine? {
        guard text.count > 1 || isComplete else { return nil }
        return .quote(textStart: indent + (text.count > 1 && text[indent + 1] == " " ? 2 : 1))
    }

    private func fence(_ mark: Character) -> MarkdownLine? {
        guard run >= 3 else { return isAllOne ? whenComplete(paragraph) : paragraph }
        // A line with more of these marks is code within a paragraph.
        if text[(indent + run)...].contains("`") { return paragraph }
        return whenComplete(.fence(MarkdownLine.Fence(character: mark, length: run)))
    }
}
