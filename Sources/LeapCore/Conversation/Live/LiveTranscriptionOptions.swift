import LeapChat

/// The settings of a ``LiveTranscription``.
public struct LiveTranscriptionOptions: Equatable, Sendable {
    /// The lengths of sound that the model can read at a time, in milliseconds.
    public static let chunkMilliseconds = 80...400
    /// Milliseconds of sound that become one vector.
    static let vectorMilliseconds = 80

    /// Milliseconds of sound that the model reads before it writes text, 80 to 400; a multiple of 80.
    ///
    /// Shorter chunks bring text earlier. Each chunk takes at least one step of the model.
    public var chunkMilliseconds = 400
    /// The system message; nil for the one that live models were trained with.
    public var systemPrompt: String?

    /// Creates settings with chunks of 400 milliseconds.
    public init() {}

    /// Creates settings with chunks of a length.
    ///
    /// - Parameter chunkMilliseconds: 80 to 400; a multiple of 80.
    public init(chunkMilliseconds: Int) { self.chunkMilliseconds = chunkMilliseconds }

    /// Checks the length of chunks.
    ///
    /// - Throws: ``LeapGenerationException`` for a length that no chunk can have.
    func check() throws {
        guard Self.chunkMilliseconds.contains(chunkMilliseconds),
            chunkMilliseconds.isMultiple(of: Self.vectorMilliseconds)
        else {
            throw LeapGenerationException(
                "chunkMilliseconds is \(chunkMilliseconds): it has to be a multiple of \(Self.vectorMilliseconds), \(Self.chunkMilliseconds.lowerBound) to \(Self.chunkMilliseconds.upperBound)"
            )
        }
    }

    /// Vectors of a chunk.
    var vectorCount: Int { chunkMilliseconds / Self.vectorMilliseconds }
}
