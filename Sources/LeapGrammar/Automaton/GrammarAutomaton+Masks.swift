/// Masks: the tokens that may come next.
extension GrammarAutomaton {
    /// Writes the mask of a state (without end tokens) and returns the largest closing cost, in bytes, after any token.
    mutating func computeMask(
        _ state: Int32, _ vocabulary: VocabularyIndex, into mask: UnsafeMutablePointer<UInt64>
    ) -> Int32 {
        let words = vocabulary.maskWordCount
        if let (slot, cost) = caches.states.find(state) {
            caches.states.withMask(slot, wordCount: words) { mask.update(from: $0, count: words) }
            return cost
        }
        if let spaced = spacedState(state) {
            mask.update(repeating: 0, count: words)
            var cost = makeSpacedMask(state, spaced, vocabulary, mask)
            addSpecials(state, configurations(state), vocabulary, mask, &cost)
            store(state, mask, cost, words)
            return cost
        }
        // The short tokens cannot tell the state from one whose limits are out of their sight.
        let near = cut(state, TermStore.horizon)
        var cost: Int32
        if let (slot, known) = caches.states.find(near) {
            caches.states.withMask(slot, wordCount: words) { mask.update(from: $0, count: words) }
            cost = known
        } else {
            mask.update(repeating: 0, count: words)
            cost = makeMask(near, vocabulary, mask)
            if near != state { store(near, mask, cost, words) }
        }
        // The cut lowered what the text still owes.
        if near != state, cost < TermStore.unreachable { cost = max(cost, self.cost(ofState: state) + 16) }
        addLongTokens(state, vocabulary, mask, &cost)
        Self.addDuplicates(vocabulary.trie, mask)
        addSpecials(state, configurations(state), vocabulary, mask, &cost)
        store(state, mask, cost, words)
        return cost
    }

    /// The state after white space, where the state stands between the tokens of a JSON text and takes some; nil for
    /// all others.
    private mutating func spacedState(_ state: Int32) -> Int32? {
        guard bytes(ofState: state).contains(0x0A) else { return nil }
        for (local, _) in configurations(state) {
            let position = locals[local]
            switch position.kind {
            case .objectOpen, .objectComma, .objectNext, .arrayOpen, .arrayComma, .arrayNext:
                if position.b != 0 { return nil }
            case .number, .literal, .colon: break
            default: return nil
            }
        }
        let next = step(state, 0x20)
        return next >= 0 ? next : nil
    }

    /// Makes the mask of a state in which white space may come.
    ///
    /// The text after white space does not depend on how much of it there is, so the tokens that begin with it need one
    /// walk of what they hold after it.
    private mutating func makeSpacedMask(
        _ state: Int32, _ spaced: Int32, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>
    ) -> Int32 {
        var sink = MaskSink(mask: mask)
        var cost = self.cost(ofState: spaced)
        walk(vocabulary.trie, from: 0, state, into: &sink, &cost, skipsSpace: true)
        for token in vocabulary.spaces { Self.set(mask, token) }
        walk(vocabulary.afterSpaces, from: 0, spaced, into: &sink, &cost)
        Self.addDuplicates(vocabulary.afterSpaces, mask)
        Self.addDuplicates(vocabulary.trie, mask)
        return cost
    }

    private mutating func store(_ state: Int32, _ mask: UnsafeMutablePointer<UInt64>, _ cost: Int32, _ words: Int) {
        let slot = caches.states.add(state, wordCount: words)
        caches.states.withMask(slot, wordCount: words) { $0.update(from: mask, count: words) }
        caches.states.setCost(slot, cost)
    }

