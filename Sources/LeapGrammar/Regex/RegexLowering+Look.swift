/// Lookaround outside of repetitions: what follows a lookahead is a language of whole rests of the text, which is
/// intersected with what the lookahead asks; what stands before a lookbehind likewise.
struct LookLowering {
    private var budget = 4_000

    /// The texts that a pattern matches as a whole.
    static func language(of node: RegexNode, _ terms: inout TermStore) throws(GrammarError) -> TermStore.ID {
        var lowering = LookLowering()
        guard case .sequence(let parts) = node else { return try lowering.whole([node], &terms) }
        return try lowering.whole(parts, &terms)
    }

    private static func refusal(_ place: Int, _ why: String) -> GrammarError {
        GrammarError(.unsupported, "the pattern has lookaround at character \(place) \(why), which cannot be enforced")
    }

    /// A sequence that is the whole pattern: up to the last lookbehind the text so far is what counts.
    private mutating func whole(_ parts: [RegexNode], _ terms: inout TermStore) throws(GrammarError) -> TermStore.ID {
        guard let last = parts.lastIndex(where: { Self.isBehind($0) }) else {
            return try rest(parts[...], atStart: true, &terms)
        }
        guard case .look(let body, _, let isNegated, _) = parts[last] else { return TermStore.empty }
        let before = try beforeBehind(Array(parts[..<last]), &terms)
        let asked = try behind(body, &terms)
        let prefix = terms.and([before, isNegated ? terms.not(asked) : asked])
        for part in parts[(last + 1)...] where Self.hasStart(part) {
            throw GrammarError(.unsupported, "the pattern has ^ after a lookbehind, which cannot be enforced")
        }
        return terms.concat(prefix, try rest(parts[(last + 1)...], atStart: false, &terms))
    }

    /// The texts up to a lookbehind.
    private mutating func beforeBehind(
        _ parts: [RegexNode], _ terms: inout TermStore
    ) throws(GrammarError) -> TermStore.ID {
        for part in parts {
            if let place = part.lookPlace, !Self.isBehind(part) {
                throw Self.refusal(place, "before a lookbehind")
            }
            if Self.hasEnd(part) {
                throw GrammarError(.unsupported, "the pattern has $ before a lookbehind, which cannot be enforced")
            }
        }
        return try whole(parts, &terms)
    }

    private static func isBehind(_ node: RegexNode) -> Bool {
        if case .look(_, false, _, _) = node { true } else { false }
    }

    private static func hasStart(_ node: RegexNode) -> Bool {
        switch node {
        case .startAnchor: true
        case .sequence(let parts), .alternatives(let parts): parts.contains { hasStart($0) }
        case .repetition(let body, _, _): hasStart(body)
        default: false
        }
    }

    private static func hasEnd(_ node: RegexNode) -> Bool {
        switch node {
        case .endAnchor: true
        case .sequence(let parts), .alternatives(let parts): parts.contains { hasEnd($0) }
        case .repetition(let body, _, _): hasEnd(body)
        default: false
        }
    }

    /// Texts that end with what a lookbehind asks.
    private func behind(_ body: RegexNode, _ terms: inout TermStore) throws(GrammarError) -> TermStore.ID {
        if let place = body.lookPlace { throw Self.refusal(place, "inside another") }
        if Self.hasEnd(body) { throw GrammarError(.unsupported, "the pattern has $ in a lookbehind") }
        let whole = try terms.lowered(body, atStart: true, atEnd: false)
        let part = try terms.lowered(body, atStart: false, atEnd: false)
        return terms.or([whole, terms.concat(TermStore.all, part)])
    }

    /// Whole rests of the text that begin with what a lookahead asks.
    private mutating func ahead(
        _ body: RegexNode, atStart: Bool, _ terms: inout TermStore
    ) throws(GrammarError) -> TermStore.ID {
        if let place = body.lookPlace { throw Self.refusal(place, "inside another") }
        let whole = try terms.lowered(body, atStart: atStart, atEnd: true)
        let part = try terms.lowered(body, atStart: atStart, atEnd: false)
        return terms.or([whole, terms.concat(part, TermStore.all)])
    }

    /// The rests of the text that parts match up to its end.
    private mutating func rest(
        _ parts: ArraySlice<RegexNode>, atStart: Bool, _ terms: inout TermStore
    ) throws(GrammarError) -> TermStore.ID {
        budget -= 1
        guard budget > 0, !terms.work.isExhausted else {
            throw GrammarError(.tooComplex, "the pattern has too many parts next to lookaround")
        }
        guard let first = parts.first else { return TermStore.epsilon }
        let others = parts.dropFirst()
        switch first {
        case .look(let body, true, let isNegated, _):
            let asked = try ahead(body, atStart: atStart, &terms)
            let following = try rest(others, atStart: atStart, &terms)
            return terms.and([isNegated ? terms.not(asked) : asked, following])
        case .look(_, _, _, let place): throw Self.refusal(place, "inside a group")
        case .startAnchor: return atStart ? try rest(others, atStart: true, &terms) : TermStore.empty
        case .endAnchor:
            let following = try rest(others, atStart: atStart, &terms)
            return terms[following].isNullable ? TermStore.epsilon : TermStore.empty
        case .sequence(let inner): return try rest((inner + others)[...], atStart: atStart, &terms)
        case .alternatives(let branches) where first.hasAnchor:
            var union: [TermStore.ID] = []
            for branch in branches { union.append(try rest(([branch] + others)[...], atStart: atStart, &terms)) }
            return terms.or(union)
        case .repetition(let body, 0, 1) where first.hasAnchor:
            let with = try rest(([body] + others)[...], atStart: atStart, &terms)
            return terms.or([with, try rest(others, atStart: atStart, &terms)])
        case .repetition where first.hasAnchor:
            if let place = first.lookPlace { throw Self.refusal(place, "in a repetition") }
            throw GrammarError(
                .unsupported, "the pattern repeats an anchor next to lookaround, which cannot be enforced")
        default:
            let term = try terms.lowered(first)
            let following = try rest(others, atStart: false, &terms)
            guard atStart, terms[term].isNullable, others.contains(where: { $0.hasAnchor }) else {
                return terms.concat(term, following)
            }
            let begun = terms.concat(terms.withoutEmpty(term), following)
            return terms.or([begun, try rest(others, atStart: true, &terms)])
        }
    }
}
