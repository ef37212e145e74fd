/// Words that end where the case changes, as GPT-4o's and Tekken's rules have them.
extension WordRule {
    /// Returns the end of the word at `start`; nil where there is none.
    ///
    /// The second character is at `next`, and `mayLead` says whether the first can be the optional leading one.
    /// The four ways to match are tried in the order in which a backtracking engine meets them: with the leading
    /// character and without it, first with a lower part, then without one.
    func casedWordEnd(_ text: ScalarText, _ start: Int, _ next: Int, _ limit: Int, mayLead: Bool) -> Int? {
        if mayLead, let end = lowerPartEnd(text, next, limit) { return end }
        if let end = lowerPartEnd(text, start, limit) { return end }
        if mayLead, let end = upperPartEnd(text, next, limit) { return end }
        return upperPartEnd(text, start, limit)
    }

    /// `upper* lower+`: as many upper characters as leave one lower, then all lower ones.
    private func lowerPartEnd(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int? {
        var position = start
        // After the last character that can be both: where a lower part of one ends if no lower-only character follows.
        var afterLower: Int?
        while position < limit {
            let (flags, next) = caseFlags(text, position)
            if flags & CharacterClass.upper == 0 {
                if flags & CharacterClass.lower == 0 { break }
                return lowerRunEnd(text, next, limit)
            }
            if flags & CharacterClass.lower != 0 { afterLower = next }
            position = next
        }
        return afterLower
    }

    private func lowerRunEnd(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        var position = start
        while position < limit {
            let (flags, next) = caseFlags(text, position)
            if flags & CharacterClass.lower == 0 { break }
            position = next
        }
        return position
    }

    /// `upper+`, which is all of `upper+ lower*` once `upper* lower+` has failed.
    private func upperPartEnd(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int? {
        var position = start
        while position < limit {
            let (flags, next) = caseFlags(text, position)
            if flags & CharacterClass.upper == 0 { break }
            position = next
        }
        return position > start ? position : nil
    }

    @inline(__always)
    private func caseFlags(_ text: ScalarText, _ position: Int) -> (flags: UInt8, next: Int) {
        let (flags, next) = text.read(position)
        if letters == .casedWithoutHan, flags & CharacterClass.upper != 0,
            HanScript.contains(text.scalar(position).code)
        {
            return (0, next)
        }
        return (flags, next)
    }
}
