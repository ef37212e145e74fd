import LeapBase
import LeapCore
import LeapJSON

/// The latest replies with sound, for requests that refer to one.
final class ResponseStore: Sendable {
    /// A reply and its messages.
    struct Entry: Sendable {
        let document: JSONValue
        let messages: [ChatMessage]
    }

    /// The maximum number of replies.
    static let maxCount = 1024
    /// The maximum number of bytes of their texts together.
    static let maxByteCount = 64 << 20

    private let state = Locked(RecentValues<Entry>(maxCount: maxCount, maxByteCount: maxByteCount))

    subscript(id: String) -> Entry? { state.withLock { $0[id] } }

    /// Keeps a reply, and drops the oldest ones beyond the limits.
    func insert(_ id: String, _ document: JSONValue, messages: [ChatMessage]) {
        let bytes = messages.reduce(JSONWriter.bytes(document).count) { count, message in
            message.media.reduce(count + message.text.utf8.count + 128) { $0 + $1.data.count }
        }
        _ = state.withLock { $0.set(id, Entry(document: document, messages: messages), byteCount: bytes) }
    }

    /// Forgets a reply; false where there is none.
    func remove(_ id: String) -> Bool { state.withLock { $0.remove(id) } }
}
