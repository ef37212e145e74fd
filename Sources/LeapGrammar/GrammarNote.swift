/// Something in a schema that was ignored, although it looks as if it said something about the values.
///
/// For instance a keyword that the schema's draft does not know, but another draft does.
public struct GrammarNote: Sendable, Hashable, CustomStringConvertible {
    /// JSON Pointer to the keyword in the schema.
    public var pointer: String
    /// The reason why it does not count.
    public var reason: String

    /// A note about a place.
    public init(pointer: String, reason: String) {
        self.pointer = pointer
        self.reason = reason
    }

    /// `"/properties/a/const": …`.
    public var description: String { "\"\(pointer)\": \(reason)" }
}
