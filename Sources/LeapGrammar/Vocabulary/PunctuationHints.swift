/// Tokens by what they hold of JSON's punctuation: which of them can end one item or key, and another.
struct PunctuationHints: Sendable {
    /// Tokens with at least so many quotation marks (1, 2, 3) and something after a comma.
    private(set) var continuing: [[Int32]] = [[], [], [], []]
    /// Tokens with at least so many quotation marks and a comma.
    private(set) var separating: [[Int32]] = [[], [], [], []]
    /// Tokens with at least so many quotation marks (1, 2, 3).
    private(set) var quoted: [[Int32]] = [[], [], [], []]

    init(_ vocabulary: TokenVocabulary, _ trie: TokenTrie) {
        for token in trie.tokens {
            let bytes = vocabulary.bytes(of: token)
            let quotes = min(bytes.count { $0 == UInt8(ascii: "\"") }, 3)
            let rest = bytes.drop { $0 != UInt8(ascii: ",") }
            let continues = rest.dropFirst().contains { (byte: UInt8) -> Bool in byte > 0x20 }
            for count in 0..<(quotes + 1) {
                if count > 0 { quoted[count].append(token) }
                if !rest.isEmpty { separating[count].append(token) }
                if continues { continuing[count].append(token) }
            }
        }
    }
}
