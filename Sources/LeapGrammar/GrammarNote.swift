/// A part of a schema that was ignored, although it looks like a constraint.
///
/// An example is a keyword that is unknown to the schema's draft, but known to another draft.
public struct GrammarNote: Sendable, Hashable, CustomStringConvertible {
    /// The JSON Pointer to the keyword in the schema.
    public var pointer: String
    /// The reason why it is ignored.
    public var reason: String

    /// Creates a note about a place.
    public init(pointer: String, reason: String) {
        self.pointer = pointer
        self.reason = reason
    }

    /// `"/properties/a/const": …`.
    public var description: String { "\"\(pointer)\": \(reason)" }
}
