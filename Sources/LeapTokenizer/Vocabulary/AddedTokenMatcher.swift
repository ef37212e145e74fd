/// Finds the tokens that are looked for in the text itself, before any rule cuts it.
///
/// llama.cpp's order: the longest token is found everywhere before a shorter one is looked for. That is the leftmost
/// longest match wherever matches do not overlap; where they do, the overlapping ones are taken together and sorted out
/// by length.
struct AddedTokenMatcher: Sendable {
    /// A stretch of the text that is a token.
    struct Match {
        var start: Int
        var end: Int
        var token: TokenID
    }

    /// User-defined tokens, which are always looked for.
    private var always = ByteTrie()
    /// The same tokens, and control and unknown ones.
    private var special = ByteTrie()
    /// Tokens that take the whitespace to their left with them.
    private let stripsLeft: Set<TokenID>
    /// Tokens that take the whitespace to their right with them.
    private let stripsRight: Set<TokenID>

    init(_ vocabulary: Vocabulary, stripsLeft: Set<TokenID>, stripsRight: Set<TokenID>) {
        self.stripsLeft = stripsLeft
        self.stripsRight = stripsRight
        for token in 0..<vocabulary.count {
            switch vocabulary.kinds[token] {
            case .userDefined:
                always.insert(vocabulary.texts[token], Int32(token))
                special.insert(vocabulary.texts[token], Int32(token))
            case .control, .unknown:
                special.insert(vocabulary.texts[token], Int32(token))
            default:
                break
            }
        }
    }

    /// Calls `text` with the bounds of each stretch of plain text and `token` with each token found, in order.
    ///
    /// No control or unknown token is found that begins at one of `literalStarts`.
    func forEachFragment(
        _ bytes: UnsafeBufferPointer<UInt8>, parseSpecial: Bool, literalStarts: Set<Int> = [],
        text: (Int, Int) -> Void, token: (TokenID) -> Void
    ) {
        let trie = parseSpecial ? special : always
        var fragmentStart = 0
        var position = 0
        func accept(_ match: Match) {
            var end = match.start
            if stripsLeft.contains(match.token) {
                while end > fragmentStart, Self.isSpace(bytes[end - 1]) { end -= 1 }
            }
            if end > fragmentStart { text(fragmentStart, end) }
            token(match.token)
            fragmentStart = match.end
            if stripsRight.contains(match.token) {
                while fragmentStart < bytes.count, Self.isSpace(bytes[fragmentStart]) { fragmentStart += 1 }
            }
            position = max(match.end, fragmentStart)
        }
        while !trie.isEmpty, position < bytes.count {
            guard trie.mayStart(with: bytes[position]) else {
                position += 1
                continue
            }
            if literalStarts.contains(position) {
                let (length, value) = always.longestMatch(bytes, at: position)
                if length == 0 {
                    position += 1
                } else {
                    accept(Match(start: position, end: position + length, token: value))
                }
                continue
            }
            let (length, value) = trie.longestMatch(bytes, at: position)
            if length == 0 {
                position += 1
            } else if let cluster = Self.cluster(trie, bytes, at: position, length: length) {
                let before = position
                for match in cluster where match.start >= fragmentStart && !literalStarts.contains(match.start) {
                    accept(match)
                }
                if position == before { position += 1 }
            } else {
                accept(Match(start: position, end: position + length, token: value))
            }
        }
        if fragmentStart < bytes.count { text(fragmentStart, bytes.count) }
    }

    /// C's `isspace`.
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

    /// The matches to take where a longer one starts inside the match at `start`; nil where none does.
    private static func cluster(
        _ trie: ByteTrie, _ bytes: UnsafeBufferPointer<UInt8>, at start: Int, length: Int
    ) -> [Match]? {
        guard length < trie.maximumLength else { return nil }
        let isContested = (start + 1..<start + length).contains {
            trie.longestMatch(bytes, at: $0).length > length
        }
        guard isContested else { return nil }
        // Everything that overlaps, directly or through others.
        var candidates: [Match] = []
        var end = start + length
        var position = start
        while position < end {
            var node = ByteTrie.root
            var index = position
            while index < bytes.count, let next = trie.child(of: node, bytes[index]) {
                node = next
                index += 1
                if trie.value(at: node) >= 0 {
                    candidates.append(Match(start: position, end: index, token: trie.value(at: node)))
                }
            }
            if let last = candidates.last, last.start == position { end = max(end, last.end) }
            position += 1
        }
        candidates.sort {
            let (left, right) = ($0.end - $0.start, $1.end - $1.start)
            return left != right ? left > right : $0.start < $1.start
        }
        var isTaken = [Bool](repeating: false, count: end - start)
        var taken: [Match] = []
        for match in candidates {
            let range = match.start - start..<match.end - start
            if isTaken[range].contains(true) { continue }
            for index in range { isTaken[index] = true }
            taken.append(match)
        }
        return taken.sorted { $0.start < $1.start }
    }
}
