public import Foundation
import LeapBase
import LeapOpenAIFormat

/// The error of a request without a complete reply.
///
/// ``message`` is one line that says what was found and what to do. It never contains keys, even if the endpoint
/// repeats them.
public struct OpenAiClientError: Error, LocalizedError, CustomStringConvertible, Sendable, Hashable {
    /// The kind of failure; more may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's text.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The configuration is invalid: for example, a malformed URL, or a key with a line break.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// The request cannot be sent, or the endpoint rejects it (400, 422 and others).
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// The prompt is longer than the model's context.
        public static let contextLengthExceeded = Code(rawValue: "contextLengthExceeded")
        /// The key is missing, wrong, or has no access to the model (401, 403).
        public static let accessDenied = Code(rawValue: "accessDenied")
        /// There is no such model or path (404, 405, 410).
        public static let notFound = Code(rawValue: "notFound")
        /// Too many requests, or the quota is exceeded (429); see ``OpenAiClientError/retryAfter``.
        public static let rateLimited = Code(rawValue: "rateLimited")
        /// The endpoint failed or is overloaded (408, 5xx).
        public static let unavailable = Code(rawValue: "unavailable")
        /// The endpoint redirects, which the client does not follow because it would forward the key.
        public static let redirected = Code(rawValue: "redirected")
        /// The connection failed, or could not be established.
        public static let network = Code(rawValue: "network")
        /// The endpoint sent nothing for too long.
        public static let stalled = Code(rawValue: "stalled")
        /// The stream ended in the middle of the reply.
        public static let incomplete = Code(rawValue: "incomplete")
        /// The endpoint reported an error in the middle of the reply.
        public static let endpointFailed = Code(rawValue: "endpointFailed")
        /// The endpoint's response violates the protocol.
        public static let malformedAnswer = Code(rawValue: "malformedAnswer")
        /// An event is longer than ``OpenAiClientConfig/maxEventBytes``.
        public static let eventTooLong = Code(rawValue: "eventTooLong")
        /// The app read the reply so slowly that 16 MiB of it were waiting.
        ///
        /// This happens on Linux without libcurl only; elsewhere the endpoint waits.
        public static let overrun = Code(rawValue: "overrun")
        /// The client was closed.
        public static let closed = Code(rawValue: "closed")
    }

    /// The kind of failure.
    public let code: Code
    /// The cause and what to do about it, in one line.
    public let message: String
    /// The HTTP status, if there was a response.
    public let status: Int?
    /// The number of seconds after which the endpoint asks for a retry.
    public let retryAfter: Double?
    /// The endpoint's name for the error, such as `insufficient_quota`.
    public let endpointCode: String?

    /// Creates an error.
    public init(
        _ code: Code, _ message: String, status: Int? = nil, retryAfter: Double? = nil, endpointCode: String? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.retryAfter = retryAfter
        self.endpointCode = endpointCode
    }

    /// The message.
    public var description: String { message }
    /// The message, for `localizedDescription`.
    public var errorDescription: String? { message }

    /// True if the same request may succeed a little later, as long as nothing of the answer has arrived.
    var isPassing: Bool {
        switch code {
        case .rateLimited: endpointCode != OpenAI.ErrorCode.insufficientQuota
        case .unavailable, .network: true
        default: false
        }
    }
}

extension OpenAiClientError: CodedError {}
