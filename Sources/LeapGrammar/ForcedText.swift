/// The text that must come next, and how much of it a tokenizer can already be sure of.
package struct ForcedText: Sendable {
    /// The bytes that must come.
    package var bytes: [UInt8]
    /// True if the whole text ends with them.
    package var isFinal: Bool
    /// The number of last bytes that could be the beginning of a token that goes on into what follows.
    package var openCount: Int
    /// The bytes that may follow.
    package var nextBytes: [UInt8]
}

extension GrammarMatcher {
    /// Returns the text that must come next; empty where there is a choice, or where the text may end.
    package func forcedText(limit: Int = 4096) -> ForcedText {
        let bytes = forcedBytes(limit: limit)
        guard !bytes.isEmpty else { return ForcedText(bytes: [], isFinal: false, openCount: 0, nextBytes: []) }
        let end = copy()
        guard end.accept(bytes: bytes) else {
            return ForcedText(bytes: [], isFinal: false, openCount: 0, nextBytes: [])
        }
        var next: [UInt8] = []
        end.withAutomaton(or: ()) { engine, position in
            if position.state >= 0 { engine.bytes(ofState: position.state).forEach { next.append($0) } }
        }
        return ForcedText(
            bytes: bytes, isFinal: end.isFinished, openCount: openCount(bytes, before: next), nextBytes: next)
    }

    /// The longest end of the bytes that some token has, with one of the following bytes after it.
    private func openCount(_ bytes: [UInt8], before next: [UInt8]) -> Int {
        let trie = vocabulary.trie
        var start = max(0, bytes.count - trie.maximumDepth)
        while start < bytes.count {
            var node = 0
            for byte in bytes[start...] {
                node = trie.child(node, byte)
                if node < 0 { break }
            }
            if node >= 0, next.contains(where: { trie.child(node, $0) >= 0 }) { return bytes.count - start }
            start += 1
        }
        return 0
    }
}
