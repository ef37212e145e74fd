import LeapJSON
import LeapOpenAIFormat

/// OpenAI's words for how much a model thinks, from none to most.
package enum ThinkingEffort: String, Sendable, Hashable, CaseIterable {
    case none
    case minimal
    case low
    case medium
    case high
    case xhigh
    case max

    /// True if the model thinks at all.
    package var thinks: Bool { share != nil }

    /// The largest part of a reply's tokens that its thoughts may have; nil where there are none.
    package var share: Double? {
        switch self {
        case .none, .minimal: nil
        case .low: 0.125
        case .medium: 0.25
        case .high: 0.5
        case .xhigh: 0.75
        case .max: 0.875
        }
    }
}

extension GenerationExtras {
    /// Tells the chat template how much the model is to think, in whatever words it has.
    ///
    /// The words of ``ThinkingEffort`` limit the thoughts to a share of the reply, too.
    package mutating func tellEffort(_ word: String) {
        thinkingShare = ThinkingEffort(rawValue: word)?.share
        templateArguments[OpenAI.Key.reasoningEffort] = .string(word)
    }
}
