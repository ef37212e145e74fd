import LeapChat
import LeapJSON

/// A response that requests can come back to.
struct StoredResponse: Sendable {
    var document: JSONValue
    /// The items that led to it, those of earlier responses and of its conversation included.
    let items: [JSONValue]
    /// The messages of these items and of its own; nil where they have to be made from the items.
    var messages: [ChatMessage]?

    /// Its items and those that led to it, which a further response goes on from.
    var allItems: [JSONValue] { items + (document["output"]?.array ?? []) }

    var status: String { document["status"]?.string ?? "" }
}

/// A conversation that responses read and append to.
struct StoredConversation: Sendable {
    let created: Int64
    var metadata: JSONObject
    private(set) var items: [JSONValue] = []
    /// The messages of the items; nil where they have to be made from them.
    private(set) var messages: [ChatMessage]? = []
    /// Bytes of the items as JSON.
    private var itemByteCount = 0

    init(created: Int64, metadata: JSONObject = [:]) {
        self.created = created
        self.metadata = metadata
    }

    /// Appends items.
    ///
    /// - Parameter addedMessages: their messages; nil where those of all items have to be made from the items.
    mutating func append(_ added: [JSONValue], _ addedMessages: [ChatMessage]?) {
        items += added
        itemByteCount += added.reduce(0) { $0 + JSONWriter.bytes($1).count }
        if let addedMessages { messages? += addedMessages } else { messages = nil }
    }

    /// Removes an item; false where there is none with that name.
    mutating func removeItem(_ name: String) -> Bool {
        let (gone, left) = (items.filter { $0["id"]?.string == name }, items.filter { $0["id"]?.string != name })
        guard !gone.isEmpty else { return false }
        items = left
        itemByteCount -= gone.reduce(0) { $0 + JSONWriter.bytes($1).count }
        // Which of the messages it was part of is not known.
        messages = nil
        return true
    }

    /// The bytes that it takes: its items are kept as JSON and as messages.
    var byteCount: Int { 2 * (itemByteCount + JSONWriter.bytes(.object(metadata)).count + 64) }

    /// The conversation as clients see it.
    func document(_ id: String) -> JSONValue {
        .object([
            "id": .string(id), "object": "conversation", "created_at": .integer(created), "metadata": .object(metadata),
        ])
    }
}

/// A value that a ``StateStore`` keeps under an identifier.
enum StoredRecord: Sendable {
    case response(StoredResponse)
    case conversation(StoredConversation)

    /// All of it but messages, which can be made from items.
    var json: JSONValue {
        switch self {
        case .response(let response):
            .object(["document": response.document, "items": .array(response.items)])
        case .conversation(let conversation):
            .object([
                "created": .integer(conversation.created), "metadata": .object(conversation.metadata),
                "items": .array(conversation.items),
            ])
        }
    }

    /// The bytes that it takes: its items are kept as JSON and as messages.
    var byteCount: Int {
        switch self {
        case .response: 2 * JSONWriter.bytes(json).count
        case .conversation(let conversation): conversation.byteCount
        }
    }

    /// All items, those of a response's output included.
    var items: [JSONValue] {
        switch self {
        case .response(let response): response.allItems
        case .conversation(let conversation): conversation.items
        }
    }
}
