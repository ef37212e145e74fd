/// A parsed regular expression.
indirect enum RegexNode {
    case empty
    case set(CodePointSet)
    case startAnchor
    case endAnchor
    /// `\b`, negated `\B`.
    case boundary(isNegated: Bool)
    /// A condition on the text before or after this place, which it must (or must not) meet; the place is for messages.
    case look(RegexNode, isAhead: Bool, isNegated: Bool, at: Int)
    case sequence([RegexNode])
    case alternatives([RegexNode])
    /// `maximum` −1: no limit.
    case repetition(RegexNode, minimum: Int, maximum: Int)

    var hasAnchor: Bool {
        switch self {
        case .empty, .set: false
        case .startAnchor, .endAnchor, .boundary, .look: true
        case .sequence(let nodes), .alternatives(let nodes): nodes.contains { $0.hasAnchor }
        case .repetition(let body, _, _): body.hasAnchor
        }
    }

    var hasBoundary: Bool {
        switch self {
        case .empty, .set, .startAnchor, .endAnchor: false
        case .boundary: true
        case .look(let body, _, _, _): body.hasBoundary
        case .sequence(let nodes), .alternatives(let nodes): nodes.contains { $0.hasBoundary }
        case .repetition(let body, _, _): body.hasBoundary
        }
    }

    /// The place of the first lookaround inside; nil where there is none.
    var lookPlace: Int? {
        switch self {
        case .empty, .set, .startAnchor, .endAnchor, .boundary: return nil
        case .look(_, _, _, let place): return place
        case .sequence(let nodes), .alternatives(let nodes):
            for node in nodes { if let place = node.lookPlace { return place } }
            return nil
        case .repetition(let body, _, _): return body.lookPlace
        }
    }

    /// The same with sequences inside sequences written out.
    var flattened: RegexNode {
        switch self {
        case .sequence(let parts):
            var result: [RegexNode] = []
            for part in parts {
                let flat = part.flattened
                if case .sequence(let inner) = flat { result += inner } else { result.append(flat) }
            }
            return .sequence(result)
        default: return self
        }
    }
}
