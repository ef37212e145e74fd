import Foundation
import LeapCore
import LeapJSON
import LeapSDK

/// The part of Ollama's protocol that desktop programs speak: chat, generate, tags, show.
struct OllamaRequests: Sendable {
    let pool: ModelPool

    // MARK: Models

    /// `GET /api/tags`: the models there are.
    func tags() -> ServerReply {
        let models = pool.catalog.all().map { model -> JSONValue in
            .object([
                "name": .string(model.id), "model": .string(model.id), "size": .integer(model.byteCount),
                "modified_at": .string(Self.time(Date(timeIntervalSince1970: Double(model.created)))), "digest": "",
                "details": Self.details(model),
            ])
        }
        return .json(.object(["models": .array(models)]))
    }

    /// `POST /api/show`: one model.
    func show(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try RequestFields(request.body)
        let name = try fields.first(of: ["model", "name"]) { (fields, name) throws(APIError) in try fields.string(name)
        }
        let lease = try await pool.lease(name)
        let abilities = try lease.runner.abilities()
        return .json(
            .object([
                "details": Self.details(lease.model),
                "model_info": .object([
                    "general.basename": .string(lease.model.id),
                    "general.context_length": .integer(Int64(lease.runner.contextSize)),
                ]), "parameters": .string(Self.parameters(abilities)),
                "capabilities": .array(Self.capabilities(abilities)),
            ]))
    }

    /// How tokens are drawn where a request does not say: a line for each of Ollama's names.
    private static func parameters(_ abilities: ModelAbilities) -> String {
        let names = ["repetition_penalty": "repeat_penalty", "repetition_window": "repeat_last_n"]
        return abilities.sampling.map { key, value in
            let name = names[key] ?? key
            // Most values were written as `Float`.
            let text = Int(exactly: value).map { "\($0)" } ?? "\(Float(value))"
            return name.padding(toLength: max(name.count + 1, 30), withPad: " ", startingAt: 0) + text
        }.joined(separator: "\n")
    }

    private static func capabilities(_ abilities: ModelAbilities) -> [JSONValue] {
        guard abilities.generatesText else { return ["embedding"] }
        return abilities.choosesThinking ? ["completion", "tools", "thinking"] : ["completion", "tools"]
    }

    private static func details(_ model: ServedModel) -> JSONValue {
        .object([
            "format": "gguf", "family": .string(model.id.split(separator: ":").first.map(String.init) ?? model.id),
            "parameter_size": "",
            "quantization_level": .string(
                model.id.split(separator: ":").dropFirst().last.map(String.init) ?? ""),
        ])
    }

    // MARK: Answers

    /// `POST /api/chat`.
    func chat(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try RequestFields(request.body)
        let model = try fields.string("model")
        let messages = try (fields.array("messages") ?? []).enumerated().map {
            try RequestFields.message(Self.message($1), at: "messages[\($0)]")
        }
        let functions = try fields.functions()
        let options = try OllamaOptions(&fields, hasFunctions: !functions.isEmpty)
        let isStream = try fields.bool("stream") ?? true
        let lease = try await pool.lease(model)
        // Without messages a client only wants the model to be loaded.
        guard !messages.isEmpty else {
            return .json(Self.line(lease.model.id, [("done", .bool(true)), ("done_reason", "load")], chat: ""))
        }
        let replies = lease.runner.reply(to: messages, functions: functions, options: options.options)
        return try await answer(replies, isStream, lease, isChat: true).warning(of: fields.ignored + options.ignored)
    }

    /// `POST /api/generate`.
    func generate(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try RequestFields(request.body)
        let model = try fields.string("model")
        let prompt = try fields.string("prompt") ?? ""
        let system = try fields.string("system")
        let isRaw = try fields.bool("raw") ?? false
        let options = try OllamaOptions(&fields, hasFunctions: false)
        let isStream = try fields.bool("stream") ?? true
        let lease = try await pool.lease(model)
        guard !prompt.isEmpty else {
            return .json(Self.line(lease.model.id, [("done", .bool(true)), ("done_reason", "load")], response: ""))
        }
        var messages = [ChatMessage(role: .user, textContent: prompt)]
        if let system { messages.insert(ChatMessage(role: .system, textContent: system), at: 0) }
        let replies =
            isRaw
            ? lease.runner.completion(of: prompt, options: options.options)
            : lease.runner.reply(to: messages, functions: [], options: options.options)
        return try await answer(replies, isStream, lease, isChat: false).warning(of: fields.ignored + options.ignored)
    }

    /// A message in OpenAI's shape: pictures stand beside the text there, not in it.
    private static func message(_ value: JSONValue) -> JSONValue {
        guard var object = value.object else { return value }
        if let name = object["tool_name"] { object["name"] = name }
        if let thinking = object["thinking"] { object["reasoning_content"] = thinking }
        guard let images = object["images"]?.array, !images.isEmpty else { return .object(object) }
        var parts: [JSONValue] = images.compactMap(\.string).map { image in
            .object(["type": "image_url", "image_url": .object(["url": .string("data:image/jpeg;base64," + image)])])
        }
        parts.append(.object(["type": "text", "text": object["content"] ?? ""]))
        object["content"] = .array(parts)
        object["images"] = nil
        return .object(object)
    }

