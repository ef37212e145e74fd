/// Turns parsed expressions into terms, with `^` and `$` resolved by where they stand.
extension TermStore {
    /// The texts in which a pattern is found (`pattern` of JSON Schema is a search, not a whole match).
    mutating func searching(_ pattern: String) throws(GrammarError) -> ID {
        let node = try RegexParser.parse(pattern)
        let anything = RegexNode.repetition(.set(.all), minimum: 0, maximum: -1)
        if let term = try lookingAround(.sequence([anything, node, anything])) { return term }
        var budget = 100_000
        let whole = try lower(node, atStart: true, atEnd: true, &budget)
        try requireShallow(whole)
        if !node.hasAnchor {
            return concat(Self.all, concat(whole, Self.all))
        }
        let left = concat(Self.all, try lower(node, atStart: false, atEnd: true, &budget))
        let right = concat(try lower(node, atStart: true, atEnd: false, &budget), Self.all)
        let middle = concat(Self.all, concat(try lower(node, atStart: false, atEnd: false, &budget), Self.all))
        return or([whole, left, right, middle])
    }

    /// The texts that a pattern matches as a whole.
    mutating func matching(_ pattern: String) throws(GrammarError) -> ID {
        let node = try RegexParser.parse(pattern)
        if let term = try lookingAround(node) { return term }
        var budget = 100_000
        let whole = try lower(node, atStart: true, atEnd: true, &budget)
        try requireShallow(whole)
        return whole
    }

    /// The texts that a pattern with word boundaries or lookaround matches as a whole; nil for others.
    private mutating func lookingAround(_ node: RegexNode) throws(GrammarError) -> ID? {
        let term: ID
        if node.hasBoundary {
            term = try BoundaryLowering.language(of: node.flattened, &self)
        } else if node.lookPlace != nil {
            term = try LookLowering.language(of: node.flattened, &self)
        } else {
            return nil
        }
        try requireShallow(term)
        return term
    }

    /// The language of a node by whether its ends are those of the text.
    mutating func lowered(
        _ node: RegexNode, atStart: Bool = false, atEnd: Bool = false
    ) throws(GrammarError) -> ID {
        var budget = 100_000
        let term = try lower(node, atStart: atStart, atEnd: atEnd, &budget)
        try requireShallow(term)
        return term
    }

    /// Elements in a row and groups inside one another, at most: terms are read recursively.
    private static var maximumDepth: Int32 { 600 }

    private func requireShallow(_ term: ID) throws(GrammarError) {
        guard self[term].depth <= Self.maximumDepth else { throw Self.tooDeep }
    }

    private static var tooDeep: GrammarError {
        GrammarError(
            .tooComplex,
            "the pattern has more than \(maximumDepth) elements in a row or groups inside one another; "
                + "count repetitions, as in a{9}")
    }

    /// The language of a node whose ends are (or are not) the ends of the text.
    ///
    /// Anchors only ever hold where a flag is true, so a language grows with its flags; that makes the four cases of a
    /// sequence (either part empty or not) a plain union.
    private mutating func lower(
        _ node: RegexNode, atStart: Bool, atEnd: Bool, _ budget: inout Int
    ) throws(GrammarError) -> ID {
        budget -= 1
        guard budget > 0, !work.isExhausted else { throw GrammarError(.tooComplex, "the pattern is too large") }
        switch node {
        case .empty: return Self.epsilon
        case .set(let set): return self.set(set)
        case .startAnchor: return atStart ? Self.epsilon : Self.empty
        case .endAnchor: return atEnd ? Self.epsilon : Self.empty
        case .boundary, .look:
            throw GrammarError(
                .unsupported, "the pattern has a word boundary or lookaround where it cannot be enforced")
        case .alternatives(let branches):
            var parts: [ID] = []
            for branch in branches { parts.append(try lower(branch, atStart: atStart, atEnd: atEnd, &budget)) }
            return or(parts)
        case .sequence(let parts):
            guard parts.count <= Self.maximumDepth else { throw Self.tooDeep }
            return try lower(parts[...], atStart: atStart, atEnd: atEnd, &budget)
        case .repetition(let body, let minimum, let maximum):
            guard body.hasAnchor else {
                let inner = try lower(body, atStart: false, atEnd: false, &budget)
                return repetition(inner, Int32(minimum), Int32(maximum))
            }
            return try lowerAnchored(body, minimum, maximum, atStart: atStart, atEnd: atEnd, &budget)
        }
    }

