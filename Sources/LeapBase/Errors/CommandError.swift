/// An error that ends a command, in one line that names the option, file or variable, what was found and what to do.
package struct CommandError: CodedError, Hashable {
    package let message: String
    package let field: String?

    /// Makes an error.
    ///
    /// - Parameter field: the option, file or variable at fault, which the message names too.
    package init(_ message: String, field: String? = nil) {
        self.message = message
        self.field = field
    }
}
