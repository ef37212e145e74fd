import LeapBase

/// An error while creating or using a tokenizer.
public struct TokenizerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure; more may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the code.
        public var description: String { rawValue }

        /// `tokenizer.ggml.model` names an unsupported kind of tokenizer.
        public static let unsupportedModel = Code(rawValue: "unsupportedModel")
        /// `tokenizer.ggml.pre` names an unknown rule, or a rule was given to a tokenizer that uses none.
        public static let unsupportedPreTokenizer = Code(rawValue: "unsupportedPreTokenizer")
        /// A metadata key that the tokenizer needs is missing.
        public static let missingKey = Code(rawValue: "missingKey")
        /// A metadata value has the wrong type or contradicts another one.
        public static let invalidMetadata = Code(rawValue: "invalidMetadata")
        /// A token id is not in the vocabulary.
        public static let tokenOutOfRange = Code(rawValue: "tokenOutOfRange")
    }

    /// The kind of failure.
    public var code: Code
    /// The metadata key that the error concerns, if any.
    public var field: String?
    /// The error, the expected value and what to do.
    public var message: String

    init(_ code: Code, field: String? = nil, message: String) {
        self.code = code
        self.field = field
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension TokenizerError: CodedError {}
