/// Tokens that go on after a mark of JSON, with the tokens that end with it.
///
/// Vocabularies have `",` as one token besides `"`. A model that ends a string with it says two things: that the string
/// ends, and that a member follows. Where none may follow, only `"` is allowed, of which the model never thought;
/// without the former token's weight it would go on with the string.
enum TokenStems {
    private static let marks: Set<UInt8> = [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]")]

    /// The tokens with one or more of these inside, and the tokens that are their beginnings up to one, the longest
    /// first.
    static func list(_ vocabulary: TokenVocabulary, _ trie: TokenTrie) -> [(token: Int32, stems: [Int32])] {
        trie.tokens.compactMap { token in
            let bytes = vocabulary.bytes(of: token)
            guard bytes.dropLast().contains(where: marks.contains) else { return nil }
            var stems: [Int32] = []
            var node = 0
            for byte in bytes.dropLast() {
                node = trie.child(node, byte)
                guard node >= 0 else { break }
                if marks.contains(byte), trie.nodes[node].token >= 0 { stems.append(trie.nodes[node].token) }
            }
            return stems.isEmpty ? nil : (token, Array(stems.reversed()))
        }
    }
}
