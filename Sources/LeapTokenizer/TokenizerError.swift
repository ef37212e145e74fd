import LeapBase

/// The error of a tokenizer that could not be made or could not do what was asked.
public struct TokenizerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure; more may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let rawValue: String

        /// Makes a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the code.
        public var description: String { rawValue }

        /// `tokenizer.ggml.model` names a kind of tokenizer that is not implemented.
        public static let unsupportedModel = Code(rawValue: "unsupportedModel")
        /// `tokenizer.ggml.pre` names a rule of cutting texts that is not known, or one is given where there is no use
        /// for it.
        public static let unsupportedPreTokenizer = Code(rawValue: "unsupportedPreTokenizer")
        /// A metadata key the tokenizer needs is not there.
        public static let missingKey = Code(rawValue: "missingKey")
        /// A metadata value has the wrong type or contradicts another one.
        public static let invalidMetadata = Code(rawValue: "invalidMetadata")
        /// A token id is not in the vocabulary.
        public static let tokenOutOfRange = Code(rawValue: "tokenOutOfRange")
    }

    /// The kind of failure.
    public var code: Code
    /// The metadata key it is about, if it is about one.
    public var field: String?
    /// A description of what was found, what was expected and what to do.
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
