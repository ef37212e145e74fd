import LeapBase

/// An error in an image file that cannot be read.
package struct ImageFileError: CodedError, Hashable {
    /// The kind of a failure.
    package enum Code: String, Sendable {
        /// The bytes are not an image of a supported format.
        case unknownFormat
        /// The format is known, but not this variant of it.
        case unsupported
        /// The file breaks its format's rules.
        case damaged
        /// The file ends before its image does.
        case truncated
        /// The image is larger than allowed.
        case tooLarge
    }

    package let code: Code
    /// A description of what was found and what to do.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
