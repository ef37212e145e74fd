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
                "modified_at": .string(OllamaLines.time(Date(timeIntervalSince1970: Double(model.created)))),
                "digest": "",
                "details": Self.details(model),
            ])
        }
        return .json(.object(["models": .array(models)]))
    }

    /// `POST /api/show`: one model.
    func show(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
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
                "capabilities": .array(abilities.capabilities.map { .string($0.rawValue) }),
            ])
        ).warning(of: fields.ignored)
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
        var fields = try await RequestFields.read(request)
        let model = try fields.string("model")
        let messages = try fields.messages(Self.message)
        let functions = try fields.functions()
        let options = try OllamaOptions(&fields, hasFunctions: !functions.isEmpty)
        let isStream = try fields.bool("stream") ?? true
        let lease = try await pool.lease(model)
        // Without messages a client only wants the model to be loaded.
        guard !messages.isEmpty else {
            return .json(OllamaLines(model: lease.model.id, isChat: true).loaded)
        }
        try lease.check(messages)
        let replies = lease.runner.reply(to: messages, functions: functions, options: options.options)
        return try await answer(replies, isStream, lease, request, isChat: true).warning(
            of: fields.ignored + options.ignored)
    }

    /// `POST /api/generate`.
    func generate(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        let model = try fields.string("model")
        let prompt = try fields.string("prompt") ?? ""
        let system = try fields.string("system")
        let isRaw = try fields.bool("raw") ?? false
        if let images = try fields.array("images"), !images.isEmpty {
            throw APIError.invalid(
                "'images' is answered by /api/chat only: send the pictures in a message there", "images",
                code: "unsupported_content")
        }
        let options = try OllamaOptions(&fields, hasFunctions: false)
        let isStream = try fields.bool("stream") ?? true
        let lease = try await pool.lease(model)
        guard !prompt.isEmpty else {
            return .json(OllamaLines(model: lease.model.id, isChat: false).loaded)
        }
        var messages = [ChatMessage(role: .user, textContent: prompt)]
        if let system { messages.insert(ChatMessage(role: .system, textContent: system), at: 0) }
        let replies =
            isRaw
            ? lease.runner.completion(of: prompt, options: options.options)
            : lease.runner.reply(to: messages, functions: [], options: options.options)
        return try await answer(replies, isStream, lease, request, isChat: false).warning(
            of: fields.ignored + options.ignored)
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
        _ replies: PendingReplies.Reply, _ isStream: Bool, _ lease: ModelLease, _ request: ServerRequest,
        isChat: Bool
    ) async throws -> ServerReply {
        let lines = OllamaLines(model: lease.model.id, isChat: isChat)
        let pending = PendingReplies([replies], lease, until: request.deadline)
        guard isStream else { return .json(lines.end(try await pending.whole()[0], isWhole: true)) }
        return try await pending.stream(type: "application/x-ndjson") { OllamaStream(send: $0, lines: lines) }
    }
}
