/// The numbers of tokens that a generation has worked on.
package struct GenerationProgress: Sendable, Hashable {
    /// Tokens of the prompt that were computed.
    package var promptTokens = 0
    /// Tokens of the prompt whose state was there already: in the session, in memory or on disk.
    package var cachedPromptTokens = 0
    /// Tokens that were generated, without the stop token.
    package var completionTokens = 0
    /// Tokens that were proposed and checked.
    package var draftedTokens = 0
    /// Proposed tokens that became part of the output.
    package var acceptedTokens = 0
    /// Generated tokens between the marks of reasoning, where they are counted.
    package var reasoningTokens = 0
    /// True if the end of the reasoning was forced.
    package var wasReasoningCut = false

    /// Nothing yet, unless given.
    package init(promptTokens: Int = 0, cachedPromptTokens: Int = 0, completionTokens: Int = 0) {
        self.promptTokens = promptTokens
        self.cachedPromptTokens = cachedPromptTokens
        self.completionTokens = completionTokens
    }
}
