/// Texts that few tokens spell, for ways through strings that have to have a length: a word of one token, over and
/// over.
///
/// The next byte depends on nothing but the number of bytes that are owed, so that the way out of every position
/// on it is the rest of it.
struct Fillers: Sendable {
    /// One word for each kind of characters that patterns ask for, the one with most characters to choose from first.
    private let words: [[UInt8]]

    /// Words that are compared, for each kind.
    private static let candidateCount = 24
    /// Bytes of text by which they are compared.
    private static let sampleLength = 64

    private static let kinds: [@Sendable (UInt8) -> Bool] = [
        { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") },
        { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) },
        { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) },
        { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) },
    ]

    init(_ trie: TokenTrie) {
        words = Self.kinds.compactMap { isOfKind in
            Self.longest(trie, isOfKind).min { Self.tokenCount($0, trie) < Self.tokenCount($1, trie) }
        }
    }

    /// The next byte of each word's repetition that ends after `count` more bytes.
    func bytes(before count: Int) -> [UInt8] { words.map { $0[($0.count - count % $0.count) % $0.count] } }

    /// The longest tokens of a kind of characters.
    private static func longest(_ trie: TokenTrie, _ isOfKind: (UInt8) -> Bool) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var path: [UInt8] = []
        var index = 1
        while index < trie.nodes.count {
            let node = trie.nodes[index]
            path.removeSubrange((Int(node.depth) - 1)...)
            guard isOfKind(node.byte) else {
                index = Int(node.end)
                continue
            }
            path.append(node.byte)
            if node.token >= 0 {
                found.append(path)
                if found.count > 8 * candidateCount { found = longest(found) }
            }
            index += 1
        }
        return longest(found)
    }

    private static func longest(_ words: [[UInt8]]) -> [[UInt8]] {
        // (Of words of one length the first ones, so that the choice is the same each time.)
        let sorted = words.enumerated().sorted {
            $0.element.count != $1.element.count ? $0.element.count > $1.element.count : $0.offset < $1.offset
        }
        return sorted.prefix(candidateCount).map(\.element)
    }

    /// Tokens that all ends of a word's repetition need, together.
    private static func tokenCount(_ word: [UInt8], _ trie: TokenTrie) -> Int {
        let text = (0..<sampleLength).map { word[(word.count - (sampleLength - $0) % word.count) % word.count] }
        var counts = [Int](repeating: sampleLength * sampleLength, count: text.count + 1)
        counts[text.count] = 0
        for start in text.indices.reversed() {
            var node = 0
            for end in start..<text.count {
                node = trie.child(node, text[end])
                if node < 0 { break }
                if trie.nodes[node].token >= 0 { counts[start] = min(counts[start], counts[end + 1] + 1) }
            }
        }
        return counts.reduce(0, +)
    }
}
