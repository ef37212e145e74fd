/// The rules that grew from GPT-4's `cl100k_base`, with the points they differ in as properties.
///
/// Llama 3's, for example, is ``contractions`` leading, ``letters`` plain, ``maximumDigits`` 3, ``tail`` line breaks:
/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`.
struct WordRule: Sendable, Equatable {
    /// The places at which `(?i:'s|'t|'re|'ve|'m|'ll|'d)` may stand.
    enum Contractions: Sendable {
        /// Nowhere.
        case none
        /// As a piece of its own.
        case leading
        /// At the end of a word.
        case trailing
    }

    /// The characters of a word, after one optional character that is not a letter, digit or line break.
    enum Letters: Sendable {
        /// `\p{L}+`
        case plain
        /// `[\p{L}\p{M}]+`; marks are then no punctuation.
        case withMarks
        /// Upper then lower: `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`, or else the same with `+`
        /// and `*` exchanged.
        case cased
        /// The same without Han characters, of which `\p{Han}+` makes pieces of their own.
        case casedWithoutHan
        /// `(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+`: several words in one piece.
        case spaced
    }

    /// The characters that may follow punctuation in its piece.
    enum Tail: Sendable {
        /// Nothing.
        case none
        /// `[\r\n]*`
        case lineBreaks
        /// `[\r\n/]*`
        case lineBreaksAndSlashes
        /// `[\r\n/]?`
        case oneLineBreakOrSlash
    }

    var contractions: Contractions = .leading
    var letters: Letters = .plain
    /// The most digits a piece holds; `Int.max` for `\p{N}+`.
    var maximumDigits = 3
    var tail: Tail = .lineBreaks

    /// Returns the end of the piece at `start`.
    @inline(__always)
    func end(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        let (flags, next) = text.read(start)
        let byte = text[start]
        if byte == UInt8(ascii: "'"), contractions == .leading,
            let end = Contraction.end(text, start, limit, ignoringCase: true)
        {
            return end
        }
        let apart = CharacterClass.letter | CharacterClass.number
        let mayLead = flags & apart == 0 && !WhitespaceRule.isLineBreak(byte) && next < limit
        switch letters {
        case .plain:
            if flags & CharacterClass.letter != 0
                || mayLead && text.flags(next) & CharacterClass.letter != 0
            {
                return run(of: CharacterClass.letter, text, next, limit)
            }
        case .withMarks:
            let set = CharacterClass.letter | CharacterClass.mark
            if flags & set != 0 || mayLead && text.flags(next) & set != 0 {
                return run(of: set, text, next, limit)
            }
        case .cased, .casedWithoutHan:
            if letters == .casedWithoutHan, let end = HanScript.runEnd(text, start, limit) { return end }
            if let end = casedWordEnd(text, start, next, limit, mayLead: mayLead) {
                guard contractions == .trailing, end < limit, text[end] == UInt8(ascii: "'") else { return end }
                return Contraction.end(text, end, limit, ignoringCase: true) ?? end
            }
        case .spaced:
            if flags & CharacterClass.letter != 0
                || mayLead && text.flags(next) & CharacterClass.letter != 0
            {
                return spacedWordsEnd(text, next, limit)
            }
        }
        if flags & CharacterClass.number != 0 { return digitsEnd(text, next, limit) }

        let marks = letters == .withMarks ? CharacterClass.mark : 0
        let noPunctuation = apart | CharacterClass.whitespace | marks
        if byte == UInt8(ascii: " "), next < limit, text.flags(next) & noPunctuation == 0 {
            return punctuationEnd(text, text.next(next), limit, noPunctuation)
        }
        if flags & noPunctuation == 0 { return punctuationEnd(text, next, limit, noPunctuation) }
        return WhitespaceRule.end(text, start, limit, lineBreaksFirst: true)
    }

    @inline(__always)
    private func run(of set: UInt8, _ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        var position = start
        while position < limit {
            let (flags, next) = text.read(position)
            if flags & set == 0 { break }
            position = next
        }
        return position
    }

    private func digitsEnd(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        var position = start
        var count = 1
        while position < limit, count < maximumDigits {
            let (flags, next) = text.read(position)
            if flags & CharacterClass.number == 0 { break }
            position = next
            count += 1
        }
        return position
    }

    private func punctuationEnd(_ text: ScalarText, _ start: Int, _ limit: Int, _ excluded: UInt8) -> Int {
        var position = start
        while position < limit {
            let (flags, next) = text.read(position)
            if flags & excluded != 0 { break }
            position = next
        }
        switch tail {
        case .none:
            break
        case .lineBreaks:
            while position < limit, WhitespaceRule.isLineBreak(text[position]) { position += 1 }
        case .lineBreaksAndSlashes:
            while position < limit, isLineBreakOrSlash(text[position]) { position += 1 }
        case .oneLineBreakOrSlash:
            if position < limit, isLineBreakOrSlash(text[position]) { position += 1 }
        }
        return position
    }

    @inline(__always)
    private func isLineBreakOrSlash(_ byte: UInt8) -> Bool {
        WhitespaceRule.isLineBreak(byte) || byte == UInt8(ascii: "/")
    }

    private func spacedWordsEnd(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        var position = start
        while position < limit {
            let (flags, next) = text.read(position)
            if flags & (CharacterClass.letter | CharacterClass.mark) != 0 {
                position = next
            } else if text[position] == UInt8(ascii: " "), next < limit,
                text.flags(next) & CharacterClass.letter != 0
            {
                position = next
            } else {
                break
            }
        }
        return position
    }
}
