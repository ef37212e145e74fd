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
        var messages = try ResponsesInput.messages(fields.value("input"))
        let previous = try fields.string("previous_response_id")
        if let previous {
            guard let entry = store[previous] else { throw Self.unknown(previous) }
            messages = entry.messages + messages
        }
        let functions = try (fields.array("tools") ?? []).enumerated().map { index, tool in
            guard tool["type"]?.string == "function" else {
                throw APIError.invalid(
                    "'tools[\(index)].type' is not 'function'; there are no other tools here", "tools")
            }
            return try RequestFields.function(tool, index)
        }
        let instructions = try fields.string("instructions")
        let isStream = try fields.bool("stream") ?? false
        let keeps = try fields.bool("store") ?? true
        let metadata = try fields.object("metadata") ?? [:]
        let (sampling, ignoredInside) = try Self.sampling(&fields, hasFunctions: !functions.isEmpty)
        let lease = try await pool.lease(model)
        var prompt = messages
        try lease.check(messages, in: "input")
        // Instructions are of this response alone: they are not kept.
        if let instructions { prompt.insert(ChatMessage(role: .system, textContent: instructions), at: 0) }
        let replies = lease.runner.reply(to: prompt, functions: functions, options: sampling.options(choice: 0))
        var document = ResponseDocument(model: lease.model.id)
        document.members = [
            "instructions": instructions.map { .string($0) } ?? .null, "metadata": .object(metadata),
            "previous_response_id": previous.map { .string($0) } ?? .null,
            "parallel_tool_calls": .bool(sampling.allowsParallelCalls), "tool_choice": sampling.toolChoice ?? "auto",
            "tools": .array(functions.map { $0.responsesTool }), "store": .bool(keeps),
        ]
        let keep: @Sendable (ResponseDocument, ReplyParts) -> Void = {
            [store, messages, id = document.id] document, parts in
            guard keeps, let reply = parts.completion?.message else { return }
            var kept = reply
            if !parts.calls.isEmpty { kept.functionCalls = parts.calls }
            store.insert(id, document.json, messages: messages + [kept])
        }
        let pending = PendingReplies([replies], lease, until: request.deadline)
        let ignored = fields.ignored + ignoredInside
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

    /// The fields that have other names here than in chat completions, and those inside of others that have no effect.
    private static func sampling(
        _ fields: inout RequestFields, hasFunctions: Bool
    ) throws(APIError) -> (SamplingFields, ignored: [String]) {
        var renamed: JSONObject = [:]
        if let count = fields.value("max_output_tokens") { renamed["max_tokens"] = count }
        var reasoning = RequestFields(try fields.object("reasoning") ?? [:])
        if let effort = reasoning.value("effort") { renamed["reasoning_effort"] = effort }
        var text = RequestFields(try fields.object("text") ?? [:])
        if var format = try text.object("format") {
            if format["type"] == "json_schema" {
                format = ["type": "json_schema", "json_schema": .object(format)]
            }
            renamed["response_format"] = .object(format)
        }
        for name in [
            "temperature", "top_p", "tool_choice", "parallel_tool_calls", "seed", "top_k", "min_p", "stop", "grammar",
            "regex",
        ] {
            if let value = fields.value(name) { renamed[name] = value }
        }
        var inner = RequestFields(renamed)
        let ignored = reasoning.ignored.map { "reasoning.\($0)" } + text.ignored.map { "text.\($0)" }
        return (try SamplingFields(&inner, hasFunctions: hasFunctions), ignored)
    }
}

extension LeapFunction {
    /// The function as an entry of the responses' `tools`, where its members stand beside the type.
    fileprivate var responsesTool: JSONValue {
        var entry: JSONObject = ["type": "function"]
        for (key, value) in definition.object?.members ?? [] { entry[key] = value }
        return .object(entry)
    }
}
