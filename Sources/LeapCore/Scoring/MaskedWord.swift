/// The likeliest tokens in the place of a mask; see ``ModelRunner/fillMask(_:options:)``.
public struct MaskedWord: Sendable, Hashable, Codable {
    /// A token that may stand in the place of the mask.
    public struct Candidate: Sendable, Hashable, Codable {
        /// The token's text, with the space before it if the token has one.
        public let token: String
        /// The probability of the token, from 0 to 1: the softmax of the model's output over the whole vocabulary.
        public let probability: Float

        /// Creates a candidate, for tests and your own runners.
        public init(token: String, probability: Float) {
            self.token = token
            self.probability = probability
        }
    }

    /// The most likely tokens, most likely first.
    public let candidates: [Candidate]

    /// Creates a result, for tests and your own runners.
    public init(candidates: [Candidate]) { self.candidates = candidates }
}

/// Options for the words of ``ModelRunner/fillMask(_:options:)``.
public struct FillMaskOptions: Sendable, Hashable {
    /// The number of tokens to return for each mask, 1 or more.
    ///
    /// If the vocabulary has fewer, all are returned.
    public var count: Int

    /// Creates options; by default, 5 tokens for each mask.
    public init(count: Int = 5) { self.count = count }
}
