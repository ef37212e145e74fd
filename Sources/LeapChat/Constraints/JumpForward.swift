import LeapGrammar
import LeapTokenizer

/// Turns text that must come into the tokens that the tokenizer itself would choose for it.
///
/// The last tokens of the text may become others once it is known what follows, so only those are given that cannot.
struct JumpForward {
    /// Bytes before the forced text that are tokenized with it: enough for every pre-tokenizer to see what it looks at.
    static let contextLength = 64
    /// Ways to go on after the text that are tried.
    private static let probeCount = 24

    let tokenizer: Tokenizer

    /// The tokens of forced text, as far as they are certain.
    ///
    /// - Parameters:
    ///   - forced: the text; nil for none.
    ///   - context: the text before it, which begins at a token's start.
    func tokens(of forced: ForcedText?, after context: [UInt8]) -> [TokenID] {
        guard let forced, !forced.bytes.isEmpty else { return [] }
        // At the start of a reply stands a line end in most chat formats; without anything, SentencePiece would add a
        // space.
        let context = context.isEmpty ? [0x0A] : context
        let text = context + forced.bytes
        guard let whole = pieces(text), let first = whole.ends.firstIndex(of: context.count) else { return [] }
        var last = whole.ends.count
        if !forced.isFinal {
            let closed = text.count - forced.openCount
            while last > first + 1, whole.ends[last - 1] > closed { last -= 1 }
            if last > first + 1 { last = commonCount(whole.tokens, last, text, forced.nextBytes) }
        }
        guard last > first + 1 else { return [] }
        return Array(whole.tokens[(first + 1)..<last])
    }

    /// Returns the number of the first `count` tokens that stay the same whatever byte follows the text.
    private func commonCount(_ tokens: [TokenID], _ count: Int, _ text: [UInt8], _ next: [UInt8]) -> Int {
        var count = count
        let stride = max(1, next.count / Self.probeCount)
        for index in Swift.stride(from: 0, to: next.count, by: stride) {
            // A lead byte alone is no text; what follows it cannot join what stands before it either.
            let byte = next[index]
            guard byte < 0x80 else { continue }
            let probe = tokenizer.encode(utf8: text + [byte], addSpecial: false)
            var common = 0
            while common < count, common < probe.count, probe[common] == tokens[common] { common += 1 }
            count = common
        }
        return count
    }

    /// The tokens of a text and where each ends; nil where they do not spell it.
    private func pieces(_ text: [UInt8]) -> (tokens: [TokenID], ends: [Int])? {
        let tokens = tokenizer.encode(utf8: text, addSpecial: false)
        var spelled: [UInt8] = []
        var ends: [Int] = []
        for token in tokens {
            tokenizer.appendBytes(of: token, to: &spelled)
            ends.append(spelled.count)
        }
        if spelled == text { return (tokens, ends) }
        // SentencePiece puts a space before a text.
        guard spelled.count == text.count + 1, spelled.first == 0x20, spelled.dropFirst().elementsEqual(text) else {
            return nil
        }
        return (tokens, ends.map { $0 - 1 })
    }
}