    /// The state with every string's language cut at a length: equal for all texts up to it.
    mutating func cut(_ state: Int32, _ length: Int32) -> Int32 {
        var changed = false
        let mapped = configurations(state).map { item -> (local: Int32, cont: Int32) in
            var local = locals[item.local]
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
                let local = locals[configuration.local]
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
        let local = locals[configuration.local]
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
        let object = objects[local.a].object
        let key = DeclaredTokenCache.Key(object: object, first: local.e, end: local.f, depth: local.g)
        if let known = caches.declared.find(key) {
            for token in known { mask[Int(token) >> 6] &= ~(1 << UInt64(token & 63)) }
            return
        }
        var found: [Int32] = []
        let texts = objects.program(local.a).texts
        for index in Int(local.e)..<Int(local.f) {
            var node = 0
            for byte in texts[index].dropFirst(Int(local.g)) + [0x22] {
                node = vocabulary.shortTrie.child(node, byte)
                if node < 0 { break }
            }
            guard node >= 0 else { continue }
            for position in vocabulary.shortTrie.tokenRange(node) {
                found.append(vocabulary.shortTrie.tokens[position])
            }
        }
        for token in found { mask[Int(token) >> 6] &= ~(1 << UInt64(token & 63)) }
        caches.declared.keep(key, found)
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
        let state = locals[local]
        return state.kind == .string && state.b == 0 || state.kind == .freeKey && state.d == 0
            || state.kind == .declaredKey
    }

    // MARK: Walking

    /// Sets the bits of all tokens of a tree that a state takes.
    mutating func walk(
        _ trie: TokenTrie, from root: Int, _ start: Int32, _ mask: UnsafeMutablePointer<UInt64>, _ cost: inout Int32
    ) {
        var sink = MaskSink(mask: mask)
        walk(trie, from: root, start, into: &sink, &cost)
    }

    /// Hands all tokens of a tree that a state takes to a sink.
    mutating func walk(
        _ trie: TokenTrie, from root: Int, _ start: Int32, into sink: inout some TokenSink, _ cost: inout Int32,
        skipsSpace: Bool = false
    ) {
        let frames = UnsafeMutablePointer<WalkFrame>.allocate(capacity: trie.maximumDepth + 2)
        defer { frames.deallocate() }
        var depth = 0
        var worst = cost
        var visited = 0
        defer { caches.countVisits(visited) }
        trie.nodes.withUnsafeBufferPointer { nodes in
            trie.children.withUnsafeBufferPointer { children in
                trie.childStarts.withUnsafeBufferPointer { starts in
                    frames[0] = WalkFrame(cursor: starts[root], end: starts[root + 1], state: start)
                    while depth >= 0 {
                        let frame = frames[depth]
                        var cursor = frame.cursor
                        // The next child that the state takes.
                        var bytes = self.bytes(ofState: frame.state)
                        if skipsSpace, depth == 0 { bytes.words.0 &= ~(1 << 0x20 | 1 << 0x0A | 1 << 0x09) }
                        while cursor < frame.end, !bytes.contains(children[Int(cursor)].byte) { cursor += 1 }
                        guard cursor < frame.end else {
                            depth -= 1
                            continue
                        }
                        frames[depth].cursor = cursor + 1
                        visited += 1
                        let child = children[Int(cursor)]
                        let next = step(frame.state, Int(child.byte))
                        if next < 0 { continue }
                        let index = Int(child.node)
                        let node = nodes[index]
                        worst = max(worst, self.cost(ofState: next))
                        if node.signature >= 0, isUnmoved(next, by: trie.signatures[Int(node.signature)]) {
                            for position in trie.tokenRange(index) { sink.add(trie.tokens[position]) }
                            continue
                        }
                        if node.token >= 0 { sink.add(node.token) }
                        if starts[index] < starts[index + 1] {
                            depth += 1
                            frames[depth] = WalkFrame(cursor: starts[index], end: starts[index + 1], state: next)
                        }
                    }
                }
            }
        }
        cost = worst
    }

    /// True if a state goes over into itself with all of some bytes: each of its configurations does.
    private mutating func isUnmoved(_ state: Int32, by bytes: ByteSet) -> Bool {
        guard bytes.isSubset(of: self.bytes(ofState: state)) else { return false }
        if let local = onlyLocal(state) { return isUnmoved(local: local, by: bytes) }
        return configurations(state).allSatisfy { isUnmoved(local: $0.local, by: bytes) }
    }

    /// True if a local state goes over into itself with all of some bytes; the answer is kept.
    private mutating func isUnmoved(local: Int32, by bytes: ByteSet) -> Bool {
        var rest: ByteSet
        switch loops.answer(local, bytes) {
        case .loops: return true
        case .leaves: return false
        case .unknown(let others): rest = others
        }
        var found = ByteSet()
        var other: UInt8?
        while let byte = rest.popFirst() {
            let range = moveRange(local, Int(byte))
            guard byte < 0x80, range.count == 1, moves[range.lowerBound] == Move(local: local) else {
                other = byte
                break
            }
            found.insert(byte)
        }
        loops.keep(local, loops: found, other: other)
        return other == nil
    }

    /// True if a local state inside a string goes over into itself with all of some bytes.
    private mutating func isUnmoved(inside local: Int32, _ row: Int32?, by bytes: ByteSet) -> Bool {
        guard row != nil, bytes.words.2 == 0, bytes.words.3 == 0, bytes.isSubset(of: self.bytes(of: local)) else {
            return false
        }
        var rest = bytes
        while let byte = rest.popFirst() {
            if insideStep(local, row, byte) != local { return false }
        }
        return true
    }

    // MARK: Inside strings

    /// Adds the tokens that stay inside a string; returns the largest closing cost of the string after one.
    private mutating func inside(_ local: Int32, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>)
        -> Int32
    {
        let state = locals[local]
        let term = state.kind == .string ? state.a : state.c
        if terms.isLengthOnly(term) || terms.takesAnyText(term) {
            addInside(characterLimit(term), vocabulary, mask)
            // A character more may cost an escape, or begin an alternative anew.
            return terms.isLengthOnly(term) ? TermStore.sum(localCost(local), 12) : TermStore.unreachable
        }
        let (text, more) = text(inside: local)
        if let known = caches.inside.find(text) {
            for index in 0..<vocabulary.maskWordCount { mask[index] |= known.words[index] }
            return known.cost == 0 ? 0 : TermStore.sum(known.cost, more)
        }
        var own = [UInt64](repeating: 0, count: vocabulary.maskWordCount)
        var cost: Int32 = 0
        own.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            var sink = MaskSink(mask: base)
            walkInside(vocabulary.shortTrie, text, into: &sink, &cost)
        }
        for index in 0..<vocabulary.maskWordCount { mask[index] |= own[index] }
        caches.inside.keep(text, InsideMaskCache.CachedMask(words: own, cost: cost))
        return cost == 0 ? 0 : TermStore.sum(cost, more)
    }

