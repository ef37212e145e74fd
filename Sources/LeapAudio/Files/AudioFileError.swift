import LeapBase

/// An error in an audio file that cannot be read.
package struct AudioFileError: CodedError, Hashable {
    /// The kind of a failure.
    package enum Code: String, Sendable {
        /// The bytes are not a file of a supported format.
        case unknownFormat
        /// It is of a format that is read, but not a variant that is.
        case unsupported
        /// The file breaks its format's rules.
        case damaged
        /// The file ends before its samples do.
        case truncated
        /// There is nothing in it.
        case empty
        /// There is more in it than its reader takes.
        case tooLong
        /// It is read by a library of the system, which is not there.
        case needsLibrary
    }

    package let code: Code
    /// A description of what was found and what to do.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
