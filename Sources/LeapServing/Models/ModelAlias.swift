/// A further name for a model, as clients have names of others' models built in.
package struct ModelAlias: Sendable, Hashable {
    /// The name in requests; with a star at its end, the beginning of names.
    package let name: String
    /// The model that is meant.
    package let model: String
    private let pattern: NamePattern

    /// Reads `NAME=MODEL`.
    ///
    /// - Returns: nil where either is missing, or a star stands elsewhere than at the end of the name.
    package init?(_ text: String) {
        guard let equals = text.firstIndex(of: "=") else { return nil }
        (name, model) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
        guard let pattern = NamePattern(name), !model.isEmpty else { return nil }
        self.pattern = pattern
    }

    /// Returns true if a name in a request is this one.
    func matches(_ asked: String) -> Bool { pattern.matches(asked) }
}
