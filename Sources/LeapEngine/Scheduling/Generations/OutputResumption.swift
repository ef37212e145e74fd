import LeapModel
package import LeapTokenizer

/// The point at which an output was interrupted: what a generation needs, besides its tokens, to go on as if it had
/// not been.
package struct OutputResumption: Sendable, Hashable {
    /// The number of the output's tokens so far: the last ones of the prompt.
    package var tokenCount: Int
    /// The random numbers that were taken to draw them.
    package var drawCount: Int

    /// - Parameters:
    ///   - tokenCount: the number of the output's tokens so far.
    ///   - drawCount: the random numbers that were taken to draw them.
    package init(tokenCount: Int, drawCount: Int) {
        self.tokenCount = tokenCount
        self.drawCount = drawCount
    }

    /// True if the numbers fit each other and a sequence: a token takes one random number at most.
    package func isPossible(in sequence: [TokenID]) -> Bool {
        (1...max(1, sequence.count)).contains(tokenCount) && tokenCount < sequence.count
            && (0...tokenCount).contains(drawCount) && sequence.suffix(tokenCount).allSatisfy { $0 >= 0 }
    }

    func validate(for request: GenerationRequest) throws(EngineError) {
        guard isPossible(in: request.prompt) else {
            throw EngineError(
                .invalidOption,
                "\(tokenCount) tokens and \(drawCount) draws do not end a prompt of \(request.prompt.count): begin again",
                field: "resumption")
        }
        guard request.speech == nil, request.likelihoodAlternatives == nil else {
            throw EngineError(
                .invalidOption,
                "an output with speech or log probabilities does not go on after an interruption: begin it again",
                field: "resumption")
        }
        if let maxTokens = request.maxTokens, maxTokens <= tokenCount {
            throw EngineError(
                .invalidOption,
                "maxTokens is \(maxTokens), but the interrupted output has \(tokenCount) tokens: it has to be more",
                field: "maxTokens")
        }
    }
}
