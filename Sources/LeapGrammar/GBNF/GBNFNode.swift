/// A place in a grammar text, both counted from 1.
struct GBNFPlace: Equatable {
    var line: Int
    var column: Int

    /// `line:column`, as ``GrammarError/pointer`` has it.
    var pointer: String { "\(line):\(column)" }
}

/// The right side of a rule, as read.
indirect enum GBNFNode {
    /// Characters in a row; none is the empty text.
    case literal([UInt32])
    case characters(CodePointSet)
    case reference(String, at: GBNFPlace)
    case sequence([GBNFNode])
    case alternatives([GBNFNode])
    /// `maximum` −1: no limit.
    case repetition(GBNFNode, minimum: Int, maximum: Int)

    /// Calls `body` for each reference inside.
    func forEachReference(_ body: (String, GBNFPlace) throws -> Void) rethrows {
        switch self {
        case .literal, .characters: break
        case .reference(let name, let place): try body(name, place)
        case .sequence(let parts), .alternatives(let parts):
            for part in parts { try part.forEachReference(body) }
        case .repetition(let inner, _, _): try inner.forEachReference(body)
        }
    }
}

/// A rule as read.
struct GBNFRule {
    var name: String
    var place: GBNFPlace
    var body: GBNFNode
}
