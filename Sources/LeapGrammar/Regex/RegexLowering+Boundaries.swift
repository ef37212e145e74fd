/// Word boundaries: what stands before and after a part of the pattern decides about it, so each part is taken apart by
/// the kinds of its first and last character.
struct BoundaryLowering {
    /// The neighbour of a place in the text.
    private enum Side: Int, CaseIterable { case edge, word, other }

    /// The texts of a part between two sides: whether the empty one is among them, and the others by the kinds of their
    /// first and last character (`word` first).
    private struct Pieces {
        var hasEmpty = false
        var others = [TermStore.ID](repeating: TermStore.empty, count: 4)

        subscript(first: Side, last: Side) -> TermStore.ID {
            get { others[(first == .word ? 0 : 2) + (last == .word ? 0 : 1)] }
            set { others[(first == .word ? 0 : 2) + (last == .word ? 0 : 1)] = newValue }
        }
    }

    /// The pieces of a part for all that may be next to it.
    private typealias Table = [Pieces]

    private static let kinds: [Side] = [.word, .other]
    private static let maximumCopies = 64
    private var budget = 4_000

    /// The texts that a pattern matches as a whole.
    static func language(of node: RegexNode, _ terms: inout TermStore) throws(GrammarError) -> TermStore.ID {
        var lowering = BoundaryLowering()
        let table = try lowering.table(node, &terms)
        let pieces = lowering.pieces(table, .edge, .edge)
        return terms.or(pieces.others + (pieces.hasEmpty ? [TermStore.epsilon] : []))
    }

    private func pieces(_ table: Table, _ before: Side, _ after: Side) -> Pieces {
        table[before.rawValue * 3 + after.rawValue]
    }

    private func set(of kind: Side) -> CodePointSet { kind == .word ? .word : CodePointSet.word.complement }

    private func makeTable(_ body: (Side, Side) -> Pieces) -> Table {
        Side.allCases.flatMap { before in Side.allCases.map { body(before, $0) } }
    }

    private mutating func table(_ node: RegexNode, _ terms: inout TermStore) throws(GrammarError) -> Table {
        budget -= 1
        guard budget > 0, !terms.work.isExhausted else {
            throw GrammarError(.tooComplex, "the pattern has too many parts next to word boundaries")
        }
        guard node.hasAnchor else { return free(try terms.lowered(node), &terms) }
        switch node {
        case .empty, .set: return free(TermStore.epsilon, &terms)
        case .startAnchor: return makeTable { before, _ in Pieces(hasEmpty: before == .edge) }
        case .endAnchor: return makeTable { _, after in Pieces(hasEmpty: after == .edge) }
        case .boundary(let isNegated):
            return makeTable { Pieces(hasEmpty: (($0 == .word) != ($1 == .word)) != isNegated) }
        case .look(_, _, _, let place):
            throw GrammarError(
                .unsupported,
                "the pattern has lookaround at character \(place) next to word boundaries, which cannot be enforced")
        case .alternatives(let branches):
            var result = makeTable { _, _ in Pieces() }
            for branch in branches { result = union(result, try table(branch, &terms), &terms) }
            return result
        case .sequence(let parts):
            var result = makeTable { _, _ in Pieces(hasEmpty: true) }
            for part in parts.reversed() { result = joined(try table(part, &terms), result, &terms) }
            return result
        case .repetition(let body, let minimum, let maximum):
            return try repeated(body, minimum, maximum, &terms)
        }
    }

    /// A part that does not look at what is next to it.
    private func free(_ term: TermStore.ID, _ terms: inout TermStore) -> Table {
        var pieces = Pieces(hasEmpty: terms[term].isNullable)
        for first in Self.kinds {
            let begun = terms.beginning(term, with: set(of: first))
            for last in Self.kinds { pieces[first, last] = terms.ending(begun, with: set(of: last)) }
        }
        return makeTable { _, _ in pieces }
    }

