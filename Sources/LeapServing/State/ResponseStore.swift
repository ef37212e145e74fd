import LeapBase
import LeapChat

/// The latest replies with sound, for requests that refer to one.
final class ResponseStore: Sendable {
    /// The maximum number of replies.
    static let maxCount = 1024
    /// The maximum number of bytes of their texts and sounds together.
    static let maxByteCount = 64 << 20

    private let state: Locked<RecentValues<ChatMessage>>
    private let owner: RecordOwner

    init() {
        state = Locked(RecentValues<ChatMessage>(maxCount: Self.maxCount, maxByteCount: Self.maxByteCount))
        owner = RecordOwner(nil)
    }

    /// The replies of one owner among those of another store, with which it shares the limits.
    init(_ store: ResponseStore, of holder: KeyHolder?) {
        state = store.state
        owner = RecordOwner(holder)
    }

    subscript(id: String) -> ChatMessage? { owner.name(of: id).flatMap { name in state.withLock { $0[name] } } }

    /// Keeps a reply, and drops the oldest ones beyond the limits.
    func insert(_ id: String, _ message: ChatMessage) {
        let bytes = message.media.reduce(message.text.utf8.count + 128) { $0 + $1.data.count }
        guard let name = owner.name(of: id) else { return }
        _ = state.withLock { $0.set(name, message, byteCount: bytes) }
    }
}
