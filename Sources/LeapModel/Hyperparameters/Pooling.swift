/// How the vectors of a text's tokens become one vector.
package enum Pooling: String, Sendable, Hashable, CaseIterable {
    /// Their mean.
    case mean
    /// The first token's.
    case cls
    /// The last token's.
    case last
    /// They stay as they are, one for each token.
    case none

    /// What a file says under `pooling_type` where its model ranks texts.
    static let rankType = 4

    /// What a file says under `pooling_type`; nil where it says nothing, or ``rankType``.
    init?(_ reader: HyperparameterReader) throws {
        switch try reader.optionalInt("pooling_type", in: 0...Self.rankType) {
        case 0: self = .none
        case 1: self = .mean
        case 2: self = .cls
        case 3: self = .last
        // A model that ranks has scores in place of a vector.
        default: return nil
        }
    }
}
