/// The rule of GPT-2: `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`.
enum GPT2Rule {
    /// Returns the end of the piece at `start`.
    @inline(__always)
    static func end(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        var (flags, next) = text.read(start)
        let byte = text[start]
        if byte == UInt8(ascii: "'"),
            let end = Contraction.end(text, start, limit, ignoringCase: false)
        {
            return end
        }
        if flags & CharacterClass.whitespace != 0 {
            guard byte == UInt8(ascii: " "), next < limit else {
                return WhitespaceRule.end(text, start, limit, lineBreaksFirst: false)
            }
            let following = text.read(next)
            if following.flags & CharacterClass.whitespace != 0 {
                return WhitespaceRule.end(text, start, limit, lineBreaksFirst: false)
            }
            (flags, next) = following
        }
        let apart = CharacterClass.whitespace | CharacterClass.letter | CharacterClass.number
        let kind = flags & apart
        while next < limit {
            let following = text.read(next)
            if following.flags & apart != kind { break }
            next = following.next
        }
        return next
    }
}
