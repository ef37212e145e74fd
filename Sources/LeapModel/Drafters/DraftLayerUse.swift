/// The use of a model's layers that predict further tokens, where it has such.
package enum DraftLayerUse: Sendable, Hashable {
    /// The numbers of tokens that a pass may check.
    package static let range = 1...16

    /// They propose as many tokens as is expected to be fastest.
    case automatic
    /// They are not loaded.
    case off
    /// They propose at most so many tokens for each pass; the model has to have such layers.
    case most(Int)

    /// The maximum number of tokens that they propose for a pass.
    package var limit: Int {
        switch self {
        case .automatic: Self.range.upperBound
        case .off: 0
        case .most(let count): count
        }
    }

    /// Reads `auto`, `off` or a number; nil for anything else.
    package init?(_ text: String) {
        switch text {
        case "auto": self = .automatic
        case "off": self = .off
        default:
            guard let count = Int(text), Self.range.contains(count) else { return nil }
            self = .most(count)
        }
    }

    /// The same as it is written.
    package var text: String {
        switch self {
        case .automatic: "auto"
        case .off: "off"
        case .most(let count): "\(count)"
        }
    }
}

extension DraftLayerUse: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let use = DraftLayerUse(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected auto, off or a number of tokens")
        }
        self = use
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
