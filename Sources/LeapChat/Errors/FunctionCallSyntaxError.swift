import LeapBase

/// The error for text between call marks that is not a call.
///
/// A ``LeapFunctionCallParser`` throws it (or any other error) to leave the text in the reply.
public struct FunctionCallSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the error.
    public let reason: String
    /// The position of the error, in bytes of UTF-8 from the start of the text.
    public let offset: Int
    /// A Boolean value that indicates whether the text is only incomplete.
    ///
    /// In that case the end mark was part of a string, and the parser is called again with more text.
    public let isIncomplete: Bool

    /// Creates an error.
    public init(reason: String, offset: Int = 0, isIncomplete: Bool = false) {
        self.reason = reason
        self.offset = offset
        self.isIncomplete = isIncomplete
    }

    /// A description of the error and its position.
    public var description: String { "\(reason) at byte \(offset)" }
}

extension FunctionCallSyntaxError: CodedError {
    package var message: String { description }
}
