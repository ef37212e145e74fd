import LeapBase

/// Finds the words, strings, numbers and comments of code while it is being written.
///
/// It knows what languages have in common and not their grammars: what it takes for a keyword may be a name.
struct CodeHighlighter {
    /// A piece of code in one style.
    typealias Piece = (text: String, style: TextStyle)

    private enum State {
        case code
        /// Quotes that begin a string, or are one that is empty.
        case quotes(Character, count: Int)
        /// A string, the number of quotes that end it, and how many of those stand before this place.
        case string(Character, length: Int, seen: Int, isEscaped: Bool)
        case comment
        case blockComment(isStarred: Bool)
    }

    private let language: CodeLanguage
    private var state = State.code
    private var word = ""
    /// A character that may begin a comment.
    private var mark: Character?

    /// - Parameter name: the name behind the fence's marks; code without one has no colours.
    init?(language name: String) {
        guard let language = CodeLanguage(name) else { return nil }
        self.language = language
    }

    /// Takes a character of a line; what can be shown by now.
    mutating func put(_ character: Character) -> [Piece] {
        switch state {
        case .comment: return [(String(character), .dim)]
        case .blockComment(let isStarred):
            state = isStarred && character == "/" ? .code : .blockComment(isStarred: character == "*")
            return [(String(character), .dim)]
        case .quotes(let quote, let count):
            if character == quote {
                state = .quotes(quote, count: count + 1)
                return [(String(character), .string)]
            }
            if count == 2 {
                state = .code
                return put(character)
            }
            state = .string(quote, length: min(count, 3), seen: 0, isEscaped: false)
            return put(character)
        case .string(let quote, let length, let seen, let isEscaped):
            let count = character == quote && !isEscaped ? seen + 1 : 0
            state =
                count == length
                ? .code
                : .string(quote, length: length, seen: count, isEscaped: character == "\\" && !isEscaped)
            return [(String(character), .string)]
        case .code: return code(character)
        }
    }

    /// Ends the line.
    mutating func endLine() -> [Piece] {
        let pieces = release()
        switch state {
        case .comment: state = .code
        case .quotes(let quote, let count):
            state = count < 3 ? .code : .string(quote, length: 3, seen: 0, isEscaped: false)
        case .string(let quote, let length, _, _):
            // Those in one pair of quotes end with the line, but for those in backticks.
            state = length < 3 && quote != "`" ? .code : .string(quote, length: length, seen: 0, isEscaped: false)
        case .code, .blockComment: break
        }
        return pieces
    }

    private mutating func code(_ character: Character) -> [Piece] {
        if let first = mark {
            mark = nil
            if language.lineComments.contains([first, character]) {
                state = .comment
                return [(String([first, character]), .dim)]
            }
            if first == "/", character == "*" {
                state = .blockComment(isStarred: false)
                return [("/*", .dim)]
            }
            let before: [Piece] = [(String(first), TextStyle())]
            return before + code(character)
        }
        if character.isLetter || character.isNumber || character == "_" || (character == "." && isNumber) {
            word.append(character)
            return []
        }
        let before = release()
        if language.lineComments.contains([character]) {
            state = .comment
            return before + [(String(character), .dim)]
        }
        if language.quotes.contains(character) {
            state = .quotes(character, count: 1)
            return before + [(String(character), .string)]
        }
        if language.lineComments.contains(where: { $0.first == character }) || (character == "/" && language.hasBlocks)
        {
            mark = character
            return before
        }
        return before + [(String(character), TextStyle())]
    }

    private var isNumber: Bool { word.first?.isNumber == true && !word.contains(".") }

    /// Returns what is held back, which has ended.
    private mutating func release() -> [Piece] {
        defer { (word, mark) = ("", nil) }
        var pieces: [Piece] = []
        if !word.isEmpty {
            let style: TextStyle =
                word.first?.isNumber == true ? .number : language.isKeyword(word) ? .keyword : []
            pieces.append((word, style))
        }
        if let mark { pieces.append((String(mark), TextStyle())) }
        return pieces
    }
}
