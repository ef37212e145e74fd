import LeapChat

/// The figures of an answer, for people.
enum AnswerFigures {
    /// One line: tokens of the prompt and of the answer, and the speed of the latter.
    static func line(_ stats: GenerationStats) -> String {
        "\(stats.computedPromptTokens) prompt tokens computed, \(stats.reusedPromptTokens) kept; "
            + "\(stats.completionTokens) tokens generated, \(String.rounded(Double(stats.tokenPerSecond))) tokens/s"
    }
}
