/// The kind of a line of Markdown, by its beginning.
enum MarkdownLine: Equatable {
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
    struct Fence: Equatable {
        let character: Character
        let length: Int

        /// Returns whether a line ends the block.
        func isClosed(by line: some StringProtocol) -> Bool {
            let text = line.drop { $0 == " " }
            let run = text.prefix { $0 == character }
            return run.count >= length && text.dropFirst(run.count).allSatisfy(\.isWhitespace)
        }

        /// Returns whether a line that begins like this may end the block.
        func mayBeClosed(by start: some StringProtocol) -> Bool {
            start.drop { $0 == " " }.drop { $0 == character }.allSatisfy(\.isWhitespace)
        }
    }

    /// The kind, or nil where more of the line decides.
    init?(_ line: [Character], isComplete: Bool) {
        let indent = line.prefix { $0 == " " }.count
        let text = line[indent...]
        guard let first = text.first else {
            if !isComplete { return nil }
            self = .blank
            return
        }
        let run = text.prefix { $0 == first }.count
        let isAllOne = run == text.count
        let next = isAllOne ? nil : text[indent + run]
        let paragraph = MarkdownLine.paragraph(indent: indent)
        switch first {
        case "#":
            guard !isAllOne || isComplete else { return nil }
            self = run <= 6 && next == " " ? .heading(level: run, textStart: indent + run + 1) : paragraph
        case "-", "*", "_", "+":
            if isAllOne {
                guard isComplete else { return nil }
                self = run >= 3 && first != "+" ? .rule : paragraph
            } else if run == 1, first != "_", next == " " {
                self = .bullet(indent: indent, textStart: indent + 2)
            } else {
                self = paragraph
            }
        case "0"..."9":
            let digits = text.prefix { $0.isASCII && $0.isNumber }.count
            let rest = text[(indent + digits)...]
            guard digits <= 9, rest.first.map({ $0 == "." || $0 == ")" }) ?? true else {
                self = paragraph
                return
            }
            if rest.count < 2 {
                guard isComplete else { return nil }
                self = paragraph
            } else if rest[indent + digits + 1] == " " {
                self = .ordered(
                    indent: indent, marker: String(text.prefix(digits + 1)), textStart: indent + digits + 2)
            } else {
                self = paragraph
            }
        case ">":
            guard text.count > 1 || isComplete else { return nil }
            self = .quote(textStart: indent + (text.count > 1 && text[indent + 1] == " " ? 2 : 1))
        case "`", "~":
            guard run >= 3 else {
                guard !isAllOne || isComplete else { return nil }
                self = paragraph
                return
            }
            // A line with more of these marks is code within a paragraph.
            if text[(indent + run)...].contains("`") {
                self = paragraph
                return
            }
            guard isComplete else { return nil }
            self = .fence(Fence(character: first, length: run))
        case "|":
            guard isComplete else { return nil }
            self = .row
        default: self = paragraph
        }
    }
}
