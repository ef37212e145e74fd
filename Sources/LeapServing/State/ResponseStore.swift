import LeapBase
import LeapChat

/// The latest replies with sound, for requests that refer to one.
final class ResponseStore: Sendable {
    /// The maximum number of replies.
    static let maxCount = 1024
    /// The maximum number of bytes of their texts and sounds together.
    static let maxByteCount = 64 << 20

    private let state = Locked(RecentValues<ChatMessage>(maxCount: maxCount, maxByteCount: maxByteCount))

    subscript(id: String) -> ChatMessage? { state.withLock { $0[id] } }

    /// Keeps a reply, and drops the oldest ones beyond the limits.
    func insert(_ id: String, _ message: ChatMessage) {
        let bytes = message.media.reduce(message.text.utf8.count + 128) { $0 + $1.data.count }
        _ = state.withLock { $0.set(id, message, byteCount: bytes) }
    }
}
