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
        var fields = try RequestFields(request.body)
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
        let sampling = try Self.sampling(&fields, hasFunctions: !functions.isEmpty)
        let lease = try await pool.lease(model)
        var prompt = messages
        // Instructions are of this response alone: they are not kept.
        if let instructions { prompt.insert(ChatMessage(role: .system, textContent: instructions), at: 0) }
        let replies = lease.runner.reply(to: prompt, functions: functions, options: sampling.options(choice: 0))
        var document = ResponseDocument(model: lease.model.id)
        document.members = [
            "instructions": instructions.map { .string($0) } ?? .null, "metadata": .object(metadata),
            "previous_response_id": previous.map { .string($0) } ?? .null, "parallel_tool_calls": .bool(true),
            "tool_choice": "auto", "tools": .array(functions.map { $0.responsesTool }), "store": .bool(keeps),
        ]
        let keep: @Sendable (ResponseDocument, ReplyParts) -> Void = {
            [store, messages, id = document.id] document, parts in
            guard keeps, let reply = parts.completion?.message else { return }
            var kept = reply
            if !parts.calls.isEmpty { kept.functionCalls = parts.calls }
            store.insert(id, document.json, messages: messages + [kept])
        }
        if isStream {
            return try await stream(replies, document, lease, keep).warning(of: fields.ignored)
        }
        let parts = try await ReplyParts.collect([replies])[0]
        withExtendedLifetime(lease) {}
        document.finish(parts)
        keep(document, parts)
        return .json(document.json).warning(of: fields.ignored)
    }

    /// The fields that have other names here than in chat completions.
    private static func sampling(_ fields: inout RequestFields, hasFunctions: Bool) throws(APIError) -> SamplingFields {
        var renamed: JSONObject = [:]
        if let count = fields.value("max_output_tokens") { renamed["max_tokens"] = count }
        if let effort = try fields.object("reasoning")?["effort"] { renamed["reasoning_effort"] = effort }
        if let format = try fields.object("text")?["format"] {
            var format = format.object ?? [:]
            if format["type"] == "json_schema" {
                format = ["type": "json_schema", "json_schema": .object(format)]
            }
            renamed["response_format"] = .object(format)
        }
        for name in ["temperature", "top_p", "tool_choice", "seed", "top_k", "min_p", "stop", "grammar", "regex"] {
            if let value = fields.value(name) { renamed[name] = value }
        }
        var inner = RequestFields(renamed)
        return try SamplingFields(&inner, hasFunctions: hasFunctions)
    }

    private func stream(
        _ replies: AsyncThrowingStream<MessageResponse, any Error>, _ document: ResponseDocument, _ lease: ModelLease,
        _ keep: @escaping @Sendable (ResponseDocument, ReplyParts) -> Void
    ) async throws -> ServerReply {
        let merged = MergedReplies([replies])
        let first = try await merged.next()
        return .events { writer in
            defer { merged.stop() }
            var events = ResponseEvents(writer: writer, document: document)
            var parts = ReplyParts()
            do {
                try await events.begin()
                var next = first
                while let (_, response) = next {
                    let known = parts.calls.count
                    parts.add(response)
                    switch response {
                    case .chunk(let piece): try await events.text(piece)
                    case .reasoningChunk(let piece): try await events.reasoning(piece)
                    case .functionCall: for call in parts.calls.dropFirst(known) { try await events.call(call) }
                    case .complete, .audioSample: break
                    }
                    next = try await merged.next()
                }
            } catch let error as LeapException {
                try await events.fail(APIError(error))
                return
            }
            try await events.end(parts)
            keep(events.document, parts)
            withExtendedLifetime(lease) {}
        }
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
