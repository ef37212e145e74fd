package import LeapBase
import LeapChat
import LeapJSON

/// Responses and conversations that requests come back to: the latest, within bounds, in memory and, where one is
/// given, in a file.
package final class StateStore: Sendable {
    /// The maximum number of responses and conversations together.
    static let maxCount = 1024
    /// The maximum number of bytes of them together.
    static let maxByteCount = 64 << 20
    /// The bytes from which a conversation is too large to go on: the rest is for others, and for what is appended.
    static let maxConversationByteCount = maxByteCount / 4

    private struct State {
        var records = RecentValues<StoredRecord>(maxCount: maxCount, maxByteCount: maxByteCount)
        /// The number of changes so far.
        var number: UInt64 = 0
    }

    private let state: Locked<State>
    /// The file that changes are written to; nil where they are kept in memory only.
    private let file: StoreFile?

    /// A store in memory.
    package init() {
        state = Locked(State())
        file = nil
    }

    /// A store in a file, which is made where there is none.
    ///
    /// - Parameter lockTimeout: how long a server that still uses the file is waited for, on this thread.
    /// - Throws: ``CommandError`` where the file cannot be used.
    package convenience init(file path: String, lockTimeout: Duration = .zero) throws(CommandError) {
        try self.init(file: path, lockTimeout: lockTimeout, write: StoreFile.plainWrite)
    }

    init(
        file path: String, lockTimeout: Duration = .zero, write: @escaping StoreFile.Write
    ) throws(CommandError) {
        let state = Locked(State())
        let snapshot: StoreFile.Snapshot = {
            state.withLock { state in
                let names = state.records.names
                return (names.compactMap { id in state.records[id].map { (id: id, record: $0) } }, state.number)
            }
        }
        file = try StoreFile.open(path, lockTimeout: lockTimeout, write: write, snapshot: snapshot) { json in
            guard let change = StateChange(json) else { return false }
            state.withLock { _ = Self.apply(change.afterRestart, to: &$0.records) }
            return true
        }
        self.state = state
    }

    /// Waits until all changes are in the file.
    ///
    /// - Returns: why they are not; nil where they are, or there is no file.
    package func flush() async -> String? { await file?.flush() }

    /// A reply that reports a change, once the change is on the disk; where it cannot be written, the reply says so.
    func stored(_ reply: ServerReply) async -> ServerReply { reply.noting(await flush().map { "not stored: \($0)" }) }

    private func record(_ id: String) -> StoredRecord? { state.withLock { $0.records[id] } }

    // MARK: Responses

    func response(_ id: String) -> StoredResponse? {
        if case .response(let response)? = record(id) { response } else { nil }
    }

    /// Keeps a response, and drops the oldest records beyond the limits.
    func keep(_ id: String, _ response: StoredResponse) {
        let record = StoredRecord.response(response), byteCount = record.byteCount
        state.withLock { make(.put(id, record), byteCount: byteCount, &$0) }
    }

    /// Takes the end of a response that is in progress; false where it was cancelled, removed or has given way.
    @discardableResult
    func finish(_ id: String, _ response: StoredResponse) -> Bool {
        let record = StoredRecord.response(response), byteCount = record.byteCount
        return state.withLock { state in
            guard case .response(let known)? = state.records[id], known.status == "in_progress" else { return false }
            make(.put(id, record), byteCount: byteCount, &state)
            return true
        }
    }

    /// Forgets a response; false where there is none.
    func removeResponse(_ id: String) -> Bool {
        state.withLock { state in
            guard case .response? = state.records[id] else { return false }
            make(.remove(id), &state)
            return true
        }
    }

    // MARK: Conversations

    func conversation(_ id: String) -> StoredConversation? {
        if case .conversation(let conversation)? = record(id) { conversation } else { nil }
    }

    /// Keeps a new conversation, and drops the oldest records beyond the limits.
    func keep(_ id: String, _ conversation: StoredConversation) {
        state.withLock { make(.put(id, .conversation(conversation)), &$0) }
    }

    /// Changes a conversation.
    ///
    /// - Returns: what it has become; nil where there is none.
    func change(_ id: String, _ body: (inout StoredConversation) -> Void) -> StoredConversation? {
        state.withLock { state in
            guard case .conversation(var conversation)? = state.records[id] else { return nil }
            body(&conversation)
            make(.put(id, .conversation(conversation)), &state)
            return conversation
        }
    }

    /// Appends items to a conversation.
    ///
    /// - Parameter messages: those of the items.
    /// - Returns: what it has become; nil where there is none.
    func append(_ items: [JSONValue], _ messages: [ChatMessage], to id: String) -> StoredConversation? {
        state.withLock { state in
            guard case .conversation? = state.records[id] else { return nil }
            make(.append(id, items, messages), &state)
            if case .conversation(let conversation)? = state.records[id] { return conversation }
            return nil
        }
    }

    /// Forgets a conversation; false where there is none.
    func removeConversation(_ id: String) -> Bool {
        state.withLock { state in
            guard case .conversation? = state.records[id] else { return false }
            make(.remove(id), &state)
            return true
        }
    }

    // MARK: Items

    /// The items with these identifiers, in the newest of the records that have them.
    ///
    /// - Parameter isSearched: whether a record of a name is looked at.
    func items(_ ids: Set<String>, where isSearched: (_ name: String) -> Bool) -> [String: JSONValue] {
        let records = state.withLock { state in
            state.records.names.reversed().filter(isSearched).compactMap { state.records[$0] }
        }
        var found: [String: JSONValue] = [:]
        for record in records where found.count < ids.count {
            for item in record.items {
                if let id = item["id"]?.string, ids.contains(id), found[id] == nil { found[id] = item }
            }
        }
        return found
    }

    // MARK: Changes

    /// Makes a change, and writes it and what gave way for it to the file.
    ///
    /// - Parameter byteCount: what a record takes that is put, where it was counted outside of the lock, as that of a
    ///   response is.
    private func make(_ change: StateChange, byteCount: Int? = nil, _ state: inout State) {
        guard let gone = Self.apply(change, byteCount: byteCount, to: &state.records) else { return }
        for change in [change] + gone.map(StateChange.remove) {
            state.number += 1
            file?.add(change.json, state.number)
        }
    }

    /// - Returns: the names of the records that gave way; nil where nothing has changed.
    private static func apply(
        _ change: StateChange, byteCount: Int? = nil, to records: inout RecentValues<StoredRecord>
    ) -> [String]? {
        switch change {
        case .put(let id, let record): return records.set(id, record, byteCount: byteCount ?? record.byteCount)
        case .append(let id, let items, let messages):
            // One that has given way may still be named.
            guard case .conversation(var conversation)? = records[id] else { return nil }
            conversation.append(items, messages)
            let record = StoredRecord.conversation(conversation)
            return records.set(id, record, byteCount: record.byteCount)
        case .remove(let id): return records.remove(id) ? [] : nil
        }
    }
}