    private func answer(
        _ replies: AsyncThrowingStream<MessageResponse, any Error>, _ isStream: Bool, _ lease: ModelLease, isChat: Bool
    ) async throws -> ServerReply {
        let start = ContinuousClock.now
        let id = lease.model.id
        guard isStream else {
            let parts = try await ReplyParts.collect([replies])[0]
            withExtendedLifetime(lease) {}
            return .json(Self.end(id, parts, start, isChat: isChat, isWhole: true))
        }
        let merged = MergedReplies([replies])
        let first = try await merged.next()
        return ServerReply(
            headers: [("content-type", "application/x-ndjson")],
            body: .stream { send in
                defer { merged.stop() }
                func write(_ value: JSONValue) async throws { try await send(JSONWriter.bytes(value) + [0x0a]) }
                var parts = ReplyParts()
                do {
                    var next = first
                    while let (_, response) = next {
                        parts.add(response)
                        if let line = Self.line(id, response, isChat: isChat) { try await write(line) }
                        next = try await merged.next()
                    }
                } catch let error as LeapException {
                    try await write(.object(["error": .string(error.message)]))
                    return
                }
                try await write(Self.end(id, parts, start, isChat: isChat, isWhole: false))
                withExtendedLifetime(lease) {}
            })
    }

    /// The line of a piece; nil where it has none.
    private static func line(_ model: String, _ response: MessageResponse, isChat: Bool) -> JSONValue? {
        switch response {
        case .chunk(let piece):
            isChat
                ? line(model, [("done", .bool(false))], chat: piece)
                : line(model, [("done", .bool(false))], response: piece)
        case .reasoningChunk(let piece):
            isChat
                ? line(model, [("done", .bool(false))], chat: "", more: [("thinking", .string(piece))])
                : line(model, [("thinking", .string(piece)), ("done", .bool(false))], response: "")
        case .functionCall(let calls) where isChat:
            line(model, [("done", .bool(false))], chat: "", more: [("tool_calls", Self.calls(calls))])
        case .functionCall, .complete, .audioSample: nil
        }
    }

    private static func calls(_ calls: [LeapFunctionCall]) -> JSONValue {
        .array(
            calls.map {
                .object(["function": .object(["name": .string($0.name), "arguments": .object($0.argumentObject)])])
            })
    }

    /// The last line, which has the figures; the only one where the answer comes in one piece.
    private static func end(
        _ model: String, _ parts: ReplyParts, _ start: ContinuousClock.Instant, isChat: Bool, isWhole: Bool
    ) -> JSONValue {
        let stats = parts.completion?.stats
        let total = Int64((ContinuousClock.now - start) / .nanoseconds(1))
        let generated = stats?.completionTokens ?? 0
        let speed = Double(stats?.tokenPerSecond ?? 0)
        let generating = speed > 0 ? Int64(Double(generated) / speed * 1e9) : 0
        let members: [(String, JSONValue)] = [
            ("done", .bool(true)), ("done_reason", parts.finishReason == "length" ? "length" : "stop"),
            ("total_duration", .integer(total)), ("load_duration", .integer(0)),
            ("prompt_eval_count", .integer((stats?.promptTokens ?? 0) + (stats?.cachedPromptTokens ?? 0))),
            ("prompt_eval_duration", .integer(max(0, total - generating))), ("eval_count", .integer(generated)),
            ("eval_duration", .integer(generating)),
        ]
        let text = isWhole ? parts.text : ""
        guard isChat else {
            let thinking: [(String, JSONValue)] =
                isWhole && !parts.reasoning.isEmpty ? [("thinking", .string(parts.reasoning))] : []
            return line(model, thinking + members, response: text)
        }
        var more: [(String, JSONValue)] = []
        if isWhole, !parts.reasoning.isEmpty { more.append(("thinking", .string(parts.reasoning))) }
        if isWhole, !parts.calls.isEmpty { more.append(("tool_calls", calls(parts.calls))) }
        return line(model, members, chat: text, more: more)
    }

    private static func line(
        _ model: String, _ members: [(String, JSONValue)], chat text: String, more: [(String, JSONValue)] = []
    ) -> JSONValue {
        let message = JSONObject([("role", "assistant"), ("content", .string(text))] + more)
        return .object(JSONObject(head(model) + [("message", .object(message))] + members))
    }

    private static func line(_ model: String, _ members: [(String, JSONValue)], response text: String) -> JSONValue {
        .object(JSONObject(head(model) + [("response", .string(text))] + members))
    }

    private static func head(_ model: String) -> [(String, JSONValue)] {
        [("model", .string(model)), ("created_at", .string(time(Date())))]
    }

    private static func time(_ date: Date) -> String { date.formatted(.iso8601) }
}
