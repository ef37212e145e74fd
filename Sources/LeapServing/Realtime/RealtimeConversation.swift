import LeapChat
import LeapJSON

/// The items of a realtime session, in their order.
struct RealtimeConversation: Sendable {
    /// The maximum number of items.
    static let maxItems = 4096
    /// The maximum number of bytes of their texts and sounds together.
    static let maxBytes = 256 << 20

    private(set) var items: [RealtimeItem] = []
    private var byteCount = 0

    /// Adds an item.
    ///
    /// - Parameter previous: the item that it comes behind, "root" for the beginning; the end without it.
    /// - Returns: the item in front of it.
    /// - Throws: ``APIError`` for a place that is not there, and where there is no room.
    mutating func add(_ item: RealtimeItem, behind previous: String? = nil) throws(APIError) -> String? {
        guard index(of: item.id) == nil else {
            throw .invalid("there is an item '\(HeaderText.safe(item.id))' already", "item.id")
        }
        guard items.count < Self.maxItems, byteCount + item.byteCount <= Self.maxBytes else {
            throw .invalid(
                "the conversation is full (\(items.count) items of \(byteCount) bytes together; at most \(Self.maxItems) and \(Self.maxBytes)): delete items",
                code: "conversation_full")
        }
        var place = items.count
        if let previous {
            place = previous == "root" ? 0 : try find(previous, "previous_item_id") + 1
        }
        items.insert(item, at: place)
        byteCount += item.byteCount
        return place > 0 ? items[place - 1].id : nil
    }

    mutating func remove(_ id: String) throws(APIError) {
        let index = try find(id, "item_id")
        byteCount -= items[index].byteCount
        items.remove(at: index)
    }

    /// Forgets what a reply said behind a point of its sound.
    mutating func cut(_ id: String, to milliseconds: Int) throws(APIError) {
        let index = try find(id, "item_id")
        guard var spoken = items[index].spoken, spoken.isSpoken else {
            throw .invalid("item '\(HeaderText.safe(id))' has no sound of a reply, so it cannot be cut", "item_id")
        }
        guard milliseconds <= spoken.milliseconds else {
            throw .invalid(
                "'audio_end_ms' is \(milliseconds), and the item's sound has \(spoken.milliseconds) milliseconds",
                "audio_end_ms")
        }
        byteCount -= items[index].byteCount
        spoken.cut(to: milliseconds)
        items[index].spoken = spoken
        items[index].message = ChatMessage(role: .assistant, textContent: spoken.text)
        byteCount += items[index].byteCount
    }

    /// Keeps the transcript of a sound, if its item still exists.
    mutating func understood(_ id: String, _ transcript: String) {
        if let index = index(of: id) { items[index].transcript = transcript }
    }

    func item(_ id: String) throws(APIError) -> RealtimeItem { items[try find(id, "item_id")] }

    private func index(of id: String) -> Int? { items.firstIndex { $0.id == id } }

    private func find(_ id: String, _ field: String) throws(APIError) -> Int {
        guard let index = index(of: id) else {
            throw .invalid("there is no item '\(HeaderText.safe(id))'", field, code: "item_not_found")
        }
        return index
    }

    /// Returns the messages for the model that items stand for.
    static func messages(_ items: [RealtimeItem]) -> [ChatMessage] {
        var messages: [ChatMessage] = []
        for item in items {
            // Calls of one reply are items of their own here, and one message there.
            if let calls = item.message.functionCalls, item.message.content.isEmpty, let last = messages.last,
                last.role == .assistant
            {
                messages[messages.count - 1].functionCalls = (last.functionCalls ?? []) + calls
            } else {
                messages.append(item.message)
            }
        }
        return messages
    }
}