    private mutating func lower(
        _ parts: ArraySlice<RegexNode>, atStart: Bool, atEnd: Bool, _ budget: inout Int
    ) throws(GrammarError) -> ID {
        guard let first = parts.first else { return Self.epsilon }
        if parts.count == 1 { return try lower(first, atStart: atStart, atEnd: atEnd, &budget) }
        let free = parts.prefix { !$0.hasAnchor }
        if free.count > 1 {
            var terms: [ID] = []
            for part in free { terms.append(try lower(part, atStart: false, atEnd: false, &budget)) }
            let run = concat(terms)
            if free.count == parts.count { return run }
            return try join(run, parts.dropFirst(free.count), atStart: atStart, atEnd: atEnd, &budget)
        }
        let inner = try lower(first, atStart: atStart, atEnd: false, &budget)
        let whole = atEnd ? try lower(first, atStart: atStart, atEnd: true, &budget) : inner
        return try join(inner, whole: whole, parts.dropFirst(), atStart: atStart, atEnd: atEnd, &budget)
    }

    /// `left` then the other parts, as a union over which of them are empty.
    ///
    /// `whole` is `left` standing at the end.
    private mutating func join(
        _ left: ID, whole: ID? = nil, _ rest: ArraySlice<RegexNode>, atStart: Bool, atEnd: Bool, _ budget: inout Int
    ) throws(GrammarError) -> ID {
        let right = try lower(rest, atStart: false, atEnd: atEnd, &budget)
        var union = [concat(left, right)]
        if atStart, self[left].isNullable { union.append(try lower(rest, atStart: true, atEnd: atEnd, &budget)) }
        let whole = whole ?? left
        if atEnd, self[right].isNullable { union.append(whole) }
        if atStart, atEnd, self[whole].isNullable, whole != left || !self[left].isNullable {
            let rightWhole = try lower(rest, atStart: true, atEnd: true, &budget)
            if self[rightWhole].isNullable { union.append(Self.epsilon) }
        }
        return or(union)
    }

    private mutating func lowerAnchored(
        _ body: RegexNode, _ minimum: Int, _ maximum: Int, atStart: Bool, atEnd: Bool, _ budget: inout Int
    ) throws(GrammarError) -> ID {
        guard minimum <= 16, maximum <= 64 else {
            throw GrammarError(.unsupported, "the pattern repeats a group with an anchor more than 64 times")
        }
        if maximum < 0, minimum > 0 {
            let copies = [RegexNode](repeating: body, count: minimum)
            let parts = copies + [.repetition(body, minimum: 0, maximum: -1)]
            return try lower(parts[...], atStart: atStart, atEnd: atEnd, &budget)
        }
        if maximum < 0 {
            // r* = ε ∪ r ∪ r·r*·r, the inner repetitions away from both ends.
            let one = try lower(body, atStart: atStart, atEnd: atEnd, &budget)
            let first = try lower(body, atStart: atStart, atEnd: false, &budget)
            let inner = try lower(body, atStart: false, atEnd: false, &budget)
            let last = try lower(body, atStart: false, atEnd: atEnd, &budget)
            return or([Self.epsilon, one, concat([first, repetition(inner, 0, -1), last])])
        }
        var union: [ID] = []
        for count in minimum...maximum {
            let copies = [RegexNode](repeating: body, count: count)
            union.append(try lower(copies[...], atStart: atStart, atEnd: atEnd, &budget))
        }
        return or(union)
    }
}
