/// Tokens longer than the horizon: few, but each state would walk them anew.
///
/// The list of those that a state takes is kept by the state cut at the longest token's length.
extension GrammarAutomaton {
    mutating func addLongTokens(
        _ state: Int32, _ vocabulary: VocabularyIndex, _ mask: UnsafeMutablePointer<UInt64>, _ cost: inout Int32
    ) {
        if vocabulary.longTrie.nodes.count <= 1 { return }
        let far = cut(state, Int32(clamping: vocabulary.longestToken))
        let known = caches.long.find(far) ?? makeLongTokens(far, vocabulary)
        for token in known.tokens { Self.set(mask, token) }
        switch known.inside {
        case .all:
            for index in 0..<vocabulary.maskWordCount { mask[index] |= vocabulary.longInsideMask[index] }
        case .upTo(let limit) where limit > 0:
            for (characters, token) in vocabulary.longInside {
                if characters > limit { break }
                Self.set(mask, token)
            }
        case .upTo: break
        }
        // The cut may have lowered what the text still owes.
        let isOpen = known.cost == TermStore.unreachable
        cost = max(cost, isOpen || far == state ? known.cost : max(known.cost, self.cost(ofState: state) + 16))
    }

    private mutating func makeLongTokens(_ state: Int32, _ vocabulary: VocabularyIndex) -> LongTokenCache.LongTokens {
        var sink = ListSink()
        var cost: Int32 = 0
        var inside = LongTokenCache.Inside.upTo(0)
        let configurations = configurations(state)
        if !configurations.isEmpty, configurations.allSatisfy({ isStringInterior($0.local) }) {
            for configuration in configurations {
                let local = locals[configuration.local]
                let alone = configurations.count == 1 ? state : self.state(of: [configuration])
                if local.kind == .declaredKey {
                    walk(vocabulary.longTrie, from: 0, alone, into: &sink, &cost)
                    continue
                }
                let (own, ownCost) = longInside(configuration.local, vocabulary, &sink)
                inside.formUnion(own)
                cost = max(cost, TermStore.sum(ownCost, contCost(configuration.cont)))
                walk(vocabulary.longQuoteTrie, from: 0, alone, into: &sink, &cost)
            }
        } else {
            walk(vocabulary.longTrie, from: 0, state, into: &sink, &cost)
        }
        let entry = LongTokenCache.LongTokens(tokens: sink.tokens, inside: inside, cost: cost)
        caches.long.keep(state, entry)
        return entry
    }

    /// Returns the long tokens that stay inside a string, besides those handed to the sink, and the string's largest
    /// closing cost after one.
    private mutating func longInside(
        _ id: Int32, _ vocabulary: VocabularyIndex, _ sink: inout ListSink
    ) -> (inside: LongTokenCache.Inside, cost: Int32) {
        let local = locals[id]
        let term = local.kind == .string ? local.a : local.c
        if terms.isLengthOnly(term) || terms.takesAnyText(term) {
            let cost = terms.isLengthOnly(term) ? TermStore.sum(localCost(id), 12) : TermStore.unreachable
            return (characterLimit(term).map { .upTo($0) } ?? .all, cost)
        }
        var cost: Int32 = 0
        let (text, more) = text(inside: id)
        walkInside(vocabulary.longTrie, text, into: &sink, &cost)
        return (.upTo(0), cost == 0 ? 0 : TermStore.sum(cost, more))
    }
}

/// The long tokens of some states.
struct LongTokenCache {
    /// Some of the long tokens that stay inside a string.
    enum Inside: Equatable {
        case all
        /// The tokens of at most so many characters.
        case upTo(Int)

        mutating func formUnion(_ other: Inside) {
            if case .upTo(let a) = self, case .upTo(let b) = other { self = .upTo(max(a, b)) } else { self = .all }
        }
    }

    /// The long tokens of a state.
    struct LongTokens {
        var tokens: [Int32]
        /// Further tokens, which stay inside a string.
        var inside: Inside
        /// The largest closing cost after one.
        var cost: Int32
    }

    private var entries: [Int32: LongTokens] = [:]
    private(set) var byteCount = 0
    private static let capacity = 2_000
    private static let byteLimit = 1 << 20

    func find(_ state: Int32) -> LongTokens? { entries[state] }

    mutating func keep(_ state: Int32, _ entry: LongTokens) {
        if entries.count >= Self.capacity || byteCount > Self.byteLimit {
            entries.removeAll()
            byteCount = 0
        }
        entries[state] = entry
        byteCount += 64 + entry.tokens.count * 4
    }
}
