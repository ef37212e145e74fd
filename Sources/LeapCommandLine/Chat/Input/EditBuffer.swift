/// The text that is being edited, and where in it.
struct EditBuffer: Equatable {
    private(set) var characters: [Character] = []
    /// The number of characters before the cursor.
    private(set) var cursor = 0
    /// The characters that were deleted last, for Ctrl-Y.
    private var deleted: [Character] = []
    /// The long pastes, each of which is one character here.
    private(set) var folded = FoldedTexts()

    /// The whole text, with what was folded.
    var text: String { folded.unfolded(characters) }
    var isEmpty: Bool { characters.isEmpty }

    init(_ text: String = "") {
        characters = Array(FoldedTexts.readable(text))
        cursor = characters.count
    }

    /// Another text in place of this one, the cursor behind it.
    mutating func replace(with text: String) {
        characters = Array(FoldedTexts.readable(text))
        cursor = characters.count
    }

    mutating func insert(_ text: String) { put(FoldedTexts.readable(text)) }

    /// Inserts what was pasted; a long text is one character from then on.
    mutating func paste(_ text: String) {
        let text = FoldedTexts.readable(text)
        put(folded.fold(text).map { String($0) } ?? text)
    }

    private mutating func put(_ text: String) {
        // A mark that combines with the character before it becomes a part of that.
        let start = max(0, cursor - 1)
        let joined = Array(String(characters[start..<cursor]) + text)
        characters.replaceSubrange(start..<cursor, with: joined)
        cursor = start + joined.count
    }

    /// Puts a text in place of the characters before the cursor, from a place on.
    mutating func complete(from start: Int, with text: String) {
        guard start <= cursor else { return }
        characters.removeSubrange(start..<cursor)
        cursor = start
        insert(text)
    }

    mutating func left() { cursor = max(0, cursor - 1) }
    mutating func right() { cursor = min(characters.count, cursor + 1) }
    mutating func wordLeft() { cursor = wordStart }
    mutating func wordRight() { cursor = wordEnd }
    mutating func toLineStart() { cursor = lineStart }
    mutating func toLineEnd() { cursor = lineEnd }

    /// Moves to the line above, or says that there is none.
    mutating func up() -> Bool {
        let start = lineStart
        guard start > 0 else { return false }
        let column = cursor - start
        cursor = start - 1
        cursor = min(lineStart + column, start - 1)
        return true
    }

    /// Moves to the line below, or says that there is none.
    mutating func down() -> Bool {
        let end = lineEnd
        guard end < characters.count else { return false }
        let column = cursor - lineStart
        cursor = end + 1
        cursor = min(end + 1 + column, lineEnd)
        return true
    }

    mutating func backspace() {
        guard cursor > 0 else { return }
        cursor -= 1
        characters.remove(at: cursor)
    }

    mutating func deleteForward() {
        guard cursor < characters.count else { return }
        characters.remove(at: cursor)
    }

    mutating func deleteToEnd() {
        // At the end of a line, its end; so that repeating it goes on.
        let end = lineEnd
        delete(cursor..<(end == cursor && end < characters.count ? end + 1 : end))
    }

    mutating func deleteToStart() { delete(lineStart..<cursor) }
    mutating func deleteWordLeft() { delete(wordStart..<cursor) }
    mutating func deleteWordRight() { delete(cursor..<wordEnd) }
    mutating func yank() { put(String(deleted)) }

    /// Exchanges the characters around the cursor, or the last two at a line's end.
    mutating func transpose() {
        let end = lineEnd
        let place = cursor == end ? cursor - 1 : cursor
        guard place > lineStart, place < end else { return }
        characters.swapAt(place - 1, place)
        cursor = place + 1
    }

    private mutating func delete(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        deleted = Array(characters[range])
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    private var lineStart: Int {
        (characters[..<cursor].lastIndex(of: "\n") ?? -1) + 1
    }

    private var lineEnd: Int {
        characters[cursor...].firstIndex(of: "\n") ?? characters.count
    }

    private var wordStart: Int {
        var place = cursor
        while place > 0, !Self.isOfWord(characters[place - 1]) { place -= 1 }
        while place > 0, Self.isOfWord(characters[place - 1]) { place -= 1 }
        return place
    }

    private var wordEnd: Int {
        var place = cursor
        while place < characters.count, !Self.isOfWord(characters[place]) { place += 1 }
        while place < characters.count, Self.isOfWord(characters[place]) { place += 1 }
        return place
    }

    private static func isOfWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
