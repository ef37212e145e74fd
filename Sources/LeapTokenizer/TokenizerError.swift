/// The error of a tokenizer that could not be made or could not do what was asked.
public struct TokenizerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure; more may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case unsupportedModel, unsupportedPreTokenizer, missingKey, invalidMetadata, tokenOutOfRange
        }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// `tokenizer.ggml.model` names a kind of tokenizer that is not implemented.
        public static let unsupportedModel = Code(kind: .unsupportedModel)
        /// `tokenizer.ggml.pre` names a rule of cutting texts that is not known, or one is given where there is no use for it.
        public static let unsupportedPreTokenizer = Code(kind: .unsupportedPreTokenizer)
        /// A metadata key the tokenizer needs is not there.
        public static let missingKey = Code(kind: .missingKey)
        /// A metadata value has the wrong type or contradicts another one.
        public static let invalidMetadata = Code(kind: .invalidMetadata)
        /// A token id is not in the vocabulary.
        public static let tokenOutOfRange = Code(kind: .tokenOutOfRange)
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
