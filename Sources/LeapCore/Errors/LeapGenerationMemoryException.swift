/// There is not enough memory for a conversation to go on; the others do.
///
/// The limit is `maxMemory` in the extras of loading, or what the system has. Kept prompts and the state of
/// conversations that generate nothing were given up before. The conversation keeps its history and can be tried again
/// when others are done.
public final class LeapGenerationMemoryException: LeapGenerationException, @unchecked Sendable {
    // Sendable: both numbers are immutable.

    /// The number of bytes that were needed beyond those in use; nil where the system refused memory.
    public let neededBytes: Int?
    /// The number of bytes of the limit that were free; nil where the system refused memory.
    public let availableBytes: Int?

    /// Makes an error.
    public init(message: String, neededBytes: Int?, availableBytes: Int?, cause: (any Error)? = nil) {
        self.neededBytes = neededBytes
        self.availableBytes = availableBytes
        super.init(message: message, cause: cause)
    }
}
