/// A problem with a reply that did not stop the generation.
public struct GenerationIssue: Sendable, Hashable, CustomStringConvertible {
    /// The kind of an issue.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The stable name.
        public let rawValue: String

        /// Creates a kind from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The reply ended in the middle of a function call; the text has the incomplete call.
        ///
        /// The tokens ran out, or the generation was stopped.
        public static let incompleteFunctionCall = Kind(rawValue: "incompleteFunctionCall")
        /// The text between the call marks is not a call; it stays in the reply's text.
        public static let malformedFunctionCall = Kind(rawValue: "malformedFunctionCall")
        /// A call does not match the registered function; see ``LeapFunctionCall/issue``.
        public static let invalidFunctionCall = Kind(rawValue: "invalidFunctionCall")
        /// The prompt does not include the oldest turns; see ``MessageCompletion/trimming``.
        public static let historyTrimmed = Kind(rawValue: "historyTrimmed")
    }

    /// The kind of issue.
    public let kind: Kind
    /// The issue, in one line.
    public let message: String
    /// The model's text, with call marks, if the issue concerns a part of the reply.
    public let text: String?

    /// Creates an issue.
    public init(kind: Kind, message: String, text: String? = nil) {
        self.kind = kind
        self.message = message
        self.text = text
    }

    /// The message.
    public var description: String { message }
}
