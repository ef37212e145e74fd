/// The marks within a line of Markdown: emphasis, code and links, as CommonMark has them, without its rarer rules.
package struct InlineMarkdown {
    /// Text in one style.
    package struct Span: Equatable {
        package var text: String
        package var style: TextStyle
        /// The address that the text leads to, where addresses are kept apart; else nil.
        package var address: String?

        package init(text: String, style: TextStyle, address: String? = nil) {
            self.text = text
            self.style = style
            self.address = address
        }
    }

    /// The place of the addresses of links.
    package enum Addresses {
        /// Behind the text, in parentheses.
        case written
        /// In the spans, for texts that can be tapped.
        case kept
    }

    /// The longest beginning of a line that waits for the end of a mark.
    package static let maxHeld = 1000

    private let characters: [Character]
    private let isComplete: Bool
    private let addresses: Addresses
    /// The address of the link whose text is being read.
    private var address: String?
    private var spans: [Span] = []
    private var openStart: Int?

    /// The text without its marks, in its styles, up to the first mark whose meaning what follows decides.
    ///
    /// - Parameters:
    ///   - isComplete: whether nothing follows; then marks that nothing closes are text.
    ///   - previous: the character before the text.
    ///   - addresses: where the addresses of links go.
    /// - Returns: the spans, and where the undecided part begins.
    package static func spans(
        of characters: [Character], style: TextStyle, previous: Character? = nil, isComplete: Bool,
        addresses: Addresses = .written
    ) -> (spans: [Span], openStart: Int?) {
        var reader = InlineMarkdown(characters: characters, isComplete: isComplete, addresses: addresses)
        reader.read(0..<characters.count, style, previous)
        return (reader.spans, reader.openStart)
    }

    private init(characters: [Character], isComplete: Bool, addresses: Addresses) {
        self.characters = characters
        self.addresses = addresses
        self.isComplete = isComplete
    }

    private mutating func read(_ range: Range<Int>, _ style: TextStyle, _ previous: Character?) {
        var place = range.lowerBound
        while place < range.upperBound {
            let character = characters[place]
            let before = place > range.lowerBound ? characters[place - 1] : previous
            switch mark(at: place, in: range, before) {
            case .text(let count):
                let start = character == "\\" && count == 2 ? place + 1 : place
                put(String(characters[start..<(place + count)]), style)
                place += count
            case .styled(let inner, let more, let end):
                if more == .code {
                    put(Self.code(characters[inner]), style.union(more))
                } else {
                    read(inner, style.union(more), characters[inner.lowerBound - 1])
                }
                place = end
            case .link(let text, let target, let end):
                let target = String(characters[target])
                switch addresses {
                case .written:
                    read(text, style.union(.underline), "[")
                    if target != String(characters[text]) { put(" (\(target))", style.union(.dim)) }
                case .kept:
                    let outer = address
                    address = target
                    read(text, style.union(.underline), "[")
                    address = outer
                }
                place = end
            case .open:
                openStart = place
                return
            }
        }
    }

    private mutating func put(_ text: String, _ style: TextStyle) {
        if let last = spans.last, last.style == style, last.address == address {
            spans[spans.count - 1].text += text
        } else {
            spans.append(Span(text: text, style: style, address: address))
        }
    }

    private enum Mark {
        case text(Int)
        case styled(Range<Int>, TextStyle, end: Int)
        case link(text: Range<Int>, target: Range<Int>, end: Int)
        case open
    }

    /// Returns the element that a character begins; `open` only where text that has not come yet decides.
    private func mark(at place: Int, in range: Range<Int>, _ before: Character?) -> Mark {
        let character = characters[place]
        // What another mark encloses has its end, whatever follows.
        let isComplete = isComplete || range.upperBound < characters.count
        let undecided: Mark = isComplete ? .text(1) : .open
        switch character {
        case "\\":
            guard place + 1 < range.upperBound else { return undecided }
            return "\\`*_{}[]()#+-.!|~<>".contains(characters[place + 1]) ? .text(2) : .text(1)
        case "`":
            let length = run(at: place, range.upperBound)
            if place + length == range.upperBound { return isComplete ? .text(length) : .open }
            guard let end = closing("`", length, from: place + length, range.upperBound, exactly: true) else {
                return isComplete ? .text(length) : .open
            }
            return .styled(place + length..<end, .code, end: end + length)
        case "*", "_", "~":
            let whole = run(at: place, range.upperBound)
            if place + whole == range.upperBound { return isComplete ? .text(whole) : .open }
            let next = characters[place + whole]
            let isInWord = character == "_" && before.map { $0.isLetter || $0.isNumber } == true
            guard !next.isWhitespace, !isInWord, character != "~" || whole == 2, whole <= 3 else {
                return .text(whole)
            }
            guard let end = closing(character, whole, from: place + whole, range.upperBound, exactly: false) else {
                return isComplete ? .text(whole) : .open
            }
            let style: TextStyle =
                character == "~" ? .struck : whole == 1 ? .italic : whole == 2 ? .bold : [.bold, .italic]
            return .styled(place + whole..<end, style, end: end + whole)
        case "[":
            guard let close = characters[place..<range.upperBound].firstIndex(of: "]") else { return undecided }
            guard close + 1 < range.upperBound else { return undecided }
            guard characters[close + 1] == "(", close > place + 1 else { return .text(1) }
            guard let end = characters[close..<range.upperBound].firstIndex(of: ")") else { return undecided }
            return .link(text: place + 1..<close, target: close + 2..<end, end: end + 1)
        default: return .text(1)
        }
    }

    private func run(at place: Int, _ end: Int) -> Int {
        var count = 1
        while place + count < end, characters[place + count] == characters[place] { count += 1 }
        return count
    }

    /// Returns the index at which the closing mark begins; nil where there is none.
    private func closing(_ mark: Character, _ length: Int, from start: Int, _ end: Int, exactly: Bool) -> Int? {
        var place = start
        // Such a mark within the text may end first: of three asterisks, one is its end.
        var hasInner = false
        while place < end {
            let character = characters[place]
            if character == "\\", mark != "`" {
                place += 2
                continue
            }
            let count = run(at: place, end)
            if character == mark {
                let after = place + count < end ? characters[place + count] : nil
                let endsWord = mark != "_" || after.map { $0.isLetter || $0.isNumber } != true
                if exactly ? count == length : count >= length && !characters[place - 1].isWhitespace && endsWord {
                    // Whether more of the same follow is not known yet.
                    let mayGrow = after == nil && !isComplete && end == characters.count
                    if mayGrow, count != length || exactly || hasInner { return nil }
                    return exactly ? place : place + count - length
                }
                hasInner = true
            } else if character == "`", mark != "`",
                let close = closing("`", count, from: place + count, end, exactly: true)
            {
                place = close + count
                continue
            }
            place += count
        }
        return nil
    }

    /// A code span's text: a space on both sides belongs to the marks.
    private static func code(_ characters: ArraySlice<Character>) -> String {
        guard characters.count > 2, characters.first == " ", characters.last == " " else { return String(characters) }
        return String(characters.dropFirst().dropLast())
    }
}
