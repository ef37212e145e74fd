/// A method by which the vectors of a text's tokens become one vector.
package enum Pooling: String, Sendable, Hashable, CaseIterable {
    /// The mean of the vectors.
    case mean
    /// The vector of the first token.
    case cls
    /// The vector of the last token.
    case last
    /// They stay as they are, one for each token.
    case none

    /// The value of `pooling_type` in files whose models rank texts.
    static let rankType = 4

    /// Reads `pooling_type`; nil where the file does not have it, or has ``rankType``.
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
