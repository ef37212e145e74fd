/// There is not enough memory to continue a conversation; other conversations continue.
///
/// The limit is `maxMemory` in the extras of loading, or the system's memory. Cached prompts and the state of idle
/// conversations were already released. The conversation keeps its history. Try again when other generations have
/// ended.
public final class LeapGenerationMemoryException: LeapGenerationException, @unchecked Sendable {
    // Sendable: both numbers are immutable.

    /// The number of bytes needed in addition to those in use; nil if the system refused memory.
    public let neededBytes: Int?
    /// The number of bytes of the limit that were free; nil if the system refused memory.
    public let availableBytes: Int?

    /// Creates an error.
    public init(message: String, neededBytes: Int?, availableBytes: Int?, cause: (any Error)? = nil) {
        self.neededBytes = neededBytes
        self.availableBytes = availableBytes
        super.init(message: message, cause: cause)
    }
}
