/// A name, or with a star at its end the beginning of names.
struct NamePattern: Sendable, Hashable {
    /// The name as it is written.
    let text: String

    /// Reads a name.
    ///
    /// - Returns: nil for none, and where a star stands elsewhere than at the end.
    init?(_ text: String) {
        guard !text.isEmpty, !text.dropLast().contains("*") else { return nil }
        self.text = text
    }

    /// Returns true if a name is this one, or begins with it where a star stands at its end.
    func matches(_ name: String) -> Bool { text.hasSuffix("*") ? name.hasPrefix(text.dropLast()) : name == text }
}
