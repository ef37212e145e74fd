/// The shape of every error that leaves a module.
///
/// ``code`` is for programs, which compare it. ``message`` is for people: one sentence that says what was found, what
/// was expected and what to do. ``field`` is the part of what was given that is at fault.
package protocol CodedError: Error, CustomStringConvertible {
    /// The kinds of error, each with a stable name; of errors of one kind, ``SingleCode``.
    associatedtype Code: RawRepresentable, Hashable, Sendable = SingleCode where Code.RawValue == String

    /// The kind of error.
    var code: Code { get }
    /// The key, tensor, option, path, address, JSON pointer or place in a text that is at fault; nil where none is
    /// known.
    var field: String? { get }
    /// One sentence that says what was found, what was expected and what to do.
    var message: String { get }
}

extension CodedError {
    package var field: String? { nil }
    package var description: String { message }
}

/// The code of a type with errors of one kind, which the type's name says.
package enum SingleCode: String, Sendable { case failure }

extension CodedError where Code == SingleCode {
    package var code: SingleCode { .failure }
}
