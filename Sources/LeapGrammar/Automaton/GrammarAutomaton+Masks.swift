/// Which tokens may come next.
extension GrammarAutomaton {
    /// Writes the mask of a state (without end tokens) and returns the largest closing cost, in bytes, after any token.
    mutating func computeMask(
        _ state: Int32, _ vocabulary: VocabularyIndex, into mask: UnsafeMutablePointer<UInt64>
    ) -> Int32 {
        let words = vocabulary.maskWordCount
        if let (slot, cost) = masks.find(state) {
            masks.withMask(slot, wordCount: words) { mask.update(from: $0, count: words) }
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
        if let (slot, known) = masks.find(near) {
            masks.withMask(slot, wordCount: words) { mask.update(from: $0, count: words) }
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

    /// The state after white space, where the state stands between the tokens of a JSON text and takes some; nil for all
    /// others.
    private mutating func spacedState(_ state: Int32) -> Int32? {
        guard bytes(ofState: state).contains(0x0A) else { return nil }
        for (local, _) in configurations(state) {
            let position = locals[Int(local)]
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

    /// Where white space may stand, what follows it does not depend on how much of it there is: the tokens that begin
    /// with it need one walk of what they hold after it.
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
        let object = objectStates[Int(local.a)].object
        let key = DeclaredRange(object: object, first: local.e, end: local.f, depth: local.g)
        if let known = declaredTokens[key] {
            for token in known { mask[Int(token) >> 6] &= ~(1 << UInt64(token & 63)) }
            return
        }
        var found: [Int32] = []
        let texts = program.objects[Int(object)].texts
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
        if declaredTokens.count >= 1_000 { declaredTokens.removeAll() }
        declaredTokens[key] = found
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
        defer { visitedNodes += visited }
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

    /// Whether a state goes over into itself with all of some bytes: each of its configurations does.
    private mutating func isUnmoved(_ state: Int32, by bytes: ByteSet) -> Bool {
        guard bytes.isSubset(of: self.bytes(ofState: state)) else { return false }
        if let local = onlyLocal(state) { return isUnmoved(local: local, by: bytes) }
        return configurations(state).allSatisfy { isUnmoved(local: $0.local, by: bytes) }
    }

    /// Whether a local state goes over into itself with all of some bytes; what was found out is kept.
    private mutating func isUnmoved(local: Int32, by bytes: ByteSet) -> Bool {
        var facts = localLoops[local] ?? LoopFacts()
        if bytes.isSubset(of: facts.loops) { return true }
        if !bytes.intersection(facts.others).isEmpty { return false }
        var result = true
        var rest = bytes.subtracting(facts.loops)
        while let byte = rest.popFirst() {
            let range = moveRange(local, Int(byte))
            guard byte < 0x80, range.count == 1, moves[range.lowerBound].local == local,
                moves[range.lowerBound].push < 0
            else {
                facts.others.insert(byte)
                result = false
                break
            }
            facts.loops.insert(byte)
        }
        localLoops[local] = facts
        return result
    }

    /// The same inside strings, by the row of the local state.
    private mutating func isUnmoved(inside local: Int32, _ row: Int32, by bytes: ByteSet) -> Bool {
        guard row >= 0, bytes.words.2 == 0, bytes.words.3 == 0, bytes.isSubset(of: self.bytes(of: local)) else {
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
        let state = locals[Int(local)]
        let term = state.kind == .string ? state.a : state.c
        if terms.isLengthOnly(term) || terms.takesAnyText(term) {
            let limit = term == TermStore.anyCharacter ? 1 : terms[term].kind == .repeat ? Int(terms[term].c) : -1
            addInside(limit, vocabulary, mask)
            // A character more may cost an escape, or begin an alternative anew.
            return terms.isLengthOnly(term) ? TermStore.sum(localCost(local), 12) : TermStore.unreachable
        }
        let (text, more) = text(inside: local)
        if let known = insideMasks[text] {
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
        if insideMasks.count >= 256 { insideMasks.removeAll() }
        insideMasks[text] = InsideMask(words: own, cost: cost)
        return cost == 0 ? 0 : TermStore.sum(cost, more)
    }

    /// What tells the tokens that stay inside a string, and the bytes to add to the closing costs.
    ///
    /// Which they are does not depend on what comes after the string. So a key shares them with all keys, and all other
    /// strings, of the same texts.
    mutating func text(inside local: Int32) -> (local: Int32, more: Int32) {
        var state = locals[Int(local)]
        guard state.kind == .freeKey else { return (local, 0) }
        let more = TermStore.sum(freeValueCost(state), 1)
        guard state.e < state.f else { return (self.local(LocalState(kind: .string, a: state.c, b: state.d)), more) }
        let object = objectStates[Int(state.a)].object
        state.a = objectState(object, ObjectState(program.objects[Int(object)]))
        state.b = LocalState.textOnly
        return (self.local(state), more)
    }

    /// Tokens of at most `limit` characters (−1: any) that stay inside a string of any text.
    private mutating func addInside(_ limit: Int, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>) {
        if limit == 0 { return }
        func add(_ words: [UInt64]) { for index in words.indices { mask[index] |= words[index] } }
        if limit < 0 || limit >= vocabulary.maximumCharacters { return add(vocabulary.insideMask) }
        add(vocabulary.insideByLength[min(limit, vocabulary.insideByLength.count) - 1])
    }

    /// The only local state after a byte inside a string; −1 where there is none or the string closes.
    private mutating func insideStep(_ local: Int32, _ row: Int32, _ byte: UInt8) -> Int32 {
        guard row >= 0, byte < 0x80 else { return makeInsideStep(local, byte) }
        let known = asciiRows[row, byte]
        if known != AsciiRows.unknown { return known }
        let made = makeInsideStep(local, byte)
        asciiRows[row, byte] = made
        return made
    }

    private mutating func makeInsideStep(_ local: Int32, _ byte: UInt8) -> Int32 {
        if byte == 0x22, isStringInterior(local) { return -1 }
        let state = locals[Int(local)]
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

    /// Whether a local state inside a string lies between the bytes of a character.
    ///
    /// (Mutating, so that the engine is never copied for the question.)
    private mutating func isInsideCharacter(_ local: Int32) -> Bool {
        let state = locals[Int(local)]
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
        defer { visitedNodes += visited }
        asciiRows.makeRoom()
        trie.nodes.withUnsafeBufferPointer { nodes in
            trie.children.withUnsafeBufferPointer { children in
                trie.childStarts.withUnsafeBufferPointer { starts in
                    frames[0] = WalkFrame(cursor: starts[0], end: starts[1], state: start, row: asciiRows.row(start))
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
                        let next = insideStep(frame.state, frame.row, child.byte)
                        if next < 0 { continue }
                        let index = Int(child.node)
                        let node = nodes[index]
                        worst = max(worst, localCost(next))
                        // No ASCII byte follows a part of a character, and there are thousands of these.
                        let row =
                            next == frame.state
                            ? frame.row : child.byte >= 0x80 && isInsideCharacter(next) ? -1 : asciiRows.row(next)
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

/// With which bytes a local state is known to go over into itself, and with which not.
struct LoopFacts {
    var loops = ByteSet()
    var others = ByteSet()
}

/// Steps inside strings by ASCII bytes, a row of 128 for each local state that a walk went through.
struct AsciiRows {
    static let unknown: Int32 = -2
    private var rows: [Int32: Int32] = [:]
    private var cells: ContiguousArray<Int32> = []
    private static let limit = 1_024

    var byteCount: Int { cells.count * 4 + rows.count * 24 }

    /// Before a walk: forgets all rows where many are taken, so that the walk gets those that it needs.
    mutating func makeRoom() {
        guard rows.count > Self.limit / 2 else { return }
        rows.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
    }

    /// The row of a local state; −1 where there is room for no more.
    mutating func row(_ local: Int32) -> Int32 {
        if let known = rows[local] { return known }
        let count = Int32(rows.count)
        if count >= Self.limit { return -1 }
        rows[local] = count
        cells.append(contentsOf: repeatElement(Self.unknown, count: 128))
        return count
    }

    subscript(row: Int32, byte: UInt8) -> Int32 {
        @inline(__always) get { cells[Int(row) << 7 | Int(byte)] }
        @inline(__always) set { cells[Int(row) << 7 | Int(byte)] = newValue }
    }
}

/// Where the tokens of a walk go.
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
    /// Inside strings: the state's row of ``AsciiRows``.
    var row: Int32 = -1
}

/// The declared keys of an object that begin like what was read.
struct DeclaredRange: Hashable {
    var object: Int32
    var first: Int32
    var end: Int32
    var depth: Int32
}
