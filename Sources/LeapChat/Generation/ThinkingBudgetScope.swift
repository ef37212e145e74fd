/// The part of a reply that ``GenerationOptions/thinkingBudget`` limits.
public enum ThinkingBudgetScope: String, Sendable, Hashable, Codable, CaseIterable {
    /// All thoughts of the reply together.
    case reply
    /// Each block of thoughts of its own.
    case block
}
