import LeapBase

/// The error of a file of keys that cannot be used.
package struct KeyFileError: CodedError, Hashable {
    /// The kinds of it.
    package enum Code: String, Sendable {
        /// The file cannot be read, or is no text.
        case unreadable
        /// The file is longer, or has more keys, than is read.
        case tooLarge
        /// The file has no key.
        case empty
        /// A line has too few or too many fields.
        case fields
        /// A name has other characters than names have, or is another line's.
        case name
        /// A key cannot be sent, or is another line's.
        case key
        /// The models are no list of names.
        case models
        /// A limit is no number.
        case limit
    }

    package let code: Code
    /// The path, with the number of the line where one is at fault.
    package let field: String?
    package let message: String

    init(_ code: Code, _ path: String, line: Int? = nil, _ problem: String) {
        let place = ShownText.of(path, limit: 4096) + (line.map { ":\($0)" } ?? "")
        self.code = code
        field = place
        message = "\(place): \(problem)"
    }
}
