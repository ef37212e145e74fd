/// Which tokens may come next.
extension Engine {
    /// Writes the mask of a state (without end tokens) and returns the largest closing cost, in bytes, after any token.
    mutating func computeMask(
        _ state: Int32, _ vocabulary: VocabularyIndex, into mask: UnsafeMutablePointer<UInt64>
    ) -> Int32 {
        let words = vocabulary.maskWordCount
        if let (slot, cost) = masks.find(state) {
            masks.withMask(slot, wordCount: words) { mask.update(from: $0, count: words) }
            return cost
        }
        // The short tokens cannot tell the state from one whose limits are out of their sight.
        let near = cut(state, TermStore.horizon)
        var cost: Int32
        if let (slot, known) = masks.find(near) {
            masks.withMask(slot, wordCount: words) { mask.update(from: $0, count: words) }
            cost = max(known, known == TermStore.unreachable ? 0 : self.cost(ofState: state) + 16)
        } else {
            mask.update(repeating: 0, count: words)
            cost = makeMask(near, vocabulary, mask)
            if near != state { store(near, mask, cost, words) }
        }
        addLongTokens(state, vocabulary, mask, &cost)
        Self.addDuplicates(vocabulary.trie, mask)
        addSpecials(state, configurations(state), vocabulary, mask, &cost)
        store(state, mask, cost, words)
        return cost
    }

    private mutating func store(_ state: Int32, _ mask: UnsafeMutablePointer<UInt64>, _ cost: Int32, _ words: Int) {
        let slot = masks.add(state, wordCount: words)
        masks.withMask(slot, wordCount: words) { $0.update(from: mask, count: words) }
        masks.setCost(slot, cost)
    }

    /// The state with every string's language cut at a length: equal for all texts up to it.
    mutating func cut(_ state: Int32, _ length: Int32) -> Int32 {
        var changed = false
        let mapped = configurations(state).map { item -> (local: Int32, cont: Int32) in
            var local = locals[Int(item.local)]
            switch local.kind {
            case .string where local.b == 0:
                let term = terms.within(length, local.a)
                if term == local.a { return item }
                local.a = term
            case .freeKey where local.d == 0:
                let term = terms.within(length, local.c)
                if term == local.c { return item }
                local.c = term
            default: return item
            }
            changed = true
            return (self.local(local), item.cont)
        }
        if !changed || isAccepting(state) { return state }
        return self.state(of: mapped)
    }

    private mutating func makeMask(
        _ state: Int32, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>
    ) -> Int32 {
        var cost: Int32 = 0
        let configurations = configurations(state)
        if !configurations.isEmpty, configurations.allSatisfy({ isStringInterior($0.local) }) {
            for configuration in configurations {
                let local = locals[Int(configuration.local)]
                guard local.kind == .freeKey, local.e < local.f else {
                    makeStringMask(configuration, vocabulary, mask, &cost)
                    continue
                }
                // What is taken back of this one may be another's.
                var own = [UInt64](repeating: 0, count: vocabulary.maskWordCount)
                own.withUnsafeMutableBufferPointer { buffer in
                    if let base = buffer.baseAddress { makeStringMask(configuration, vocabulary, base, &cost) }
                }
                for index in own.indices { mask[index] |= own[index] }
            }
        } else {
            walk(vocabulary.shortTrie, from: 0, state, mask, &cost)
        }
        return cost
    }

    /// The tokens of one way to be inside a string: those that stay inside are known beforehand or kept, those that
    /// close it are walked.
    private mutating func makeStringMask(
        _ configuration: (local: Int32, cont: Int32), _ vocabulary: VocabularyIndex,
        _ mask: UnsafeMutablePointer<UInt64>, _ cost: inout Int32
    ) {
        let own = state(of: [configuration])
        let local = locals[Int(configuration.local)]
        if local.kind == .declaredKey { return walk(vocabulary.shortTrie, from: 0, own, mask, &cost) }
        let inside = inside(configuration.local, vocabulary, mask)
        cost = max(cost, TermStore.sum(inside, contCost(configuration.cont)))
        let term = local.kind == .string ? local.a : local.c
        guard term == TermStore.all else { return walk(vocabulary.quoteTrie, from: 0, own, mask, &cost) }
        // Any text: a token closes the string wherever its first quote stands, so only what follows the quote counts.
        var free = local
        (free.e, free.f, free.g) = (0, 0, 0)
        let closed = step(state(of: [(self.local(free), configuration.cont)]), 0x22)
        if closed >= 0 {
            cost = max(cost, self.cost(ofState: closed))
            let suffixes = vocabulary.suffixTrie
            if suffixes.nodes[0].token >= 0 { Self.set(mask, suffixes.nodes[0].token) }
            walk(suffixes, from: 0, closed, mask, &cost)
            Self.addDuplicates(suffixes, mask)
        }
        walk(vocabulary.escapedQuoteTrie, from: 0, own, mask, &cost)
        if local.kind == .freeKey, local.e < local.f { excludeDeclared(local, vocabulary, mask) }
    }

