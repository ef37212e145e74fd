/// Something about a reply that the app may want to know although the generation went on.
public struct GenerationIssue: Sendable, Hashable, CustomStringConvertible {
    /// The kind of an issue.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The stable name.
        public let rawValue: String

        /// Makes a kind from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The tokens ran out, or the generation was stopped, in the middle of a function call; what there was of it is
        /// in the text.
        public static let incompleteFunctionCall = Kind(rawValue: "incompleteFunctionCall")
        /// The text between the call marks was no call; it is in the reply's text.
        public static let malformedFunctionCall = Kind(rawValue: "malformedFunctionCall")
        /// A call was delivered that does not fit the function as registered; see ``LeapFunctionCall/issue``.
        public static let invalidFunctionCall = Kind(rawValue: "invalidFunctionCall")
        /// The oldest turns were left out of the prompt; see ``MessageCompletion/trimming``.
        public static let historyTrimmed = Kind(rawValue: "historyTrimmed")
    }

    /// The kind of issue.
    public let kind: Kind
    /// A description of the issue, in one line.
    public let message: String
    /// The text that the model wrote there, call marks included, where the issue is about a piece of the reply.
    public let text: String?

    /// Makes an issue.
    public init(kind: Kind, message: String, text: String? = nil) {
        self.kind = kind
        self.message = message
        self.text = text
    }

    /// The message.
    public var description: String { message }
}
