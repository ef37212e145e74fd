extension TermStore {
    /// Longest token, in bytes, for which masks are shared between languages that differ only further on.
    static let horizon: Int32 = 16

    /// A language that agrees with this one on all texts of up to `length` characters and on what may begin them:
    /// counts beyond it are taken as unlimited (or, as minimum, as just beyond it).
    ///
    /// A string of at most 255 characters then has, almost to its end, the mask of a string of any length.
    mutating func within(_ length: Int32, _ id: ID) -> ID {
        guard self[id].isPositive else { return withoutFarLimit(length, id) }
        let key = Int64(length) << 32 | Int64(id)
        if let known = horizons[key] { return known }
        let term = self[id]
        let result: ID
        switch term.kind {
        case .concat:
            let first = within(length, term.a)
            result = concat(first, within(length, term.b))
        case .or:
            var parts: [ID] = []
            for offset in 0..<term.b { parts.append(within(length, lists[Int(term.a + offset)])) }
            result = or(parts)
        case .repeat where self[term.a].kind == .set:
            let limit = length + 2
            result = repetition(term.a, min(term.b, limit), term.c >= limit || term.c < 0 ? -1 : term.c)
        default: result = id
        }
        horizons[key] = result
        return result
    }

    /// A pattern with a maximum of characters, without the maximum where it is too far to be felt: wherever the next
    /// `length` characters lead, the pattern can be completed within it.
    private mutating func withoutFarLimit(_ length: Int32, _ id: ID) -> ID {
        guard self[id].kind == .and, self[id].b == 2 else { return id }
        let members = Array(list(id))
        guard let limit = members.first(where: { self[$0].kind == .repeat && self[$0].a == Self.anyCharacter }),
            let pattern = members.first(where: { $0 != limit }), self[pattern].isPositive, self[limit].b == 0
        else { return id }
        let key = Int64(length) << 32 | Int64(id)
        if let known = horizons[key] { return known }
        let way = longestWayOut(pattern)
        let result = way >= 0 && self[limit].c >= length + way ? within(length, pattern) : id
        horizons[key] = result
        return result
    }

    /// The most characters that any continuation of a language needs to be complete; −1 where that takes long to say.
    private mutating func longestWayOut(_ id: ID) -> Int32 {
        if let known = waysOut[id] { return known }
        var states: [ID: Int] = [id: 0]
        var order: [ID] = [id]
        var sources: [[Int]] = [[]]
        var next = 0
        while next < order.count, order.count <= 128 {
            for cell in cells(order[next]) {
                let target = derivative(order[next], cell.lowerBound)
                if target == Self.empty { continue }
                if let known = states[target] {
                    sources[known].append(next)
                } else {
                    states[target] = order.count
                    order.append(target)
                    sources.append([next])
                }
            }
            next += 1
        }
        var distance = [Int32](repeating: -1, count: order.count)
        var reached = order.indices.filter { self[order[$0]].isNullable }
        for index in reached { distance[index] = 0 }
        var position = 0
        while position < reached.count {
            let index = reached[position]
            position += 1
            for source in sources[index] where distance[source] < 0 {
                distance[source] = distance[index] + 1
                reached.append(source)
            }
        }
        // Every language that was met leads on only to others of the same list.
        let result = order.count > 128 || reached.count < order.count ? -1 : distance.max() ?? -1
        for state in order where result >= 0 || state == id { waysOut[state] = result }
        return result
    }

    /// Languages of which every text is a beginning: `.*x.*`, all texts but those of a pattern that has no use for some
    /// character, and the like.
    mutating func takesAnyText(_ id: ID) -> Bool {
        if id == Self.all { return true }
        let term = self[id]
        switch term.kind {
        case .concat: return term.a == Self.all && term.isPositive
        case .or:
            guard term.isPositive else { return false }
            for offset in 0..<term.b where takesAnyText(lists[Int(term.a + offset)]) { return true }
            return false
        case .not, .and: return excludedAlphabet(id).map { sets[Int($0)] != .all } ?? false
        default: return false
        }
    }

    /// The characters of the patterns whose texts a language excludes; nil where it is more than exclusions.
    ///
    /// With a character that occurs in none of them, every text can be completed.
    private mutating func excludedAlphabet(_ id: ID) -> Int32? {
        let term = self[id]
        switch term.kind {
        case .not: return self[term.a].isPositive ? alphabet(term.a) : nil
        case .and:
            var union = CodePointSet.none
            for offset in 0..<term.b {
                guard let part = excludedAlphabet(lists[Int(term.a + offset)]) else { return nil }
                union = union.union(sets[Int(part)])
            }
            return setID(union)
        default: return nil
        }
    }

    /// The characters that occur in the texts of a positive language, at most.
    private mutating func alphabet(_ id: ID) -> Int32 {
        if let known = alphabets[id] { return known }
        let term = self[id]
        let result: Int32
        switch term.kind {
        case .set: result = term.a
        case .repeat: result = alphabet(term.a)
        case .concat:
            let first = alphabet(term.a)
            let second = alphabet(term.b)
            result = setID(sets[Int(first)].union(sets[Int(second)]))
        case .or:
            var union = CodePointSet.none
            for offset in 0..<term.b {
                let part = alphabet(lists[Int(term.a + offset)])
                union = union.union(sets[Int(part)])
            }
            result = setID(union)
        case .empty, .epsilon: result = setID(.none)
        case .trie:
            let points = tries.texts(term.a).flatMap { $0 }
            result = setID(CodePointSet(Set(points).map { $0...$0 }))
        case .and, .not: result = setID(.all)
        }
        alphabets[id] = result
        return result
    }
}
