/// The model service cannot continue a generation; the conversation keeps its history.
public final class LeapServiceException: LeapGenerationException, @unchecked Sendable {
    // Sendable: adds no state that changes.

    /// The kind of a failure; more kinds may be added.
    public struct Reason: RawRepresentable, Sendable, Hashable, Codable {
        /// The stable name.
        public let rawValue: String

        /// Creates a reason from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The service or the connection to it ended; load the model again, and it runs in this process.
        public static let connectionLost = Reason(rawValue: "connectionLost")
        /// This app has the maximum number of conversations with state in the service.
        ///
        /// Release a conversation, or load with `forceLocal`.
        public static let sessionLimit = Reason(rawValue: "sessionLimit")
        /// The service and the app use incompatible protocols.
        public static let protocolViolation = Reason(rawValue: "protocolViolation")
        /// The service accepts no more connections.
        public static let overloaded = Reason(rawValue: "overloaded")
    }

    /// The kind of failure.
    public let reason: Reason

    /// Creates an error.
    public init(_ reason: Reason, message: String, cause: (any Error)? = nil) {
        self.reason = reason
        super.init(message: message, cause: cause)
    }
}
