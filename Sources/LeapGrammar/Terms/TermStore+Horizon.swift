extension TermStore {
    /// Longest token, in bytes, for which masks are shared between languages that differ only further on.
    static let horizon: Int32 = 16

    /// A language that agrees with this one on all texts of up to `length` characters and on what may begin them:
    /// counts beyond it are taken as unlimited (or, as minimum, as just beyond it).
    ///
    /// A string of at most 255 characters then has, almost to its end, the mask of a string of any length.
    mutating func within(_ length: Int32, _ id: ID) -> ID {
        guard self[id].isPositive else { return id }
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

    /// Languages of which every text is a beginning: `.*x.*` and the like.
    func takesAnyText(_ id: ID) -> Bool {
        if id == Self.all { return true }
        let term = self[id]
        switch term.kind {
        case .concat: return term.a == Self.all && term.isPositive
        case .or: return term.isPositive && list(id).contains { takesAnyText($0) }
        default: return false
        }
    }
}
