/// Parts of a language by how its texts begin or end.
extension TermStore {
    /// The texts that are not empty.
    mutating func withoutEmpty(_ id: ID) -> ID { self[id].isNullable ? beginning(id, with: .all) : id }

    /// The texts whose first character is one of a set.
    mutating func beginning(_ id: ID, with set: CodePointSet) -> ID {
        var known: [ID: ID] = [:]
        return beginning(id, set, &known)
    }

    /// The texts whose last character is one of a set.
    mutating func ending(_ id: ID, with set: CodePointSet) -> ID {
        var known: [ID: ID] = [:]
        return ending(id, set, &known)
    }

    private mutating func beginning(_ id: ID, _ set: CodePointSet, _ known: inout [ID: ID]) -> ID {
        if let made = known[id] { return made }
        let term = self[id]
        let result: ID
        switch term.kind {
        case .empty, .epsilon: result = Self.empty
        case .set: result = self.set(sets[Int(term.a)].intersection(set))
        case .concat:
            let first = concat(beginning(term.a, set, &known), term.b)
            result = self[term.a].isNullable ? or([first, beginning(term.b, set, &known)]) : first
        case .or:
            var parts: [ID] = []
            for offset in 0..<term.b { parts.append(beginning(lists[Int(term.a + offset)], set, &known)) }
            result = or(parts)
        case .repeat:
            let rest = repetition(term.a, max(term.b - 1, 0), term.c < 0 ? -1 : term.c - 1)
            result = concat(beginning(term.a, set, &known), rest)
        case .trie: result = trie(of: tries.texts(term.a).filter { $0.first.map { set.contains($0) } ?? false })
        case .and, .not:
            let first = self.set(set)
            result = and([id, concat(first, Self.all)])
        }
        known[id] = result
        return result
    }

    private mutating func ending(_ id: ID, _ set: CodePointSet, _ known: inout [ID: ID]) -> ID {
        if let made = known[id] { return made }
        let term = self[id]
        let result: ID
        switch term.kind {
        case .empty, .epsilon: result = Self.empty
        case .set: result = self.set(sets[Int(term.a)].intersection(set))
        case .concat:
            let last = concat(term.a, ending(term.b, set, &known))
            result = self[term.b].isNullable ? or([last, ending(term.a, set, &known)]) : last
        case .or:
            var parts: [ID] = []
            for offset in 0..<term.b { parts.append(ending(lists[Int(term.a + offset)], set, &known)) }
            result = or(parts)
        case .repeat:
            let rest = repetition(term.a, max(term.b - 1, 0), term.c < 0 ? -1 : term.c - 1)
            result = concat(rest, ending(term.a, set, &known))
        case .trie: result = trie(of: tries.texts(term.a).filter { $0.last.map { set.contains($0) } ?? false })
        case .and, .not:
            let last = self.set(set)
            result = and([id, concat(Self.all, last)])
        }
        known[id] = result
        return result
    }
}
