/// Masks and ways out where items or keys must differ.
extension GrammarAutomaton {
    /// Takes out of a mask the tokens that would end an item or a key like an earlier one, or leave no other.
    ///
    /// The mask of a state knows nothing of what was written; most tokens cannot come in conflict with it, and only
    /// those that can are read.
    mutating func removeRepetitions(
        _ position: Position, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>
    ) {
        guard let ledger = position.ledger else { return }
        let trie = vocabulary.trie
        let need = need(ledger)
        var hasRemoved = false
        func isSet(_ token: Int32) -> Bool { mask[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1 }
        func remove(_ token: Int32) {
            if isSet(token) {
                mask[Int(token) >> 6] &= ~(1 << UInt64(token & 63))
                hasRemoved = true
            }
        }
        if let tokens = need.tokens(vocabulary.hints) {
            for token in tokens
            where isSet(token) && !isHarmless(token, position, vocabulary)
                && !isAlive(after: token, position, vocabulary)
            {
                remove(token)
            }
        }
        if need.reading == .everything, let depth = ledger.itemDepth, depth > 0 {
            removeInside(position, depth, vocabulary, isSet: isSet, remove: remove)
        } else if need.reading != .nothing {
            removeRead(position, trie, need.reading, isSet: isSet, remove: remove)
        }
        if hasRemoved { Self.removeDuplicates(trie, mask) }
    }

    /// Takes out tokens that are found byte by byte.
    private mutating func removeRead(
        _ start: Position, _ trie: TokenTrie, _ reading: RepetitionNeed.Reading, isSet: (Int32) -> Bool,
        remove: (Int32) -> Void
    ) {
        var stack: [(node: Int, position: Position, isFiltered: Bool)] = [(0, start, false)]
        if reading == .repeating {
            stack = removeEndings(start, trie, isSet: isSet, remove: remove)
        }
        while let (node, position, isFiltered) = stack.popLast() {
            caches.countVisits(1)
            let bytes = bytes(ofState: position.state)
            let wanted = reading == .repeating && !isFiltered ? position.ledger?.repeatingBytes : nil
            for index in Int(trie.childStarts[node])..<Int(trie.childStarts[node + 1]) {
                let child = trie.children[index]
                let below = Int(child.node)
                if let wanted, !wanted.contains(child.byte) { continue }
                if !bytes.contains(child.byte) {
                    // Tokens that only the state before it was filtered takes.
                    if isFiltered { for place in trie.tokenRange(below) { remove(trie.tokens[place]) } }
                    continue
                }
                var next = position
                advance(&next, Int(child.byte))
                if next.state < 0 {
                    for place in trie.tokenRange(below) { remove(trie.tokens[place]) }
                    continue
                }
                guard let ledger = next.ledger else { continue }
                let token = trie.nodes[below].token
                if token >= 0, isSet(token), !isAlive(next) { remove(token) }
                // What leaves the earlier texts cannot repeat one; what comes after its end is listed.
                if reading == .repeating, !ledger.isDirect || !ledger.isConsistent { continue }
                if trie.childStarts[below] < trie.childStarts[below + 1] {
                    stack.append((below, next, isFiltered || ledger.repeatsItem || ledger.repeatsKey))
                }
            }
        }
    }

    /// Follows the earlier texts in the tree as far as they are written without escapes, and takes out the tokens that
    /// end one.
    ///
    /// Inside of them the ledger would only say how much was read, so it is not kept.
    ///
    /// - Returns: Where there is more to be read with it.
    private mutating func removeEndings(
        _ start: Position, _ trie: TokenTrie, isSet: (Int32) -> Bool, remove: (Int32) -> Void
    ) -> [(node: Int, position: Position, isFiltered: Bool)] {
        guard let ledger = start.ledger, let text = ledger.beginning(after: 0) else { return [(0, start, false)] }
        var rest: [(node: Int, position: Position, isFiltered: Bool)] = []
        var path: [UInt8] = []
        var stack: [(node: Int, byte: UInt8, depth: Int, state: Int32, text: ValueMark)] = [
            (0, 0, 0, start.state, text)
        ]
        while let (node, byte, depth, state, text) = stack.popLast() {
            if depth > 0 {
                path.removeSubrange((depth - 1)...)
                path.append(byte)
            }
            if ledger.beginning(after: depth) == nil {
                rest.append((node, position(start, after: path), false))
                continue
            }
            let wanted = ledger.repeatingBytes(after: text).intersection(bytes(ofState: state))
            for index in Int(trie.childStarts[node])..<Int(trie.childStarts[node + 1]) {
                let child = trie.children[index]
                guard wanted.contains(child.byte) else { continue }
                let below = Int(child.node)
                let token = trie.nodes[below].token
                let hasMore = trie.childStarts[below] < trie.childStarts[below + 1]
                if child.byte == UInt8(ascii: "\"") || child.byte == UInt8(ascii: "\\") {
                    let next = position(start, after: path + [child.byte])
                    if next.state < 0 {
                        for place in trie.tokenRange(below) { remove(trie.tokens[place]) }
                        continue
                    }
                    if token >= 0, isSet(token), !isAlive(next) { remove(token) }
                    // What comes after its end is listed.
                    if hasMore, next.ledger?.isDirect ?? false { rest.append((below, next, false)) }
                    continue
                }
                let next = step(state, Int(child.byte))
                if next < 0 {
                    for place in trie.tokenRange(below) { remove(trie.tokens[place]) }
                    continue
                }
                if token >= 0, isSet(token), Int(room(next)) <= ledger.usedCount,
                    !isAlive(position(start, after: path + [child.byte]))
                {
                    remove(token)
                }
                if hasMore {
                    var longer = text
                    longer.add(child.byte)
                    stack.append((below, child.byte, depth + 1, next, longer))
                }
            }
        }
        return rest
    }

    private mutating func position(_ start: Position, after bytes: [UInt8]) -> Position {
        var next = start
        for byte in bytes where next.state >= 0 { advance(&next, Int(byte)) }
        return next
    }

    private static func removeDuplicates(_ trie: TokenTrie, _ mask: UnsafeMutablePointer<UInt64>) {
        for (token, other) in trie.duplicates where mask[Int(token) >> 6] >> UInt64(token & 63) & 1 == 0 {
            mask[Int(other) >> 6] &= ~(1 << UInt64(other & 63))
        }
    }

    mutating func isAlive(after token: Int32, _ position: Position, _ vocabulary: VocabularyIndex) -> Bool {
        var next = position
        for byte in vocabulary.vocabulary.bytes(of: token) {
            advance(&next, Int(byte))
            if next.state < 0 { return false }
        }
        return isAlive(next)
    }

    /// Returns a description of the tokens that can come in conflict with what was written.
    private func need(_ ledger: Ledger) -> RepetitionNeed {
        let isInText = ledger.place == .string || ledger.place == .key
        if ledger.isDirect, ledger.usedFrames <= 1 || ledger.place == .key && !ledger.hasItems {
            let reading: RepetitionNeed.Reading = ledger.isConsistent ? .repeating : .nothing
            guard ledger.place == .key else { return RepetitionNeed(quotes: 1, holds: .continuing, reading: reading) }
            return distinctness.hasFewNames
                ? RepetitionNeed(quotes: 1, holds: .separating, reading: reading)
                : RepetitionNeed(quotes: 3, holds: .continuing, reading: reading)
        }
        if ledger.hasItems {
            if ledger.isDirect, ledger.isConsistent {
                // An item that is a string, in one such array only: what goes on like an earlier item, and what ends
                // it, which holds a quotation mark.
                return ledger.place == .string && ledger.frames.count { $0.isArray && $0.isTracked } == 1
                    ? RepetitionNeed(quotes: 1, holds: .anything, reading: .repeating)
                    : RepetitionNeed(reading: .everything)
            }
            return isInText ? RepetitionNeed(quotes: 1, holds: .anything) : RepetitionNeed(reading: .everything)
        }
        if ledger.frames.contains(where: { $0.isArray && $0.isTracked }) {
            return RepetitionNeed(quotes: isInText ? 1 : 0, holds: distinctness.hasFewNames ? .separating : .continuing)
        }
        if ledger.place == .beforeKey {
            return RepetitionNeed(quotes: distinctness.hasFewNames ? 1 : 2, holds: .anything)
        }
        if distinctness.hasFewNames { return RepetitionNeed(quotes: isInText ? 1 : 0, holds: .separating) }
        return RepetitionNeed(quotes: isInText ? 3 : 2, holds: .continuing)
    }

    // MARK: Ways out

    /// True if the search for a way out has to take into account what was written.
    func repeatsOnWayOut(_ position: Position) -> Bool {
        if distinctness.needsDistinctWays { return true }
        guard let ledger = position.ledger, ledger.usedCount > 0 else { return false }
        return ledger.place == .key || ledger.place == .beforeKey
    }

    /// Bytes by which the way out may be longer than its state says, about.
    func detour(_ position: Position) -> Int {
        guard repeatsOnWayOut(position) else { return 0 }
        return 8 + 2 * (position.ledger?.usedCount ?? 0) + Int(distinctness.largestItem)
    }

    /// A short way to the end of the text, as symbols; nil where none was found.
    ///
    /// Each step depends on the position alone, so the way out of every position on it is the rest of it.
    mutating func wayOut(_ start: Position, _ vocabulary: VocabularyIndex) -> [Int]? {
        var position = start
        var symbols: [Int] = []
        while !isAccepting(position.state) {
            guard symbols.count < 100_000, let (symbol, next) = stepOut(position, vocabulary) else { return nil }
            symbols.append(symbol)
            position = next
        }
        return symbols
    }

    private mutating func stepOut(_ position: Position, _ vocabulary: VocabularyIndex) -> (Int, Position)? {
        // The byte that the state alone would take, mostly.
        if let symbol = exitByte(position.state, vocabulary) {
            var next = position
            advance(&next, symbol)
            if !repeatsItem(next), isAlive(next) { return (symbol, next) }
        }
        return stepAround(position, vocabulary)
    }

    private func repeatsItem(_ position: Position) -> Bool { position.ledger?.repeatsItem ?? false }

    /// A step that repeats nothing, where the nearest would.
    private mutating func stepAround(_ position: Position, _ vocabulary: VocabularyIndex) -> (Int, Position)? {
        let cost = cost(ofState: position.state)
        var others: [(byte: UInt8, next: Position)] = []
        for byte in orderedBytes(position.state).reversed() {
            var next = position
            advance(&next, Int(byte))
            if next.state < 0 { continue }
            if self.cost(ofState: next.state) < cost, !repeatsItem(next), isAlive(next) { return (Int(byte), next) }
            others.append((byte, next))
        }
        // No byte leads nearer: the text gets longer until it differs. A 1 first: zeros may add nothing.
        let isInText = position.ledger.map { $0.place == .string || $0.place == .key } ?? false
        for byte in [isInText ? vocabulary.filler : UInt8(ascii: "1")] {
            if let found = others.first(where: { $0.byte == byte }), isAlive(found.next) {
                return (Int(byte), found.next)
            }
        }
        for (byte, next) in others where isAlive(next) { return (Int(byte), next) }
        return nil
    }

    /// Bytes of a way out, at most.
    mutating func bytesToFinish(_ position: Position, _ vocabulary: VocabularyIndex) -> Int {
        let cost = Int(cost(ofState: position.state))
        return repeatsOnWayOut(position) ? wayOut(position, vocabulary)?.count ?? cost : cost
    }

    /// Tokens of a way out; `Int.max` where none was found.
    mutating func tokensToFinish(_ position: Position, _ vocabulary: VocabularyIndex) -> Int {
        guard repeatsOnWayOut(position) else { return tokensToFinish(position.state, vocabulary) }
        guard let symbols = wayOut(position, vocabulary) else { return .max }
        return Self.tokenCounts(symbols, vocabulary)[0]
    }

    /// Leaves of a mask the tokens after which the text can still end with `remaining − 1` more.
    mutating func restrict(
        _ position: Position, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>, remaining: Int
    ) {
        guard repeatsOnWayOut(position) else {
            return restrict(position.state, vocabulary, mask, remaining: remaining)
        }
        let limit = remaining - 1
        let full = Array(UnsafeBufferPointer(start: mask, count: vocabulary.maskWordCount))
        mask.update(repeating: 0, count: vocabulary.maskWordCount)
        guard limit >= 0 else { return }
        func isSet(_ token: Int32) -> Bool { full[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1 }
        allowWayOut(position, vocabulary, mask, limit: limit)
        var searches = 16
        var stack = [Position](repeating: position, count: vocabulary.trie.maximumDepth + 2)
        let nodes = vocabulary.trie.nodes
        var index = 1
        while index < nodes.count {
            let node = nodes[index]
            var next = stack[Int(node.depth) - 1]
            advance(&next, Int(node.byte))
            if next.state < 0 {
                index = Int(node.end)
                continue
            }
            if node.token >= 0, isSet(node.token), mask[Int(node.token) >> 6] >> UInt64(node.token & 63) & 1 == 0 {
                let cost = Int(cost(ofState: next.state))
                if isAccepting(next.state) || vocabulary.isByteComplete && cost + detour(next) <= limit {
                    Self.set(mask, node.token)
                } else if searches > 0, cost / max(vocabulary.trie.maximumDepth, 1) <= limit {
                    searches -= 1
                    if tokensToFinish(next, vocabulary) <= limit { Self.set(mask, node.token) }
                }
            }
            stack[Int(node.depth)] = next
            index += 1
        }
        for (token, other) in vocabulary.trie.duplicates where mask[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1 {
            Self.set(mask, other)
        }
        for token in vocabulary.vocabulary.specialTokens {
            guard Int(token) < vocabulary.vocabulary.count, isSet(token) else { continue }
            var next = position
            let symbol = program.specialTokens.firstIndex(of: token).map { Self.firstSpecial + $0 } ?? Self.otherSpecial
            advance(&next, symbol)
            if next.state >= 0, tokensToFinish(next, vocabulary) <= limit { Self.set(mask, token) }
        }
    }

    /// The tokens along the way out come first, so that whatever else is cut short it stays open.
    private mutating func allowWayOut(
        _ position: Position, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>, limit: Int
    ) {
        guard let symbols = wayOut(position, vocabulary) else { return }
        let counts = Self.tokenCounts(symbols, vocabulary)
        var node = 0
        for (index, symbol) in symbols.enumerated() {
            guard symbol < 256 else { break }
            node = vocabulary.trie.child(node, UInt8(symbol))
            if node < 0 { break }
            let token = vocabulary.trie.nodes[node].token
            if token >= 0, counts[index + 1] <= limit { Self.set(mask, token) }
        }
    }
}

/// A description of the tokens that can come in conflict with what was written.
struct RepetitionNeed {
    enum Content { case anything, separating, continuing }
    enum Reading { case nothing, repeating, everything }

    /// The number of quotation marks that a listed token has at least.
    var quotes = 0
    /// The further content of a listed token: anything, a comma, or something after a comma; nil where no tokens are
    /// listed.
    var holds: Content?
    /// The tokens to be found byte by byte: none, those that go on like an earlier text, or all.
    var reading = Reading.nothing

    /// The tokens that are listed.
    func tokens(_ hints: PunctuationHints) -> [Int32]? {
        switch holds {
        case .anything: hints.quoted[quotes]
        case .separating: hints.separating[quotes]
        case .continuing: hints.continuing[quotes]
        case nil: nil
        }
    }
}
