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

    /// What a file says under `pooling_type`; nil where it says nothing.
    init?(_ reader: HyperparameterReader) throws {
        switch try reader.optionalInt("pooling_type", in: 0...4) {
        case 0: self = .none
        case 1: self = .mean
        case 2: self = .cls
        case 3: self = .last
        case 4:
            throw EngineError(
                .unsupportedArchitecture,
                "\(reader.key("pooling_type")) is 4: models that rank pairs of texts are not supported",
                field: reader.key("pooling_type"))
        default: return nil
        }
    }
}
