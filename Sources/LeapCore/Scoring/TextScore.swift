import Foundation

/// The likelihood that a model gives to a text.
public struct TextScore: Sendable, Hashable, Codable {
    /// The text's tokens in order, each with its log probability after all that stands before it.
    ///
    /// The first token of a text has something before it where the model begins texts with a token of their own, or
    /// where the text follows another one; otherwise it is not among them.
    public let tokens: [TokenLogprob]
    /// The number of tokens that the model was given before these.
    public let contextTokens: Int

    /// The natural logarithm of the text's probability: the sum over its tokens.
    public var logprob: Double { tokens.reduce(0) { $0 + Double($1.logprob) } }

    /// The logarithm per token, which compares texts of different lengths.
    public var meanLogprob: Double { tokens.isEmpty ? 0 : logprob / Double(tokens.count) }

    /// e to the power of minus ``meanLogprob``: 1 for a text that the model is certain of.
    public var perplexity: Double { exp(-meanLogprob) }
}
