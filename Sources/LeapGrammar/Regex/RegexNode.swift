/// A parsed regular expression.
indirect enum RegexNode {
    case empty
    case set(CodePointSet)
    case startAnchor
    case endAnchor
    case sequence([RegexNode])
    case alternatives([RegexNode])
    /// `maximum` −1: no limit.
    case repetition(RegexNode, minimum: Int, maximum: Int)

    var hasAnchor: Bool {
        switch self {
        case .empty, .set: false
        case .startAnchor, .endAnchor: true
        case .sequence(let nodes), .alternatives(let nodes): nodes.contains { $0.hasAnchor }
        case .repetition(let body, _, _): body.hasAnchor
        }
    }
}
