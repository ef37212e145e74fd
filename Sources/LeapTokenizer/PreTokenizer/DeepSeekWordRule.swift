/// The last rule of DeepSeek V3, in the order it is tried:
/// ``[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+``, `[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+`, `
/// ?[\p{P}\p{S}]+[\r\n]*`, `\s*[\r\n]+`, `\s+(?!\S)`, `\s+`.
///
/// It leaves digits, controls and unassigned characters unmatched; a run of those is a piece.
enum DeepSeekWordRule {
    private static let letters = CharacterClass.letter | CharacterClass.mark
    private static let symbols = CharacterClass.punctuation | CharacterClass.symbol

    /// Returns the end of the piece at `start`.
    static func end(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        let (flags, next) = text.read(start)
        let byte = text[start]
        if byte < 0x80, flags & symbols != 0, next < limit, isASCIILetter(text[next]) {
            var position = next + 1
            while position < limit, isASCIILetter(text[position]) { position += 1 }
            return position
        }
        if flags & letters != 0 { return run(of: letters, text, next, limit) }
        if flags & symbols == 0, !WhitespaceRule.isLineBreak(byte), next < limit, text.flags(next) & letters != 0 {
            return run(of: letters, text, next, limit)
        }
        if byte == UInt8(ascii: " "), next < limit, text.flags(next) & symbols != 0 {
            return symbolsEnd(text, text.next(next), limit)
        }
        if flags & symbols != 0 { return symbolsEnd(text, next, limit) }
        if flags & CharacterClass.whitespace != 0 {
            return WhitespaceRule.end(text, start, limit, lineBreaksFirst: true)
        }
        return gapEnd(text, next, limit)
    }

    /// A gap reaches to the next character that matches, or to the one before a letter, which may lead the word.
    private static func gapEnd(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        let matched = letters | symbols | CharacterClass.whitespace
        var position = start
        while position < limit {
            let (flags, next) = text.read(position)
            if flags & matched != 0 { break }
            if next < limit, text.flags(next) & letters != 0 { break }
            position = next
        }
        return position
    }

    private static func symbolsEnd(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        var position = run(of: symbols, text, start, limit)
        while position < limit, WhitespaceRule.isLineBreak(text[position]) { position += 1 }
        return position
    }

    private static func run(of set: UInt8, _ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        var position = start
        while position < limit {
            let (flags, next) = text.read(position)
            if flags & set == 0 { break }
            position = next
        }
        return position
    }

    @inline(__always)
    private static func isASCIILetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
