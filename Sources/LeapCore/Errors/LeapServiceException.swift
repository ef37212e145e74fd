/// The model service cannot go on with a generation; the conversation keeps its history.
public final class LeapServiceException: LeapGenerationException, @unchecked Sendable {
    // Sendable: adds no state that changes.

    /// The kind of a failure; more kinds may be added.
    public struct Reason: RawRepresentable, Sendable, Hashable, Codable {
        /// The stable name.
        public let rawValue: String

        /// Makes a reason from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The service ended, or the connection to it did: load the model again, which then happens in this process.
        public static let connectionLost = Reason(rawValue: "connectionLost")
        /// This app has as many conversations with state in the service as it may; release one, or load with
        /// `forceLocal`.
        public static let sessionLimit = Reason(rawValue: "sessionLimit")
        /// Service and app do not understand each other.
        public static let protocolViolation = Reason(rawValue: "protocolViolation")
        /// The service does not take more connections.
        public static let overloaded = Reason(rawValue: "overloaded")
    }

    /// The kind of failure.
    public let reason: Reason

    /// Makes an error.
    public init(_ reason: Reason, message: String, cause: (any Error)? = nil) {
        self.reason = reason
        super.init(message: message, cause: cause)
    }
}
