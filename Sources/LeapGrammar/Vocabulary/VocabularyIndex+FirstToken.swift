extension VocabularyIndex {
    /// A token whose bytes are a prefix of some text: the longest one, or the shortest; nil where there is none.
    package func firstToken(of text: ArraySlice<UInt8>, longest: Bool) -> (token: Int32, length: Int)? {
        var node = 0
        var found: (token: Int32, length: Int)?
        for (index, byte) in text.enumerated() {
            node = trie.child(node, byte)
            if node < 0 { break }
            let token = trie.nodes[node].token
            guard token >= 0 else { continue }
            found = (token, index + 1)
            if !longest { break }
        }
        return found
    }
}
