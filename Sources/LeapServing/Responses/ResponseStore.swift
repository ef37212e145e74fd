import LeapBase
import LeapCore
import LeapJSON

/// The latest responses, for requests that go on from one.
final class ResponseStore: Sendable {
    /// A response and the messages that lead to it, its own included.
    struct Entry: Sendable {
        let document: JSONValue
        let messages: [ChatMessage]
        let byteCount: Int
    }

    /// The maximum number of responses.
    static let maxCount = 1024
    /// The maximum number of bytes of their texts together.
    static let maxByteCount = 64 << 20

    private struct State {
        var entries: [String: Entry] = [:]
        /// The oldest first.
        var order: [String] = []
        var byteCount = 0

        mutating func remove(_ id: String) -> Bool {
            guard let entry = entries.removeValue(forKey: id) else { return false }
            order.removeAll { $0 == id }
            byteCount -= entry.byteCount
            return true
        }
    }

    private let state = Locked(State())

    subscript(id: String) -> Entry? { state.withLock { $0.entries[id] } }

    /// Keeps a response; the oldest ones give way.
    func insert(_ id: String, _ document: JSONValue, messages: [ChatMessage]) {
        let bytes = messages.reduce(JSONWriter.bytes(document).count) { count, message in
            message.media.reduce(count + message.text.utf8.count + 128) { $0 + $1.data.count }
        }
        guard bytes <= Self.maxByteCount else { return }
        state.withLock { state in
            state.entries[id] = Entry(document: document, messages: messages, byteCount: bytes)
            state.order.append(id)
            state.byteCount += bytes
            while state.order.count > Self.maxCount || state.byteCount > Self.maxByteCount,
                let first = state.order.first
            {
                _ = state.remove(first)
            }
        }
    }

    /// Forgets a response; false where there is none.
    func remove(_ id: String) -> Bool { state.withLock { $0.remove(id) } }
}
