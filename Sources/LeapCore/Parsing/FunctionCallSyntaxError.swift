import LeapBase

/// The error of a text between call marks that is not a call.
///
/// A ``LeapFunctionCallParser`` throws it (or any other error) to let the text stand as text.
public struct FunctionCallSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the error.
    public let reason: String
    /// The place of the error, in bytes of UTF-8 from the start of the text.
    public let offset: Int
    /// A Boolean value that tells whether the text just ends too early: then an end mark inside of it was part of a
    /// string, and more text is waited for.
    public let isIncomplete: Bool

    /// Makes an error.
    public init(reason: String, offset: Int = 0, isIncomplete: Bool = false) {
        self.reason = reason
        self.offset = offset
        self.isIncomplete = isIncomplete
    }

    /// A description of the error and its place.
    public var description: String { "\(reason) at byte \(offset)" }
}

extension FunctionCallSyntaxError: CodedError {
    package var message: String { description }
}
