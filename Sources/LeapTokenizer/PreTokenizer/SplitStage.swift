/// One step of a pre-tokenizer: it cuts every piece of the step before into smaller ones.
enum SplitStage: Sendable, Equatable {
    /// GPT-2's rule.
    case gpt2
    /// A rule of the `cl100k_base` family.
    case words(WordRule)
    /// Runs of one character set, and what lies between.
    case runs(RunRule)
    /// DeepSeek V3's last rule.
    case deepSeekWords
    /// `\s+$`
    case trailingWhitespace
    /// Digits in threes from the right.
    case thousands(ThousandsRule)

    /// Cuts `text` from `start` to `limit`, into `maximum` pieces at most.
    ///
    /// Every rule looks at a character a bounded number of times, so the time is linear in the length.
    ///
    /// - Returns: Where the last piece ends.
    func cut(_ text: ScalarText, _ start: Int, _ limit: Int, maximum: Int, into ends: PieceEnds) -> Int {
        var position = start
        let full = maximum == .max ? .max : ends.count + maximum
        switch self {
        case .gpt2:
            while position < limit, ends.count < full {
                position = GPT2Rule.end(text, position, limit)
                ends.append(position)
            }
        case .words(let rule):
            while position < limit, ends.count < full {
                position = rule.end(text, position, limit)
                ends.append(position)
            }
        case .runs(let rule):
            while position < limit, ends.count < full {
                position = rule.end(text, position, limit)
                ends.append(position)
            }
        case .deepSeekWords:
            while position < limit, ends.count < full {
                position = DeepSeekWordRule.end(text, position, limit)
                ends.append(position)
            }
        case .trailingWhitespace:
            let end = Self.trailingWhitespace(text, start, limit)
            if end > start { ends.append(end) }
            if end < limit { ends.append(limit) }
            return limit
        case .thousands(let rule):
            rule.cut(text, start, limit, into: ends)
            return limit
        }
        return position
    }

    /// Returns the start of the whitespace at the end.
    private static func trailingWhitespace(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int {
        var position = limit
        while position > start {
            var previous = position - 1
            while text[previous] & 0xC0 == 0x80 { previous -= 1 }
            if text.flags(previous) & CharacterClass.whitespace == 0 { break }
            position = previous
        }
        return position
    }
}
