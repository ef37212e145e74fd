/// Ending in time: a shortest way out of every state, in bytes and in tokens.
extension GrammarAutomaton {
    /// Returns the first symbol of the way out of a state, which lowers the closing cost; nil where none does.
    ///
    /// The way is a function of the state, so the way out of every state on it is the rest of it.
    mutating func exitByte(_ state: Int32, _ vocabulary: VocabularyIndex) -> Int? {
        let cost = cost(ofState: state)
        let bytes = bytes(ofState: state)
        var best: Int?
        // Brackets and commas are text too, inside of a string that is too short yet: fillers go before them.
        if let found = firstExit(Self.quotes, state, bytes, cost) { return found }
        if let found = firstExit(vocabulary.fillers.bytes(before: owed(state)), state, bytes, cost) { return found }
        if let found = firstExit(Self.closers, state, bytes, cost) { return found }
        bytes.forEach { byte in
            if best != nil { return }
            let next = step(state, Int(byte))
            if next >= 0, self.cost(ofState: next) < cost { best = Int(byte) }
        }
        if let best { return best }
        for (local, _) in configurations(state) where takesSpecials(local) {
            for symbol in specials(of: locals[local]) {
                let next = step(state, Int(symbol))
                if next >= 0, self.cost(ofState: next) < cost { return Int(symbol) }
            }
        }
        return nil
    }

    private mutating func firstExit(_ candidates: [UInt8], _ state: Int32, _ bytes: ByteSet, _ cost: Int32) -> Int? {
        for byte in candidates where bytes.contains(byte) {
            let next = step(state, Int(byte))
            if next >= 0, self.cost(ofState: next) < cost { return Int(byte) }
        }
        return nil
    }

    /// Bytes that a string still owes, or else the text: what its filling is aligned by.
    private mutating func owed(_ state: Int32) -> Int {
        if let only = onlyLocal(state), locals[only].kind == .string, locals[only].b == 0 {
            return Int(terms.cost(locals[only].a))
        }
        return Int(cost(ofState: state))
    }

    private static let quotes = [UInt8(ascii: "\"")]
    static let closers = Array("}],:0".utf8)

    /// Bytes of the longest way out that is searched.
    static let longestExit = 200_000

    /// Tokens of the way out of a state; `Int.max` where none was found or it is longer than what is searched.
    mutating func tokensToFinish(_ state: Int32, _ vocabulary: VocabularyIndex) -> Int {
        if let known = exits[state] { return known }
        guard Int(cost(ofState: state)) <= Self.longestExit else { return .max }
        var path: [Int32] = [state]
        var symbols: [Int] = []
        /// Beyond a state whose way out is known, as far as a token that begins before it may reach.
        var beyond = 0
        while let last = path.last, !isAccepting(last) {
            if exits[last] != nil {
                beyond += 1
                if beyond > vocabulary.trie.maximumDepth { break }
            }
            // What is left is for the mask itself.
            guard symbols.count <= Self.longestExit, terms.work.left > WorkBudget.matching / 4 else { return .max }
            guard let symbol = exitByte(last, vocabulary) else { return .max }
            symbols.append(symbol)
            path.append(step(last, symbol))
        }
        let counts = Self.tokenCounts(symbols, vocabulary, atEnd: exits[path[path.count - 1]] ?? 0)
        for (index, state) in path.enumerated() { exits.lower(state, to: counts[index]) }
        return counts[0]
    }

    /// Fewest tokens from each place of a way to its end, and as many more as are needed there.
    static func tokenCounts(_ symbols: [Int], _ vocabulary: VocabularyIndex, atEnd count: Int = 0) -> [Int] {
        var counts = [Int](repeating: .max, count: symbols.count + 1)
        counts[symbols.count] = count
        for start in stride(from: symbols.count - 1, through: 0, by: -1) {
            if symbols[start] >= Self.firstSpecial {
                counts[start] = counts[start + 1] == .max ? .max : counts[start + 1] + 1
                continue
            }
            var node = 0
            var end = start
            while end < symbols.count, symbols[end] < 256 {
                node = vocabulary.trie.child(node, UInt8(symbols[end]))
                if node < 0 { break }
                end += 1
                if vocabulary.trie.nodes[node].token >= 0, counts[end] != .max {
                    counts[start] = min(counts[start], counts[end] + 1)
                }
            }
        }
        return counts
    }

    /// Leaves of a mask the tokens after which the text can still end with `remaining − 1` more.
    mutating func restrict(
        _ state: Int32, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>, remaining: Int
    ) {
        let limit = remaining - 1
        let full = Array(UnsafeBufferPointer(start: mask, count: vocabulary.maskWordCount))
        mask.update(repeating: 0, count: vocabulary.maskWordCount)
        guard limit >= 0 else { return }
        // The way out itself comes first, so that whatever else is cut short it stays open.
        if tokensToFinish(state, vocabulary) > remaining {
            _ = searchedTokensToFinish(state, vocabulary, limit: remaining)
        }
        var searches = 256
        var verdicts: [Int32: Bool] = [:]
        func isInTime(_ next: Int32) -> Bool {
            if let known = verdicts[next] { return known }
            var result = Int(cost(ofState: next)) <= limit && isByteComplete(vocabulary)
            if !result {
                if let known = exits[next] {
                    result = known <= limit
                } else if searches > 0, Int(cost(ofState: next)) / max(vocabulary.trie.maximumDepth, 1) <= limit {
                    searches -= 1
                    result = tokensToFinish(next, vocabulary) <= limit
                }
            }
            verdicts[next] = result
            return result
        }
        var stack = [Int32](repeating: state, count: vocabulary.trie.maximumDepth + 2)
        let nodes = vocabulary.trie.nodes
        var index = 1
        while index < nodes.count {
            let node = nodes[index]
            let next = step(stack[Int(node.depth) - 1], Int(node.byte))
            if next < 0 {
                index = Int(node.end)
                continue
            }
            stack[Int(node.depth)] = next
            if node.token >= 0, isInTime(next) { Self.set(mask, node.token) }
            index += 1
        }
        for (token, other) in vocabulary.trie.duplicates where mask[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1 {
            Self.set(mask, other)
        }
        for token in vocabulary.vocabulary.specialTokens {
            guard Int(token) < vocabulary.vocabulary.count, full[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1 else {
                continue
            }
            let symbol = program.specialTokens.firstIndex(of: token).map { Self.firstSpecial + $0 } ?? Self.otherSpecial
            let next = step(state, symbol)
            if next >= 0, isInTime(next) { Self.set(mask, token) }
        }
    }

    /// True if every byte has a token of its own: then a way of n bytes needs at most n tokens.
    private mutating func isByteComplete(_ vocabulary: VocabularyIndex) -> Bool { vocabulary.isByteComplete }
}
