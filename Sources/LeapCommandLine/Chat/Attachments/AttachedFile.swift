/// A file that goes with the next message of a chat.
protocol AttachedFile: Sendable {
    /// Name and size, in one line.
    var line: String { get }
}