    /// Returns the local state that stands for the text of a string without what follows it, and the number of bytes to
    /// add to the closing costs.
    ///
    /// The tokens that stay inside a string do not depend on what comes after it. So a key shares them with all keys,
    /// and all other strings, of the same texts.
    mutating func text(inside local: Int32) -> (local: Int32, more: Int32) {
        var state = locals[local]
        guard state.kind == .freeKey else { return (local, 0) }
        let more = TermStore.sum(objects.freeValueCost(state, &terms.work), 1)
        guard state.e < state.f else { return (self.local(LocalState(kind: .string, a: state.c, b: state.d)), more) }
        state.a = objects.start(objects[state.a].object, &terms.work)
        state.b = LocalState.textOnly
        return (self.local(state), more)
    }

    /// The number of characters that a string of a length-only or an unlimited language may still have; nil for any.
    func characterLimit(_ term: TermStore.ID) -> Int? {
        if term == TermStore.anyCharacter { return 1 }
        guard terms[term].kind == .repeat else { return nil }
        let limit = Int(terms[term].c)
        return limit < 0 ? nil : limit
    }

    /// Adds the tokens of at most `limit` characters (nil: any) that stay inside a string of any text.
    private mutating func addInside(
        _ limit: Int?, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>
    ) {
        func add(_ words: [UInt64]) { for index in words.indices { mask[index] |= words[index] } }
        if limit == 0 { return }
        guard let limit, limit < vocabulary.maximumCharacters else { return add(vocabulary.insideMask) }
        add(vocabulary.insideByLength[min(limit, vocabulary.insideByLength.count) - 1])
    }

    /// Returns the only local state after a byte inside a string; nil where there is none or the string closes.
    private mutating func insideStep(_ local: Int32, _ row: Int32?, _ byte: UInt8) -> Int32? {
        guard let row, byte < 0x80 else { return makeInsideStep(local, byte) }
        switch stringSteps.step(row, byte) {
        case .local(let known): return known
        case .none: return nil
        case .unknown:
            let made = makeInsideStep(local, byte)
            stringSteps.setStep(row, byte, made)
            return made
        }
    }