    /// Takes back the tokens that would close an undeclared key where its text is a declared one.
    private mutating func excludeDeclared(
        _ local: LocalState, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>
    ) {
        let texts = program.objects[Int(objectStates[Int(local.a)].object)].texts
        for index in Int(local.e)..<Int(local.f) {
            var node = 0
            for byte in texts[index].dropFirst(Int(local.g)) + [0x22] {
                node = vocabulary.shortTrie.child(node, byte)
                if node < 0 { break }
            }
            guard node >= 0 else { continue }
            for position in vocabulary.shortTrie.tokenRange(node) {
                let token = vocabulary.shortTrie.tokens[position]
                mask[Int(token) >> 6] &= ~(1 << UInt64(token & 63))
            }
        }
    }

    private static func addDuplicates(_ trie: TokenTrie, _ mask: UnsafeMutablePointer<UInt64>) {
        for (token, other) in trie.duplicates where mask[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1 {
            set(mask, other)
        }
    }

    private mutating func addSpecials(
        _ state: Int32, _ configurations: [(local: Int32, cont: Int32)], _ vocabulary: VocabularyIndex,
        _ mask: UnsafeMutablePointer<UInt64>, _ cost: inout Int32
    ) {
        guard configurations.contains(where: { takesSpecials($0.local) }) else { return }
        let other = step(state, Self.otherSpecial)
        if other >= 0 {
            cost = max(cost, self.cost(ofState: other))
            for index in 0..<vocabulary.maskWordCount { mask[index] |= vocabulary.specialMask[index] }
        }
        for (index, token) in program.specialTokens.enumerated() {
            guard token >= 0, Int(token) < vocabulary.vocabulary.count else { continue }
            let next = step(state, Self.firstSpecial + index)
            if next >= 0 {
                cost = max(cost, self.cost(ofState: next))
                Self.set(mask, token)
            } else {
                mask[Int(token) >> 6] &= ~(1 << UInt64(token & 63))
            }
        }
    }

    @inline(__always)
    static func set(_ mask: UnsafeMutablePointer<UInt64>, _ token: Int32) {
        mask[Int(token) >> 6] |= 1 << UInt64(token & 63)
    }

    mutating func isStringInterior(_ local: Int32) -> Bool {
        let state = locals[Int(local)]
        return state.kind == .string && state.b == 0 || state.kind == .freeKey && state.d == 0
            || state.kind == .declaredKey
    }

    // MARK: Walking

    /// Sets the bits of all tokens of a tree that a state takes.
    mutating func walk(
        _ trie: TokenTrie, from root: Int, _ start: Int32, _ mask: UnsafeMutablePointer<UInt64>, _ cost: inout Int32
    ) {
        let stack = UnsafeMutablePointer<Int32>.allocate(capacity: trie.maximumDepth + 2)
        defer { stack.deallocate() }
        stack[Int(trie.nodes[root].depth)] = start
        var worst = cost
        trie.nodes.withUnsafeBufferPointer { nodes in
            var index = root + 1
            let end = Int(nodes[root].end)
            while index < end {
                let node = nodes[index]
                let next = step(stack[Int(node.depth) - 1], Int(node.byte))
                if next < 0 {
                    index = Int(node.end)
                    continue
                }
                stack[Int(node.depth)] = next
                worst = max(worst, self.cost(ofState: next))
                if node.signature >= 0, trie.signatures[Int(node.signature)].isSubset(of: loops(next)) {
                    for position in trie.tokenRange(index) { Self.set(mask, trie.tokens[position]) }
                    index = Int(node.end)
                    continue
                }
                if node.token >= 0 { Self.set(mask, node.token) }
                index += 1
            }
        }
        cost = worst
    }

    /// ASCII bytes with which a state goes over into itself.
    private mutating func loops(_ state: Int32) -> ByteSet {
        if let known = loopSets[state] { return known }
        var result = ByteSet()
        let bytes = bytes(ofState: state)
        if bytes.count >= 8 {
            bytes.forEach { byte in
                if byte < 0x80, step(state, Int(byte)) == state { result.insert(byte) }
            }
        }
        loopSets[state] = result
        return result
    }

    // MARK: Inside strings

    /// Adds the tokens that stay inside a string; returns the largest closing cost of the string after one.
    private mutating func inside(_ local: Int32, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>)
        -> Int32
    {
        let state = locals[Int(local)]
        let term = state.kind == .string ? state.a : state.c
        if terms.isLengthOnly(term) || terms.takesAnyText(term) {
            let limit = term == TermStore.anyCharacter ? 1 : terms[term].kind == .repeat ? Int(terms[term].c) : -1
            addInside(limit, vocabulary, mask)
            // A character more may cost an escape, or begin an alternative anew.
            return terms.isLengthOnly(term) ? TermStore.sum(localCost(local), 12) : TermStore.unreachable
        }
        if let known = insideMasks[local] {
            for index in 0..<vocabulary.maskWordCount { mask[index] |= known.words[index] }
            return known.cost
        }
        var own = [UInt64](repeating: 0, count: vocabulary.maskWordCount)
        var cost: Int32 = 0
        own.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { walkInside(vocabulary.shortTrie, local, base, &cost) }
        }
        for index in 0..<vocabulary.maskWordCount { mask[index] |= own[index] }
        if insideMasks.count >= 256 { insideMasks.removeAll() }
        insideMasks[local] = InsideMask(words: own, cost: cost)
        return cost
    }

