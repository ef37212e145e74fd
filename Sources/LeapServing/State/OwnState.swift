import LeapChat
import LeapJSON

/// The part of a ``StateStore`` that the requests of one owner see: what they have kept themselves.
struct OwnState: Sendable {
    private let store: StateStore
    private let owner: RecordOwner

    init(_ store: StateStore, of holder: KeyHolder?) {
        self.store = store
        owner = RecordOwner(holder)
    }

    private func name(_ id: String) -> String? { owner.name(of: id) }

    /// The same as ``StateStore/flush()``.
    func flush() async -> String? { await store.flush() }

    // MARK: Responses

    func response(_ id: String) -> StoredResponse? { name(id).flatMap { store.response($0) } }

    func keep(_ id: String, _ response: StoredResponse) {
        if let name = name(id) { store.keep(name, response) }
    }

    func finish(_ id: String, _ response: StoredResponse) {
        if let name = name(id) { store.finish(name, response) }
    }

    func removeResponse(_ id: String) -> Bool { name(id).map { store.removeResponse($0) } ?? false }

    // MARK: Conversations

    func conversation(_ id: String) -> StoredConversation? { name(id).flatMap { store.conversation($0) } }

    func keep(_ id: String, _ conversation: StoredConversation) {
        if let name = name(id) { store.keep(name, conversation) }
    }

    func change(_ id: String, _ body: (inout StoredConversation) -> Void) -> StoredConversation? {
        name(id).flatMap { store.change($0, body) }
    }

    func append(_ items: [JSONValue], _ messages: [ChatMessage], to id: String) -> StoredConversation? {
        name(id).flatMap { store.append(items, messages, to: $0) }
    }

    func removeConversation(_ id: String) -> Bool { name(id).map { store.removeConversation($0) } ?? false }

    // MARK: Items

    func items(_ ids: Set<String>) -> [String: JSONValue] { store.items(ids) { owner.owns($0) } }
}
