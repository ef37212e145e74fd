/// The texts that end thoughts at their limit where the options have none: sentences of this project's own, by family.
///
/// A family is known by its architecture. Other families have none.
enum ThinkingBudgetMessages {
    /// The sentence; what stands around it is what the family's thoughts begin and end with.
    static let sentence = "My thinking has reached its limit, so I answer now with what I have."

    /// Families by the beginnings of their architectures' names.
    private static let families: [(architecture: String, before: String, after: String)] = [
        ("qwen3", "\n\n", "\n"),
        ("gemma4", "\n", "\n"),
        ("gpt-oss", " ", ""),
    ]

    /// Returns the text of an architecture's family; nil where it has none.
    static func text(architecture: String?) -> String? {
        guard let architecture else { return nil }
        return families.first { architecture.hasPrefix($0.architecture) }.map { $0.before + sentence + $0.after }
    }
}
