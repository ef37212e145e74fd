import LeapBase

/// An error while opening, reading or writing a GGUF file.
///
/// The message says what was found, what was expected and what to do; ``description`` adds the file before it.
public struct GGUFError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs; new codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, such as `truncated`.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the code.
        public var description: String { rawValue }

        /// No file has this path.
        public static let notFound = Code(rawValue: "notFound")
        /// The system refuses to open, map or read the file.
        public static let notReadable = Code(rawValue: "notReadable")
        /// The path is a directory, pipe, socket or device.
        public static let notAFile = Code(rawValue: "notAFile")
        /// The file has no bytes.
        public static let empty = Code(rawValue: "empty")
        /// The file does not begin with `GGUF`.
        public static let notGGUF = Code(rawValue: "notGGUF")
        /// The file was written for big-endian machines.
        public static let bigEndian = Code(rawValue: "bigEndian")
        /// The GGUF version is neither 2 nor 3.
        public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
        /// Something the file declares reaches past its last byte.
        public static let truncated = Code(rawValue: "truncated")
        /// The file contradicts the format or itself.
        public static let malformed = Code(rawValue: "malformed")
        /// A count or length exceeds a limit of this reader.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// The parts of a split model are missing or do not belong together.
        public static let split = Code(rawValue: "split")
        /// A metadata value has another type than the caller needs.
        public static let wrongType = Code(rawValue: "wrongType")
        /// An argument that the caller gave to a writer or builder is not valid.
        public static let invalidArgument = Code(rawValue: "invalidArgument")
        /// The memory for a full read is not available.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// The file could not be created or written.
        public static let writeFailed = Code(rawValue: "writeFailed")
    }

    /// The kind of failure.
    public var code: Code
    /// The file, as the caller named it; nil for bytes in memory.
    public var path: String?
    /// The metadata key or tensor name that the error concerns.
    public var field: String?
    /// The offset of the problem in the file, in bytes from its start.
    public var offset: Int?
    /// The error, the expected value and what to do.
    public var message: String

    /// Creates an error.
    public init(_ code: Code, path: String? = nil, field: String? = nil, offset: Int? = nil, message: String) {
        self.code = code
        self.path = path
        self.field = field
        self.offset = offset
        self.message = message
    }

    /// The file, if there is one, and the message, on one line.
    public var description: String {
        guard let path else { return message }
        return "\(path): \(message)"
    }
}

extension GGUFError: CodedError {}
