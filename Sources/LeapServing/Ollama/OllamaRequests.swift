import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// The answers of Ollama's protocol: `POST /api/chat` and `POST /api/generate`.
struct OllamaRequests: Sendable {
    let pool: ModelPool

    /// `POST /api/chat`.
    func chat(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        let model = try fields.string("model")
        var messages = try fields.messages(Self.message)
        let tools = try fields.tools()
        let functions = tools.functions
        let options = try OllamaOptions(&fields, hasFunctions: !functions.isEmpty)
        let isStream = try fields.bool("stream") ?? true
        let keepAlive = try KeepAlive.read(&fields)
        var ignored = fields.ignored + options.ignored + fields.unknownMembers(KnownMembers.ollama)
        guard !messages.isEmpty else {
            return try await load(model, keepAlive, request, isChat: true).warning(of: ignored)
        }
        let lease = try await request.lease(model, from: pool, keepAlive: keepAlive)
        try lease.check(messages)
        messages = lease.readable(
            messages, at: messages.indices.map { "messages[\($0)].content" }, leftOut: &ignored)
        ignored += try await lease.relaxed(tools, options.options)
        let acceptance = ReplyAcceptance(count: 1)
        let trace = isStream && options.options.further.logprobs ? PieceLogprobs() : nil
        let replies = lease.runner.reply(
            to: messages, functions: functions, options: options.options, pieceLogprobs: trace,
            timing: request.record?.reply(options.options), onAccepted: { acceptance.accept($0) })
        let pending = PendingReplies(
            [replies], lease, for: request, acceptance, pieceLogprobs: trace.map { [$0] } ?? [])
        return try await answer(pending, isStream, isChat: true).warning(of: ignored)
    }

    /// `POST /api/generate`.
    func generate(_ request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        let model = try fields.string("model")
        let prompt = try fields.string("prompt") ?? ""
        let system = try fields.string("system") ?? ""
        let isRaw = try fields.bool("raw") ?? false
        let images = try fields.array("images") ?? []
        let options = try OllamaOptions(&fields, hasFunctions: false)
        let isStream = try fields.bool("stream") ?? true
        let keepAlive = try KeepAlive.read(&fields)
        let ignored = fields.ignored + options.ignored
        guard !prompt.isEmpty || !images.isEmpty else {
            return try await load(model, keepAlive, request, isChat: false).warning(of: ignored)
        }
        guard !isRaw || images.isEmpty else {
            throw APIError.invalid(
                "'images' have no place in a prompt that is 'raw': leave 'raw' out", "images",
                code: "unsupported_content")
        }
        let lease = try await request.lease(model, from: pool, keepAlive: keepAlive)
        let acceptance = ReplyAcceptance(count: 1)
        let timing = request.record?.reply(options.options)
        let trace = isStream && options.options.further.logprobs ? PieceLogprobs() : nil
        let replies: PendingReplies.Reply
        if isRaw {
            replies = lease.runner.completion(
                of: .text(prompt), options: options.options, pieceLogprobs: trace, timing: timing,
                onAccepted: { acceptance.accept($0) })
        } else {
            if !images.isEmpty, let problem = lease.runner.readableParts.imageProblem {
                throw APIError.invalid(
                    "'images' are pictures, but \(problem)", "images", code: "unsupported_content")
            }
            let messages = try Self.messages(system, prompt, images)
            replies = lease.runner.reply(
                to: messages, functions: [], options: options.options, pieceLogprobs: trace, timing: timing,
                onAccepted: { acceptance.accept($0) })
        }
        let pending = PendingReplies(
            [replies], lease, for: request, acceptance, pieceLogprobs: trace.map { [$0] } ?? [])
        return try await answer(pending, isStream, isChat: false).warning(of: ignored)
    }

    /// Loads a model for a request that asks nothing, or gives it up where it is to stay for no time.
    private func load(
        _ name: String?, _ keepAlive: KeepAlive?, _ request: ServerRequest, isChat: Bool
    ) async throws -> ServerReply {
        if keepAlive == KeepAlive.zero {
            let model = try pool.catalog.find(name)
            await pool.giveUp(model.id)
            return .json(OllamaLines(model: model.id, isChat: isChat).unloaded)
        }
        let lease = try await request.lease(name, from: pool, keepAlive: keepAlive)
        return .json(OllamaLines(model: lease.model.id, isChat: isChat).loaded)
    }

    /// The messages that a prompt and its pictures stand for.
    private static func messages(_ system: String, _ prompt: String, _ images: [JSONValue]) throws -> [ChatMessage] {
        if let index = images.firstIndex(where: { $0.string == nil }) {
            throw APIError.invalid(
                "'images[\(index)]' is \(images[index].kind); expected a picture in Base64", "images[\(index)]")
        }
        let user = message(.object(["role": "user", "content": .string(prompt), "images": .array(images)]))
        var messages = [try RequestFields.message(user, at: "images")]
        if !system.isEmpty { messages.insert(ChatMessage(role: .system, textContent: system), at: 0) }
        return messages
    }

    /// A message in OpenAI's shape: pictures stand beside the text there, not in it.
    private static func message(_ value: JSONValue) -> JSONValue {
        guard var object = value.object else { return value }
        if let name = object["tool_name"] { object[OpenAI.Key.name] = name }
        if let thinking = object["thinking"] { object[OpenAI.Key.reasoning] = thinking }
        guard let images = object["images"]?.array, !images.isEmpty else { return .object(object) }
        var parts: [JSONValue] = images.compactMap(\.string).map { image -> JSONValue in
            let address = image.hasPrefix("data:") ? image : "data:image/jpeg;base64," + image
            return OpenAI.ContentPart.image(url: address).json
        }
        switch object[OpenAI.Key.content] ?? .null {
        case .null: break
        case .array(let own): parts += own
        case .string(let text): parts.append(OpenAI.ContentPart.text(text).json)
        case let other: parts.append(.object([OpenAI.Key.type: "text", OpenAI.Key.text: other]))
        }
        object[OpenAI.Key.content] = .array(parts)
        object["images"] = nil
        return .object(object)
    }

    private func answer(_ pending: PendingReplies, _ isStream: Bool, isChat: Bool) async throws -> ServerReply {
        let lines = OllamaLines(model: pending.lease.model.id, isChat: isChat)
        guard isStream else { return .json(lines.end(try await pending.whole()[0], isWhole: true)) }
        return try await pending.stream(type: "application/x-ndjson") { OllamaStream(send: $0, lines: lines) }
    }
}
