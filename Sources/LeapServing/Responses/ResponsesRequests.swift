import LeapCore
import LeapJSON
import LeapOpenAIFormat
import LeapTokenizer

/// `POST /v1/responses`, and the paths of single responses.
struct ResponsesRequests: Sendable {
    let pool: ModelPool
    let store: OwnState
    /// Those of all requests.
    let background: BackgroundResponses

    // MARK: Kept responses

    func get(_ request: ServerRequest) throws(APIError) -> ServerReply {
        guard let response = store.response(request.parameter) else { throw Self.unknown(request.parameter) }
        guard request.query["stream"] ?? "false" == "false" else {
            throw .invalid("a stored response cannot be streamed again: leave 'stream' out", "stream")
        }
        return .json(response.document)
    }

    func delete(_ id: String) throws(APIError) -> ServerReply {
        guard store.removeResponse(id) else { throw Self.unknown(id) }
        background.cancel(id)
        return .json(.object(["id": .string(id), "object": "response", "deleted": .bool(true)]))
    }

    /// The items that led to a response.
    func inputItems(_ request: ServerRequest) throws(APIError) -> ServerReply {
        let page = try ItemPage(request.query)
        guard let response = store.response(request.parameter) else { throw Self.unknown(request.parameter) }
        return try page.reply(response.items)
    }

    /// Stops a response in the background; one that has ended stays as it is.
    func cancel(_ id: String) throws(APIError) -> ServerReply {
        guard var response = store.response(id) else { throw Self.unknown(id) }
        guard response.document["background"] == .bool(true) else {
            throw .invalid("the response '\(HeaderText.safe(id))' was not made in the background", "background")
        }
        if response.status == "in_progress", var document = response.document.object {
            document["status"] = "cancelled"
            response.document = .object(document)
            store.finish(id, response)
            background.cancel(id)
        }
        guard let last = store.response(id) else { throw Self.unknown(id) }
        return .json(last.document)
    }

    static func unknown(_ id: String) -> APIError {
        .notFound("there is no response '\(HeaderText.safe(id))', or it is gone", code: "response_not_found")
    }

    // MARK: New responses

    /// `POST /v1/responses/input_tokens`: the tokens that the prompt of a response would have.
    func count(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        let model = try fields.string("model")
        let context = try ResponseContext(&fields, store)
        var tools = try fields.tools()
        let allowed = try fields.readAllowedTools(&tools)
        let sampling = try ResponseSampling(&fields, hasFunctions: !tools.callable.isEmpty, allowed: allowed)
        // What a response would refuse is refused here too.
        _ = try fields.bool("stream")
        _ = try ResponseSettings(&fields, sampling, tools: tools, conversation: context.conversation)
        let instructions = try fields.string("instructions")
        let lease = try await request.lease(model, from: pool)
        var order = Self.order(model, context, tools, sampling)
        try Self.prepare(&order, context, instructions, lease)
        let count = try await order.promptTokenCount(on: lease)
        return .json(.object(["object": "response.input_tokens", "input_tokens": .integer(Int64(count))]))
            .warning(of: fields.ignored + order.ignored + sampling.ignored)
    }

    /// The order of the reply that a response is.
    private static func order(
        _ model: String?, _ context: ResponseContext, _ tools: ToolList, _ sampling: ResponseSampling,
        isStream: Bool = false
    ) -> ReplyOrder {
        ReplyOrder(
            model: model, messages: tools.calling(context.messages), places: context.places, tools: tools,
            options: [sampling.fields.options(choice: 0)], isStream: isStream)
    }

    /// Makes the messages of an order what the model reads.
    ///
    /// - Throws: ``APIError`` for a part that it does not read.
    private static func prepare(
        _ order: inout ReplyOrder, _ context: ResponseContext, _ instructions: String?, _ lease: ModelLease
    ) throws {
        try context.check(lease)
        order.leaveOutUnreadable(on: lease)
        // Instructions are of this response alone: they are not kept.
        if let instructions, !instructions.isEmpty {
            order.messages.insert(ChatMessage(role: .system, textContent: instructions), at: 0)
        }
    }

