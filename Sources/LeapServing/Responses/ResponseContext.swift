import LeapChat
import LeapJSON

/// The context of a response: an earlier response or a conversation, if it names one, and its own input.
struct ResponseContext: Sendable {
    /// The conversation that it reads and appends to.
    let conversation: String?
    /// The items before its own input, and their messages.
    private let history: (items: [JSONValue], messages: [ChatMessage])
    /// The items of its own input, their messages, and where in the request the parts of each message are.
    private let own: (items: [JSONValue], messages: [ChatMessage], places: [String])

    /// Reads `input`, `previous_response_id` and `conversation`.
    ///
    /// - Throws: ``APIError`` that names the field at fault.
    init(_ fields: inout RequestFields, _ store: OwnState) throws {
        var leftOut: [String] = []
        let input = try ItemReferences.resolved(fields.value("input"), store)
        let read = try ResponsesInput.read(input, leftOut: &leftOut)
        fields.leaveOut(leftOut)
        let previous = try fields.string("previous_response_id").flatMap { $0.isEmpty ? nil : $0 }
        conversation = try Self.conversation(&fields)
        guard previous == nil || conversation == nil else {
            throw APIError.invalid("'conversation' and 'previous_response_id' cannot be combined", "conversation")
        }
        var longer: StoredConversation?
        if let previous {
            guard let response = store.response(previous) else { throw ResponsesRequests.unknown(previous) }
            guard response.status != "in_progress" else {
                throw APIError.invalid(
                    "the response '\(previous)' is still in progress: wait until it is completed",
                    "previous_response_id")
            }
            history = (response.allItems, try response.messages ?? Self.messages(of: response.allItems))
        } else if let conversation {
            guard let kept = store.conversation(conversation) else { throw ConversationRequests.unknown(conversation) }
            history = (kept.items, try kept.messages ?? Self.messages(of: kept.items))
            longer = kept
        } else {
            history = ([], [])
        }
        own = (StoredItems.of(input, known: history.items), read.messages, read.places)
        if var longer {
            longer.append(own.items, nil)
            try ConversationRequests.check(longer)
        }
    }

    /// A conversation's name, or an object with its `id`.
    private static func conversation(_ fields: inout RequestFields) throws(APIError) -> String? {
        guard let value = fields.value("conversation"), value != "" else { return nil }
        guard let id = value.string ?? value["id"]?.string else {
            throw .invalid("'conversation' is \(value.kind); expected an id, or an object with one", "conversation")
        }
        return id
    }

    /// The messages of items that were kept.
    private static func messages(of items: [JSONValue]) throws -> [ChatMessage] {
        var leftOut: [String] = []
        return items.isEmpty ? [] : try ResponsesInput.read(.array(items), leftOut: &leftOut).messages
    }

    /// The messages that are replied to.
    var messages: [ChatMessage] { history.messages + own.messages }

    /// The place in the request of each message's parts; those of the history are in the response or conversation that
    /// it names.
    var places: [String] { history.messages.map { _ in "history" } + own.places }

    /// Checks that a model can read the parts of the response's own input.
    func check(_ lease: ModelLease) throws { try lease.check(own.messages, at: own.places) }

    /// The response as it is kept.
    ///
    /// - Parameter reply: its own message; nil where there is none yet.
    func stored(_ document: JSONValue, _ reply: ChatMessage?) -> StoredResponse {
        StoredResponse(
            document: document, items: history.items + own.items, messages: reply.map { messages + [$0] })
    }

    /// Appends the input and the output to the conversation, where there is one.
    func append(_ output: [JSONValue], _ reply: ChatMessage, to store: OwnState) {
        guard let conversation else { return }
        _ = store.append(own.items + output, own.messages + [reply], to: conversation)
    }
}
