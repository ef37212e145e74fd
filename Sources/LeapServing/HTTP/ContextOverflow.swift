/// A prompt that does not fit into a model's context, in the words by which clients of each protocol know it.
///
/// Agents look for these words: with them they make their history shorter and go on, without them they stop or send the
/// same again. `OverflowWordsTests` lists what each of them reads.
package struct ContextOverflow: Sendable, Hashable {
    /// The tokens of the prompt, and one of the answer.
    package let neededTokens: Int
    /// The tokens that the context holds.
    package let availableTokens: Int
    /// The part of the prompt that is too long by itself, as a clause; nil where it is all of it.
    package var part: String?

    /// Returns the sentence about the prompt in the words of a protocol.
    func message(in shape: ErrorShape) -> String {
        let words =
            switch shape {
            case .openAI, .systemOne:
                "this model's maximum context length is \(availableTokens) tokens, but the prompt needs \(neededTokens) tokens"
            case .anthropic: "prompt is too long: \(neededTokens) tokens > \(availableTokens) maximum"
            case .ollama:
                "the prompt needs \(neededTokens) tokens, which exceeds the available context size of \(availableTokens) tokens"
            }
        return
            "\(words)\(part.map { " (\($0))" } ?? ""); shorten it, or ask whoever runs the server for a larger --context"
    }
}
