import LeapBase

/// A part of a function's definition that is not enforced, although the function may be called.
package struct FunctionNote: Sendable, Hashable, CustomStringConvertible {
    /// The function's name.
    package var function: String
    /// JSON Pointer into the schema of its arguments; empty for all of it.
    package var pointer: String
    /// The reason why it is not enforced.
    package var reason: String

    package init(function: String, pointer: String, reason: String) {
        self.function = function
        self.pointer = pointer
        self.reason = reason
    }

    /// `/find/properties/p/pattern: …`, where the first part is the function's name.
    package var description: String { "\(path): \(reason)" }

    /// The function's name and the pointer, as one pointer.
    package var path: String { "/" + CallSchema.escaped(function) + pointer }
}

/// The refusal of a function that has to be called, or whose definition says `strict`.
package struct FunctionRefusal: CodedError {
    /// The part that cannot be enforced.
    package var note: FunctionNote

    package init(_ note: FunctionNote) { self.note = note }

    package var field: String? { note.path }
    package var message: String { note.description }
}
