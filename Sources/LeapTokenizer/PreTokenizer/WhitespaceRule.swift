/// The whitespace alternatives at the end of most rules: `\s*[\r\n]+|\s+(?!\S)|\s+`.
///
/// "Not followed by a non-space" gives the last space of a run to the word after it. The end of the piece counts as the
/// end of the text, as it does in both reference implementations.
enum WhitespaceRule {
    /// Returns the end of the piece of whitespace at `start`; the character there must be whitespace.
    @inline(__always)
    static func end(_ text: ScalarText, _ start: Int, _ limit: Int, lineBreaksFirst: Bool) -> Int {
        var position = start
        var last = start
        var afterLineBreak = -1
        while position < limit {
            let (flags, next) = text.read(position)
            if flags & CharacterClass.whitespace == 0 { break }
            if lineBreaksFirst, isLineBreak(text[position]) { afterLineBreak = next }
            last = position
            position = next
        }
        if afterLineBreak > 0 { return afterLineBreak }
        return position == limit || last == start ? position : last
    }

    /// Matches `[\r\n]`.
    @inline(__always)
    static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
