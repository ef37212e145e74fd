/// Tokens longer than the horizon: few, but each state would walk them anew.
///
/// Which of them a state takes is kept by the state cut at the longest token's length, as a list.
extension Engine {
    mutating func addLongTokens(
        _ state: Int32, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>, _ cost: inout Int32
    ) {
        if vocabulary.longTrie.nodes.count <= 1 { return }
        let far = cut(state, Int32(clamping: vocabulary.longestToken))
        let known = longTokens.find(far) ?? makeLongTokens(far, vocabulary)
        for token in known.tokens { Self.set(mask, token) }
        // The cut may have lowered what the text still owes.
        let isOpen = known.cost == TermStore.unreachable
        cost = max(cost, isOpen || far == state ? known.cost : max(known.cost, self.cost(ofState: state) + 16))
    }

    private mutating func makeLongTokens(_ state: Int32, _ vocabulary: VocabularyIndex) -> LongTokenCache.Entry {
        var entry = LongTokenCache.Entry(tokens: [], cost: 0)
        let words = vocabulary.maskWordCount
        let own = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
        own.initialize(repeating: 0, count: words)
        defer { own.deallocate() }
        let configurations = configurations(state)
        if !configurations.isEmpty, configurations.allSatisfy({ isStringInterior($0.local) }) {
            for configuration in configurations {
                let local = locals[Int(configuration.local)]
                let alone = self.state(of: [configuration])
                if local.kind == .declaredKey {
                    walk(vocabulary.longTrie, from: 0, alone, own, &entry.cost)
                    continue
                }
                addLongInside(configuration, vocabulary, own, &entry.cost)
                walk(vocabulary.longQuoteTrie, from: 0, alone, own, &entry.cost)
            }
        } else {
            walk(vocabulary.longTrie, from: 0, state, own, &entry.cost)
        }
        for word in 0..<words where own[word] != 0 {
            var rest = own[word]
            while rest != 0 {
                entry.tokens.append(Int32(word * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        longTokens.keep(state, entry)
        return entry
    }

    /// The long tokens that stay inside a string.
    private mutating func addLongInside(
        _ configuration: (local: Int32, cont: Int32), _ vocabulary: VocabularyIndex,
        _ mask: UnsafeMutablePointer<UInt64>, _ cost: inout Int32
    ) {
        let local = locals[Int(configuration.local)]
        let term = local.kind == .string ? local.a : local.c
        var inside: Int32 = 0
        if terms.isLengthOnly(term) || terms.takesAnyText(term) {
            let limit = term == TermStore.anyCharacter ? 1 : terms[term].kind == .repeat ? Int(terms[term].c) : -1
            for (characters, token) in vocabulary.longInside {
                if limit >= 0, characters > limit { break }
                Self.set(mask, token)
            }
            inside =
                terms.isLengthOnly(term)
                ? TermStore.sum(localCost(configuration.local), 12) : TermStore.unreachable
        } else {
            walkInside(vocabulary.longTrie, configuration.local, mask, &inside)
        }
        cost = max(cost, TermStore.sum(inside, contCost(configuration.cont)))
    }
}

/// The long tokens of some states.
struct LongTokenCache {
    struct Entry {
        var tokens: [Int32]
        /// The largest closing cost after one.
        var cost: Int32
    }

    private var entries: [Int32: Entry] = [:]
    private(set) var byteCount = 0
    private static let capacity = 2_000
    private static let byteLimit = 1 << 20

    func find(_ state: Int32) -> Entry? { entries[state] }

    mutating func keep(_ state: Int32, _ entry: Entry) {
        if entries.count >= Self.capacity || byteCount > Self.byteLimit {
            entries.removeAll()
            byteCount = 0
        }
        entries[state] = entry
        byteCount += 64 + entry.tokens.count * 4
    }
}
