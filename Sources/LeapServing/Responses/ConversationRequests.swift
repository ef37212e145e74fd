import Foundation
import LeapChat
import LeapJSON

/// `/v1/conversations` and the paths below it.
struct ConversationRequests: Sendable {
    let store: OwnState

    /// The maximum number of items in one request.
    static let maxNewItems = 20

    // MARK: Conversations

    func create(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await Self.fields(request)
        let metadata = try fields.metadata() ?? [:]
        let id = Identifier.make("conv_")
        var conversation = StoredConversation(created: Int64(Date().timeIntervalSince1970), metadata: metadata)
        var (items, messages, leftOut): ([JSONValue], [ChatMessage], [String]) = ([], [], [])
        if let values = try fields.array("items"), !values.isEmpty {
            (items, messages) = try newItems(values, after: [], &leftOut)
        }
        fields.leaveOut(leftOut)
        conversation.append(items, messages)
        try Self.check(conversation)
        store.keep(id, conversation)
        return .json(conversation.document(id)).warning(of: fields.ignored)
    }

    func get(_ id: String) throws(APIError) -> ServerReply {
        guard let conversation = store.conversation(id) else { throw Self.unknown(id) }
        return .json(conversation.document(id))
    }

    func update(_ request: ServerRequest) async throws -> ServerReply {
        let id = request.parameter
        var fields = try await Self.fields(request)
        guard let metadata = try fields.metadata() else {
            throw APIError.invalid("'metadata' is missing; expected an object", "metadata")
        }
        guard let conversation = store.change(id, { $0.metadata = metadata }) else { throw Self.unknown(id) }
        return .json(conversation.document(id)).warning(of: fields.ignored)
    }

    func delete(_ id: String) throws(APIError) -> ServerReply {
        guard store.removeConversation(id) else { throw Self.unknown(id) }
        return .json(.object(["id": .string(id), "object": "conversation.deleted", "deleted": .bool(true)]))
    }

    // MARK: Items

    func list(_ request: ServerRequest) throws(APIError) -> ServerReply {
        let page = try ItemPage(request.query)
        guard let conversation = store.conversation(request.parameter) else { throw Self.unknown(request.parameter) }
        return try page.reply(conversation.items)
    }

    func add(_ request: ServerRequest) async throws -> ServerReply {
        let id = request.parameter
        let page = try ItemPage(request.query)
        var fields = try await Self.fields(request)
        guard let values = try fields.array("items"), !values.isEmpty else {
            throw APIError.invalid("'items' is missing or empty; expected 1 to \(Self.maxNewItems) items", "items")
        }
        guard let known = store.conversation(id) else { throw Self.unknown(id) }
        var leftOut: [String] = []
        let (items, messages) = try newItems(values, after: known.items, &leftOut)
        fields.leaveOut(leftOut)
        var longer = known
        longer.append(items, messages)
        try Self.check(longer)
        guard store.append(items, messages, to: id) != nil else { throw Self.unknown(id) }
        return ItemPage.list(items.map(page.item), hasMore: false).warning(of: fields.ignored + page.ignored)
    }

    func item(_ request: ServerRequest) throws(APIError) -> ServerReply {
        let (id, name) = try Self.names(request)
        let page = try ItemPage(request.query)
        guard let conversation = store.conversation(id) else { throw Self.unknown(id) }
        guard let item = conversation.items.first(where: { $0["id"]?.string == name }) else {
            throw Self.unknownItem(name, id)
        }
        return .json(page.item(item)).warning(of: page.ignored)
    }

    func deleteItem(_ request: ServerRequest) throws(APIError) -> ServerReply {
        let (id, name) = try Self.names(request)
        var isThere = false
        let changed = store.change(id) { isThere = $0.removeItem(name) }
        guard let changed else { throw Self.unknown(id) }
        guard isThere else { throw Self.unknownItem(name, id) }
        return .json(changed.document(id))
    }

    // MARK: Parts

    /// The fields of a body, which may be empty.
    private static func fields(_ request: ServerRequest) async throws -> RequestFields {
        request.body.isEmpty ? RequestFields(JSONObject()) : try await RequestFields.read(request)
    }

    private static func names(_ request: ServerRequest) throws(APIError) -> (conversation: String, item: String) {
        guard request.parameters.count == 2 else { throw .notFound("there is nothing here") }
        return (request.parameters[0], request.parameters[1])
    }

    private func newItems(
        _ values: [JSONValue], after known: [JSONValue], _ leftOut: inout [String]
    ) throws -> (items: [JSONValue], messages: [ChatMessage]) {
        guard values.count <= Self.maxNewItems else {
            throw APIError.invalid(
                "there are \(values.count) items; at most \(Self.maxNewItems) are taken at a time", "items")
        }
        let resolved = try ItemReferences.resolved(.array(values), store)
        let messages = try ResponsesInput.read(resolved, field: "items", leftOut: &leftOut).messages
        return (StoredItems.of(resolved, known: known), messages)
    }

    /// Refuses a conversation that has become too large.
    static func check(_ conversation: StoredConversation) throws(APIError) {
        let count = conversation.byteCount
        guard count <= StateStore.maxConversationByteCount, conversation.items.count <= RequestFields.maxMessages else {
            throw .invalid(
                "the conversation would be too large: \(conversation.items.count) items, \(count) bytes; at most \(RequestFields.maxMessages) and \(StateStore.maxConversationByteCount) are kept",
                "items", code: "conversation_full")
        }
    }

    static func unknown(_ id: String) -> APIError {
        .notFound("there is no conversation '\(HeaderText.safe(id))', or it is gone", code: "conversation_not_found")
    }

    private static func unknownItem(_ name: String, _ id: String) -> APIError {
        .notFound(
            "the conversation '\(HeaderText.safe(id))' has no item '\(HeaderText.safe(name))'", code: "item_not_found")
    }
}