    func create(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        let model = try fields.string("model")
        let context = try ResponseContext(&fields, store)
        var tools = try fields.tools()
        let choice = fields.unknownMembers([(OpenAI.Key.toolChoice, KnownMembers.toolChoice)])
        let allowed = try fields.readAllowedTools(&tools)
        let isStream = try fields.bool("stream") ?? false
        let sampling = try ResponseSampling(&fields, hasFunctions: !tools.callable.isEmpty, allowed: allowed)
        let settings = try ResponseSettings(&fields, sampling, tools: tools, conversation: context.conversation)
        let instructions = try fields.string("instructions")
        let keeps = try fields.bool("store") ?? true
        let isInBackground = try fields.bool("background") ?? false
        guard !isInBackground || keeps else {
            throw APIError.invalid("'background' needs 'store', as the response is fetched later", "background")
        }
        guard !isInBackground || !isStream else {
            throw APIError.invalid(
                "'background' and 'stream' cannot be combined: fetch the response until it is completed", "background")
        }
        var order = Self.order(model, context, tools, sampling, isStream: isStream)
        let lease = try await request.lease(model, from: pool)
        try Self.prepare(&order, context, instructions, lease)
        try await order.relaxTools(on: lease)
        let acceptance = ReplyAcceptance(count: 1)
        let pending = order.begin(on: lease, for: request, acceptance)
        var document = ResponseDocument(model: lease.model.id)
        document.members = settings.json(try lease.runner.abilities().sampling)
        document.tools = tools
        document.countTokens = lease.tokenCounter
        request.record?.answer(id: document.id)
        let ignored =
            fields.ignored + order.ignored + sampling.ignored + choice
            + fields.unknownMembers(KnownMembers.responses)
        if isInBackground {
            return try await begin(document, context, pending, acceptance).warning(of: ignored)
        }
        let keep: @Sendable (ResponseDocument, ReplyParts) -> Void = { [store] document, parts in
            guard let reply = Self.message(parts) else { return }
            if keeps { store.keep(document.id, context.stored(document.json, reply)) }
            context.append(document.items, reply, to: store)
        }
        guard isStream else {
            let parts = try await pending.whole()[0]
            document.finish(parts)
            keep(document, parts)
            return .json(document.json).warning(of: ignored)
        }
        return try await pending.stream(type: ServerReply.events) { [document, store] send in
            ResponseEvents(writer: EventWriter(send: send), document: document) { document, parts in
                keep(document, parts)
                // It is told to be complete when it is on the disk; whoever sends a whole reply waits for that too.
                _ = await store.flush()
            }
        }.warning(of: ignored)
    }

    /// The message of a reply, with its calls under the identifiers that clients have seen.
    private static func message(_ parts: ReplyParts) -> ChatMessage? {
        guard var message = parts.completion?.message else { return nil }
        if !parts.calls.isEmpty { message.functionCalls = parts.calls }
        return message
    }

    /// Begins a response that is fetched later.
    private func begin(
        _ document: ResponseDocument, _ context: ResponseContext, _ pending: PendingReplies,
        _ acceptance: ReplyAcceptance
    ) async throws -> ServerReply {
        store.keep(document.id, context.stored(document.json, nil))
        // It is answered at once, and goes on.
        pending.record?.detach()
        do {
            try await background.begin(document.id, pending, acceptance) { [store] result in
                defer { pending.record?.endDetached() }
                var ended = document
                var reply: ChatMessage?
                switch result {
                case .success(let parts):
                    ended.finish(parts)
                    reply = Self.message(parts)
                case .failure(let error):
                    pending.record?.fail(error)
                    ended.fail(error)
                }
                // Whoever finds it completed finds its conversation longer.
                if store.response(document.id)?.status == "in_progress", let reply {
                    context.append(ended.items, reply, to: store)
                }
                store.finish(document.id, context.stored(ended.json, reply))
                _ = await store.flush()
            }
        } catch {
            _ = store.removeResponse(document.id)
            throw error
        }
        return .json(document.json)
    }
}
