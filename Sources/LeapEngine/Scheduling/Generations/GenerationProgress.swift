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
    /// The same by their place behind the output: first those that were proposed as the next token, then those behind.
    package var draftedByPosition: [Int] = []
    package var acceptedByPosition: [Int] = []
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

extension GenerationProgress {
    /// Adds what another one has more than it had.
    mutating func add(_ progress: GenerationProgress, since last: GenerationProgress) {
        promptTokens += progress.promptTokens - last.promptTokens
        cachedPromptTokens += progress.cachedPromptTokens - last.cachedPromptTokens
        completionTokens += progress.completionTokens - last.completionTokens
        draftedTokens += progress.draftedTokens - last.draftedTokens
        acceptedTokens += progress.acceptedTokens - last.acceptedTokens
        draftedByPosition.add(progress.draftedByPosition, since: last.draftedByPosition)
        acceptedByPosition.add(progress.acceptedByPosition, since: last.acceptedByPosition)
    }

    /// Counts proposals that were checked together.
    mutating func note(checked: Int, accepted: Int) {
        draftedTokens += checked
        acceptedTokens += accepted
        draftedByPosition.add(1, upTo: checked)
        acceptedByPosition.add(1, upTo: accepted)
    }
}

extension [Int] {
    /// Adds a number to the first elements; there are as many afterwards.
    fileprivate mutating func add(_ number: Int, upTo count: Int) {
        self += [Int](repeating: 0, count: Swift.max(0, count - self.count))
        for index in 0..<count { self[index] += number }
    }

    /// Adds what other counts have more than they had.
    mutating func add(_ counts: [Int], since last: [Int]) {
        self += [Int](repeating: 0, count: Swift.max(0, counts.count - count))
        for (index, value) in counts.enumerated() {
            self[index] += value - (index < last.count ? last[index] : 0)
        }
    }
}