    private mutating func makeInsideStep(_ local: Int32, _ byte: UInt8) -> Int32? {
        if byte == 0x22, isStringInterior(local) { return nil }
        let state = locals[local]
        if state.kind == .string, state.b == 0, byte < 0x80, byte != 0x5C {
            let next = terms.derivative(state.a, UInt32(byte))
            if let known = stringSteps.local(next) { return known }
            let made = self.local(LocalState(kind: .string, a: next))
            stringSteps.setLocal(next, made)
            return made
        }
        let range = moveRange(local, Int(byte))
        return range.count == 1 && moves[range.lowerBound].push == nil ? moves[range.lowerBound].local : nil
    }

    /// True if a local state inside a string lies between the bytes of a character.
    ///
    /// (Mutating, so that the engine is never copied for the question.)
    private mutating func isInsideCharacter(_ local: Int32) -> Bool {
        let state = locals[local]
        return state.kind == .string ? state.b != 0 : state.kind == .freeKey && state.d != 0
    }

    mutating func walkInside(
        _ trie: TokenTrie, _ start: Int32, into sink: inout some TokenSink, _ cost: inout Int32
    ) {
        let frames = UnsafeMutablePointer<WalkFrame>.allocate(capacity: trie.maximumDepth + 2)
        defer { frames.deallocate() }
        var depth = 0
        var worst = cost
        var visited = 0
        defer { caches.countVisits(visited) }
        stringSteps.makeRoom()
        trie.nodes.withUnsafeBufferPointer { nodes in
            trie.children.withUnsafeBufferPointer { children in
                trie.childStarts.withUnsafeBufferPointer { starts in
                    frames[0] = WalkFrame(cursor: starts[0], end: starts[1], state: start, row: stringSteps.row(start))
                    while depth >= 0 {
                        let frame = frames[depth]
                        var cursor = frame.cursor
                        let bytes = bytes(of: frame.state)
                        while cursor < frame.end, !bytes.contains(children[Int(cursor)].byte) { cursor += 1 }
                        guard cursor < frame.end else {
                            depth -= 1
                            continue
                        }
                        frames[depth].cursor = cursor + 1
                        visited += 1
                        let child = children[Int(cursor)]
                        guard let next = insideStep(frame.state, frame.row, child.byte) else { continue }
                        let index = Int(child.node)
                        let node = nodes[index]
                        worst = max(worst, localCost(next))
                        // No ASCII byte follows a part of a character, and there are thousands of these.
                        let row =
                            next == frame.state
                            ? frame.row : child.byte >= 0x80 && isInsideCharacter(next) ? nil : stringSteps.row(next)
                        if node.signature >= 0,
                            isUnmoved(inside: next, row, by: trie.signatures[Int(node.signature)])
                        {
                            for position in trie.tokenRange(index) { sink.add(trie.tokens[position]) }
                            continue
                        }
                        if node.token >= 0 { sink.add(node.token) }
                        if starts[index] < starts[index + 1] {
                            depth += 1
                            frames[depth] = WalkFrame(
                                cursor: starts[index], end: starts[index + 1], state: next, row: row)
                        }
                    }
                }
            }
        }
        cost = worst
    }
}

/// A receiver of the tokens that a walk finds.
protocol TokenSink {
    mutating func add(_ token: Int32)
}

/// Bits of a mask.
struct MaskSink: TokenSink {
    let mask: UnsafeMutablePointer<UInt64>

    @inline(__always)
    mutating func add(_ token: Int32) { mask[Int(token) >> 6] |= 1 << UInt64(token & 63) }
}

/// A list.
struct ListSink: TokenSink {
    var tokens: [Int32] = []

    @inline(__always)
    mutating func add(_ token: Int32) { tokens.append(token) }
}

/// A node on the way of a walk: which children are left, and the state there.
private struct WalkFrame {
    var cursor: Int32
    var end: Int32
    var state: Int32
    /// Inside strings: the state's row of ``StringSteps``.
    var row: Int32?
}
