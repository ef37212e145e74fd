import LeapBase

/// Lays styled text out in lines of a width, breaking them between words.
///
/// The text that it returns is complete up to the last word, which is held back until its end is known.
struct LineWrapper {
    /// The text before the lines that a break begins, and its width.
    struct Indent: Equatable {
        var text = ""
        var style: TextStyle = []
        var width: Int { TextWidth.of(text) }
    }

    /// Columns of a line; nil for no breaks but those in the text.
    var width: Int?
    var indent = Indent()
    /// True if a word that is longer than a line is broken; a path is not, so that it can be copied.
    var breaksWords = true
    private(set) var column: Int
    private var word: [(character: Character, style: TextStyle)] = []
    private var wordWidth = 0
    private var spaces: [TextStyle] = []

    /// - Parameter column: where the first line begins.
    init(width: Int?, column: Int = 0) {
        self.width = width.map { max(10, $0) }
        self.column = column
    }

    /// Takes a character; the text that is to be written.
    mutating func put(_ character: Character, _ style: TextStyle = []) -> String {
        if character == "\n" { return newLine() }
        if character == " " {
            let text = endWord()
            spaces.append(style)
            return text
        }
        let columns = character == "\t" ? 4 : TextWidth.of(character)
        var text = ""
        // A word that fills a line by itself goes on in the next one.
        if breaksWords, let width, wordWidth + columns > width - indent.width { text = endWord() }
        word.append((character, style))
        wordWidth += columns
        // Lines may break between ideographs.
        if columns == 2 { text += endWord() }
        return text
    }

    mutating func put(_ text: String, _ style: TextStyle = []) -> String {
        text.reduce(into: "") { $0 += put($1, style) }
    }

    /// Ends the line.
    mutating func newLine() -> String {
        let text = endWord()
        spaces = []
        column = 0
        return text + "\n"
    }

    /// Returns the word that is held back, on a new line if it does not fit.
    mutating func endWord() -> String {
        guard !word.isEmpty else { return "" }
        var text = ""
        if let width, column + spaces.count + wordWidth > width, column > indent.width {
            text += "\n" + Self.styled(indent.text.map { ($0, indent.style) })
            column = indent.width
        } else {
            column += spaces.count
            word.insert(contentsOf: spaces.map { (" ", $0) }, at: 0)
        }
        text += Self.styled(word)
        column += wordWidth
        (word, wordWidth, spaces) = ([], 0, [])
        return text
    }

    /// A whole text with its lines broken between words.
    ///
    /// - Parameter indent: the columns that what a break begins is set in.
    static func wrapped(_ text: String, width: Int, indent: Int = 0) -> String {
        var wrapper = LineWrapper(width: width)
        wrapper.breaksWords = false
        wrapper.indent.text = String(repeating: " ", count: indent)
        return wrapper.put(text) + wrapper.endWord()
    }

    private static func styled(_ characters: [(character: Character, style: TextStyle)]) -> String {
        var text = ""
        var start = 0
        while start < characters.count {
            let style = characters[start].style
            let end = characters[start...].firstIndex { $0.style != style } ?? characters.count
            let piece = String(characters[start..<end].map(\.character))
            text += style.isEmpty ? piece : style.sequence + piece + TextStyle.reset
            start = end
        }
        return text
    }
}
