import LeapTokenizer

/// Finds where the latest tokens of a sequence stood before, and proposes what followed them there.
///
/// Source: A. Saxena, "Prompt Lookup Decoding" (2023).
struct PromptLookup {
    /// Tokens that have to be the same.
    static let matchLength = 3

    private var tokens: [TokenID] = []
    /// The index behind the latest occurrence of so many tokens.
    private var ends: [Match: Int] = [:]
    /// The index of the token that is expected next, in the place that the sequence repeats.
    private var source: Int?

    private struct Match: Hashable {
        let first: TokenID
        let second: TokenID
        let third: TokenID
    }

    init(_ prompt: [TokenID]) {
        tokens.reserveCapacity(prompt.count)
        for token in prompt { append(token) }
    }

    /// Takes the next token of the sequence.
    mutating func append(_ token: TokenID) {
        tokens.append(token)
        // A place that goes on to be repeated is better than the latest one that has three tokens in common.
        source = source.flatMap { tokens[$0] == token ? $0 + 1 : nil }
        let count = tokens.count
        guard count >= Self.matchLength else { return }
        let match = Match(first: tokens[count - 3], second: tokens[count - 2], third: tokens[count - 1])
        let before = ends.updateValue(count, forKey: match)
        source = source ?? before
    }

    /// Returns the tokens that followed, at most `count`.
    func proposal(_ count: Int) -> ArraySlice<TokenID> {
        guard let source, count > 0 else { return [] }
        // What stands for pictures cannot be drawn.
        return tokens[source..<min(source + count, tokens.count)].prefix { $0 >= 0 }
    }
}
