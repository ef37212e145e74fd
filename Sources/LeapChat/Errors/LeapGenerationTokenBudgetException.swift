/// The shortest reply that the constraint allows needs more tokens than are available; nothing was generated.
///
/// Raise ``GenerationOptions/maxTokens``, load the model with a larger `contextSize`, or ask for less.
public final class LeapGenerationTokenBudgetException: LeapGenerationException, @unchecked Sendable {
    // Sendable: everything is immutable.

    /// The number of tokens that a short reply needs.
    public let neededTokens: Int
    /// The number of tokens that the reply can have.
    public let availableTokens: Int
    /// The limit on the tokens of the reply.
    public let limit: GenerationLimit

    /// Creates an error from the numbers.
    public init(neededTokens: Int, availableTokens: Int, limit: GenerationLimit) {
        self.neededTokens = neededTokens
        self.availableTokens = availableTokens
        self.limit = limit
        let remedy =
            switch limit {
            case .maxTokens(let most): "maxTokens is \(most): raise it"
            case .contextSize(let size):
                "the context holds \(size) and the prompt takes the rest: load the model with a larger contextSize, or "
                    + "shorten the history"
            }
        super.init(
            message:
                "the shortest answer that the constraint allows needs \(neededTokens) tokens but only \(availableTokens) "
                + "are left; \(remedy)")
    }
}
