import LeapCore
import LeapJSON

/// `POST /v1/responses`, `GET` and `DELETE /v1/responses/ID`.
struct ResponsesRequests: Sendable {
    let pool: ModelPool
    let store = ResponseStore()

    // MARK: Kept responses

    func get(_ id: String) throws(APIError) -> ServerReply {
        guard let entry = store[id] else { throw Self.unknown(id) }
        return .json(entry.document)
    }

    func delete(_ id: String) throws(APIError) -> ServerReply {
        guard store.remove(id) else { throw Self.unknown(id) }
        return .json(.object(["id": .string(id), "object": "response", "deleted": .bool(true)]))
    }

    private static func unknown(_ id: String) -> APIError {
        .notFound("there is no response '\(HeaderText.safe(id))', or not any more", code: "response_not_found")
    }

    // MARK: New responses

    func create(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        let model = try fields.string("model")
        var leftOut: [String] = []
        let input = try ResponsesInput.read(fields.value("input"), leftOut: &leftOut)
        var messages = input.messages
        fields.leaveOut(leftOut)
        let previous = try fields.string("previous_response_id").flatMap { $0.isEmpty ? nil : $0 }
        if let previous {
            guard let entry = store[previous] else { throw Self.unknown(previous) }
            messages = entry.messages + messages
        }
        let tools = try fields.tools()
        let functions = tools.functions
        let isStream = try fields.bool("stream") ?? false
        let sampling = try ResponseSampling(&fields, hasFunctions: !functions.isEmpty)
        let settings = try ResponseSettings(&fields, sampling, tools: tools)
        let instructions = try fields.string("instructions").flatMap { $0.isEmpty ? nil : $0 }
        let keeps = try fields.bool("store") ?? true
        let options = sampling.fields.options(choice: 0)
        let lease = try await pool.lease(model)
        var prompt = messages
        try lease.check(input.messages, at: input.places)
        fields.leaveOut(try await lease.relaxed(tools, options))
        // Instructions are of this response alone: they are not kept.
        if let instructions { prompt.insert(ChatMessage(role: .system, textContent: instructions), at: 0) }
        let acceptance = ReplyAcceptance(count: 1)
        let trace = isStream && options.further.logprobs ? PieceLogprobs() : nil
        let replies = lease.runner.reply(
            to: prompt, functions: functions, options: options, pieceLogprobs: trace,
            onAccepted: { acceptance.accept() })
        var document = ResponseDocument(model: lease.model.id)
        document.members = settings.json(try lease.runner.abilities().sampling)
        if let tokenizer = try? lease.runner.tokenizer() {
            document.countTokens = { tokenizer.encode($0, addSpecial: false, parseSpecial: false).count }
        }
        let keep: @Sendable (ResponseDocument, ReplyParts) -> Void = {
            [store, messages, id = document.id] document, parts in
            guard keeps, let reply = parts.completion?.message else { return }
            var kept = reply
            if !parts.calls.isEmpty { kept.functionCalls = parts.calls }
            store.insert(id, document.json, messages: messages + [kept])
        }
        let pending = PendingReplies(
            [replies], lease, until: request.deadline, acceptance, pieceLogprobs: trace.map { [$0] } ?? [])
        let ignored = fields.ignored + sampling.ignored + fields.unknownMembers(KnownMembers.responses)
        guard isStream else {
            let parts = try await pending.whole()[0]
            document.finish(parts)
            keep(document, parts)
            return .json(document.json).warning(of: ignored)
        }
        return try await pending.stream(type: ServerReply.events) { [document] send in
            ResponseEvents(writer: EventWriter(send: send), document: document, keep: keep)
        }.warning(of: ignored)
    }
}
