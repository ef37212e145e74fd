public import LeapChat

/// The memory that a model gave back.
public struct MemoryGivenBack: Sendable {
    /// The bytes of each part; parts that gave nothing back are left out.
    ///
    /// ``MemoryPart/model`` has no entry: its weights are pages of a file, which the system counts and reclaims.
    public var bytes: [MemoryPart: Int] = [:]
    /// The number of conversations whose state was written to disk.
    public var savedConversations = 0
    /// A Boolean value that indicates whether the model was released.
    public var isModelReleased = false
    /// The error that kept state from disk, such as a full disk; that state is computed again when it is needed.
    public var savingError: LeapSerializationException?

    /// Creates a report of nothing.
    public init() {}

    /// The number of bytes of all parts.
    public var byteCount: Int { bytes.values.reduce(0, +) }
}

extension MemoryGivenBack: CustomStringConvertible {
    /// The parts and their bytes, as in the log.
    public var description: String {
        var words = MemoryPart.allCases.compactMap { part in bytes[part].map { "\(part.rawValue) \($0) bytes" } }
        if savedConversations > 0 { words.append("state of \(savedConversations) conversations on disk") }
        if isModelReleased { words.append("model released") }
        if let savingError { words.append("state not saved: \(savingError.message)") }
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }
}
