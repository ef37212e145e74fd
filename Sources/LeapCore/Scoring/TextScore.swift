import Foundation
public import LeapChat

/// The likelihood of a text under a model.
public struct TextScore: Sendable, Hashable, Codable {
    /// The text's tokens in order, each with its log probability given everything before it.
    ///
    /// The first token is scored if the model begins texts with a special token, or if the text follows a context.
    /// Otherwise it is not in the array.
    public let tokens: [TokenLogprob]
    /// The number of tokens of context before the text.
    public let contextTokens: Int

    /// The natural logarithm of the text's probability: the sum over its tokens.
    public var logprob: Double { tokens.reduce(0) { $0 + Double($1.logprob) } }

    /// The mean log probability per token, for comparing texts of different lengths.
    public var meanLogprob: Double { tokens.isEmpty ? 0 : logprob / Double(tokens.count) }

    /// e to the power of minus ``meanLogprob``; 1 if the model is certain of the text.
    public var perplexity: Double { exp(-meanLogprob) }
}
