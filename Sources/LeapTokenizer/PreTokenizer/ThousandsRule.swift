/// Digits in groups of three counted from the right, as `(?=(\d{3})+(?!\d))` and `\d{1,3}(?=(?:\d{3})*\b)` split them.
struct ThousandsRule: Sendable, Equatable {
    /// True if the digits must end at a word boundary (`\b`), so that `1234abc` stays whole.
    var needsBoundary: Bool

    /// Cuts `text` from `start` to `limit`.
    func cut(_ text: ScalarText, _ start: Int, _ limit: Int, into ends: PieceEnds) {
        var pieceStart = start
        var position = start
        while position < limit {
            let first = position
            var count = 0
            while position < limit, isDigit(text, position) {
                position = text.next(position)
                count += 1
            }
            if count == 0 {
                position = text.next(position)
                continue
            }
            if needsBoundary, position < limit, isWord(text, position) { continue }
            let lead = count % 3
            if needsBoundary {
                if pieceStart < first { ends.append(first) }
                pieceStart = first
                if lead > 0 {
                    pieceStart = advance(text, first, by: lead)
                    ends.append(pieceStart)
                }
                for _ in 0..<count / 3 {
                    let end = advance(text, pieceStart, by: 3)
                    ends.append(end)
                    pieceStart = end
                }
            } else {
                // The look-ahead has no width: it cuts before each group, and what follows the last one stays with it.
                var groupStart = advance(text, first, by: lead)
                for _ in 0..<count / 3 {
                    if pieceStart < groupStart { ends.append(groupStart) }
                    pieceStart = groupStart
                    groupStart = advance(text, groupStart, by: 3)
                }
            }
        }
        if pieceStart < limit { ends.append(limit) }
    }

    private func advance(_ text: ScalarText, _ start: Int, by count: Int) -> Int {
        var position = start
        for _ in 0..<count { position = text.next(position) }
        return position
    }

    /// Matches `\d`.
    private func isDigit(_ text: ScalarText, _ position: Int) -> Bool {
        let byte = text[position]
        if byte < 0x80 { return byte &- 0x30 < 10 }
        guard text.flags(position) & CharacterClass.number != 0 else { return false }
        return Unicode.Scalar(text.scalar(position).code)?.properties.generalCategory == .decimalNumber
    }

    /// `\w`: letters, marks, decimal digits, connecting punctuation, whatever else is alphabetic (Roman numerals,
    /// circled letters), and the superscripts and fractions of Latin-1.
    private func isWord(_ text: ScalarText, _ position: Int) -> Bool {
        let flags = text.flags(position)
        if flags & (CharacterClass.letter | CharacterClass.mark) != 0 { return true }
        let code = text.scalar(position).code
        if flags & CharacterClass.number != 0, code < 0x100 { return true }
        guard let properties = Unicode.Scalar(code)?.properties else { return false }
        let category = properties.generalCategory
        return properties.isAlphabetic || category == .decimalNumber || category == .connectorPunctuation
    }
}