    private func union(_ a: Table, _ b: Table, _ terms: inout TermStore) -> Table {
        var result = a
        for index in result.indices {
            result[index].hasEmpty = a[index].hasEmpty || b[index].hasEmpty
            for kind in result[index].others.indices {
                result[index].others[kind] = terms.or([a[index].others[kind], b[index].others[kind]])
            }
        }
        return result
    }

    private func joined(_ a: Table, _ b: Table, _ terms: inout TermStore) -> Table {
        var result: Table = []
        for before in Side.allCases {
            for after in Side.allCases { result.append(joined(a, b, before, after, &terms)) }
        }
        return result
    }

    private func joined(_ a: Table, _ b: Table, _ before: Side, _ after: Side, _ terms: inout TermStore) -> Pieces {
        var result = Pieces(
            hasEmpty: pieces(a, before, after).hasEmpty && pieces(b, before, after).hasEmpty)
        for first in Self.kinds {
            for last in Self.kinds {
                var parts: [TermStore.ID] = []
                if pieces(a, before, first).hasEmpty { parts.append(pieces(b, before, after)[first, last]) }
                if pieces(b, last, after).hasEmpty { parts.append(pieces(a, before, after)[first, last]) }
                for end in Self.kinds {
                    for start in Self.kinds {
                        let left = pieces(a, before, start)[first, end]
                        parts.append(terms.concat(left, pieces(b, end, after)[start, last]))
                    }
                }
                result[first, last] = terms.or(parts)
            }
        }
        return result
    }

    private mutating func repeated(
        _ body: RegexNode, _ minimum: Int, _ maximum: Int, _ terms: inout TermStore
    ) throws(GrammarError) -> Table {
        guard minimum <= Self.maximumCopies, maximum <= Self.maximumCopies else {
            throw GrammarError(
                .unsupported, "the pattern repeats a group with a word boundary more than \(Self.maximumCopies) times")
        }
        let one = try table(body, &terms)
        let nothing = makeTable { _, _ in Pieces(hasEmpty: true) }
        var result = maximum < 0 ? star(one, &terms) : nothing
        if maximum >= 0 {
            for _ in minimum..<maximum { result = union(nothing, joined(one, result, &terms), &terms) }
        }
        for _ in 0..<minimum { result = joined(one, result, &terms) }
        return result
    }

    /// Any number of a part in a row: a closure over the kinds of characters on both sides of each joint.
    private func star(_ one: Table, _ terms: inout TermStore) -> Table {
        let joints = Self.kinds.flatMap { end in Self.kinds.map { (end: end, start: $0) } }
        // From joint to joint through one copy.
        var way = joints.map { from in
            joints.map { to in pieces(one, from.end, to.start)[from.start, to.end] }
        }
        for middle in joints.indices {
            let loop = terms.repetition(way[middle][middle], 0, -1)
            var next = way
            for from in joints.indices {
                for to in joints.indices {
                    let around = terms.concat([way[from][middle], loop, way[middle][to]])
                    next[from][to] = terms.or([way[from][to], around])
                }
            }
            way = next
        }
        var result: Table = []
        for before in Side.allCases {
            for after in Side.allCases {
                var all = Pieces(hasEmpty: true)
                for first in Self.kinds {
                    for last in Self.kinds {
                        var parts = [pieces(one, before, after)[first, last]]
                        for (index, from) in joints.enumerated() {
                            let begun = pieces(one, before, from.start)[first, from.end]
                            let ended = pieces(one, from.end, after)[from.start, last]
                            parts.append(terms.concat(begun, ended))
                            for (other, to) in joints.enumerated() {
                                let closing = pieces(one, to.end, after)[to.start, last]
                                parts.append(terms.concat([begun, way[index][other], closing]))
                            }
                        }
                        all[first, last] = terms.or(parts)
                    }
                }
                result.append(all)
            }
        }
        return result
    }
}
