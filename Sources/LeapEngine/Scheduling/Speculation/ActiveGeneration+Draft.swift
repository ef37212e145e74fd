import LeapModel
import LeapTokenizer

/// The text of a generation, as a draft model reads it.
extension ActiveGeneration {
    /// Tokens of the prompt and the output.
    var tokenCount: Int { promptCount + generated.count }

    /// Tokens of the prompt.
    var promptCount: Int { request.prompt.count }

    /// A token of the prompt or the output.
    func token(_ index: Int) -> TokenID {
        index < promptCount ? request.prompt[index] : generated[index - promptCount]
    }

    /// Some tokens of the prompt and the output.
    func tokens(from start: Int, to end: Int) -> ArraySlice<TokenID> {
        if end <= promptCount { return request.prompt[start..<end] }
        if start >= promptCount { return generated[start - promptCount..<end - promptCount] }
        return request.prompt[start...] + generated[..<(end - promptCount)]
    }
}