    /// Tokens of at most `limit` characters (−1: any) that stay inside a string of any text.
    private mutating func addInside(_ limit: Int, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>) {
        if limit == 0 { return }
        func add(_ words: [UInt64]) { for index in words.indices { mask[index] |= words[index] } }
        if limit < 0 || limit >= vocabulary.maximumCharacters { return add(vocabulary.insideMask) }
        add(vocabulary.insideByLength[min(limit, vocabulary.insideByLength.count) - 1])
    }

    /// The only local state after a byte inside a string; −1 where there is none or the string closes.
    private mutating func insideStep(_ local: Int32, _ byte: UInt8) -> Int32 {
        guard bytes(of: local).contains(byte) else { return -1 }
        let state = locals[Int(local)]
        if byte == 0x22, isStringInterior(local) { return -1 }
        if state.kind == .string, state.b == 0, byte < 0x80, byte != 0x5C {
            let next = terms.derivative(state.a, UInt32(byte))
            if let known = stringLocals[next] { return known }
            let made = self.local(LocalState(kind: .string, a: next))
            stringLocals[next] = made
            return made
        }
        let range = moveRange(local, Int(byte))
        return range.count == 1 && moves[range.lowerBound].push < 0 ? moves[range.lowerBound].local : -1
    }

    mutating func walkInside(
        _ trie: TokenTrie, _ start: Int32, _ mask: UnsafeMutablePointer<UInt64>, _ cost: inout Int32
    ) {
        var stack = [Int32](repeating: start, count: trie.maximumDepth + 2)
        var loopSets: [Int32: ByteSet] = [:]
        func loops(_ local: Int32) -> ByteSet {
            if let known = loopSets[local] { return known }
            var result = ByteSet()
            bytes(of: local).forEach { byte in
                if byte < 0x80, insideStep(local, byte) == local { result.insert(byte) }
            }
            loopSets[local] = result
            return result
        }
        var index = 1
        let nodes = trie.nodes
        while index < nodes.count {
            let node = nodes[index]
            let next = insideStep(stack[Int(node.depth) - 1], node.byte)
            if next < 0 {
                index = Int(node.end)
                continue
            }
            stack[Int(node.depth)] = next
            cost = max(cost, localCost(next))
            if node.signature >= 0, trie.signatures[Int(node.signature)].isSubset(of: loops(next)) {
                for position in trie.tokenRange(index) { Self.set(mask, trie.tokens[position]) }
                index = Int(node.end)
                continue
            }
            if node.token >= 0 { Self.set(mask, node.token) }
            index += 1
        }
    }
}
