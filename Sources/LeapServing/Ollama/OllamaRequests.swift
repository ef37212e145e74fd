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
        let messages = try fields.messages(Self.message)
        let tools = try fields.tools()
        let options = try OllamaOptions(&fields, hasFunctions: !tools.functions.isEmpty)
        let isStream = try fields.bool("stream") ?? true
        let keepAlive = try KeepAlive.read(&fields)
        var order = ReplyOrder(
            model: model, messages: messages, places: ReplyOrder.places(of: messages), tools: tools,
            options: [options.options], isStream: isStream,
            ignored: fields.ignored + options.ignored + fields.unknownMembers(KnownMembers.ollama))
        guard !messages.isEmpty else {
            return try await load(model, keepAlive, request, isChat: true).warning(of: order.ignored)
        }
        let lease = try await request.lease(model, from: pool, keepAlive: keepAlive)
        try order.check(on: lease)
        order.leaveOutUnreadable(on: lease)
        try await order.relaxTools(on: lease)
        let pending = order.begin(on: lease, for: request, ReplyAcceptance(count: 1))
        return try await answer(pending, isStream, isChat: true).warning(of: order.ignored)
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
        let pending: PendingReplies
        if isRaw {
            pending = completion(of: prompt, options.options, isStream: isStream, lease, request, acceptance)
        } else {
            if !images.isEmpty, let problem = lease.runner.readableParts.imageProblem {
                throw APIError.invalid(
                    "'images' are pictures, but \(problem)", "images", code: "unsupported_content")
            }
            let messages = try Self.messages(system, prompt, images)
            let order = ReplyOrder(
                messages: messages, places: messages.map { _ in "images" }, options: [options.options],
                isStream: isStream)
            pending = order.begin(on: lease, for: request, acceptance)
        }
        return try await answer(pending, isStream, isChat: false).warning(of: ignored)
    }

    /// The reply that goes on with a text as it is.
    private func completion(
        of prompt: String, _ options: GenerationOptions, isStream: Bool, _ lease: ModelLease, _ request: ServerRequest,
        _ acceptance: ReplyAcceptance
    ) -> PendingReplies {
        let traces = isStream && options.further.logprobs ? [PieceLogprobs()] : []
        let reply = lease.runner.completion(
            of: .text(prompt), options: options, pieceLogprobs: traces.first, timing: request.record?.reply(options),
            onAccepted: { acceptance.accept($0) })
        return PendingReplies([reply], lease, for: request, acceptance, pieceLogprobs: traces)
    }

    /// Loads a model for a request that asks nothing, or gives it up where it is to stay for no time.
    private func load(
        _ name: String?, _ keepAlive: KeepAlive?, _ request: ServerRequest, isChat: Bool
    ) async throws -> ServerReply {
        if keepAlive == KeepAlive.zero {
            let model = try request.catalog(of: pool).find(name)
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
        let pictures = try RequestFields.read("images") { place in
            try images.compactMap(\.string).enumerated().map { index, picture in
                try ChatMessageContent.image(picture: picture, place: "content[\(index)] of \(place)")
            }
        }
        var messages = [ChatMessage(role: .user, content: pictures + [.text(prompt)])]
        if !system.isEmpty { messages.insert(ChatMessage(role: .system, textContent: system), at: 0) }
        return messages
    }

    /// The names of a message's members that chat completions have under other names.
    private static let names = FieldNames([OpenAI.Key.name: "tool_name", OpenAI.Key.reasoning: "thinking"])

    /// Reads a message: pictures stand beside the text here, not in it.
    private static func message(
        _ value: JSONValue, _ place: String, _ leaveOut: @escaping (_ place: String, _ type: String) -> Void
    ) throws -> ChatMessage {
        let pictures = value["images"]?.array?.compactMap(\.string) ?? []
        var message = try RequestFields.message(
            value, at: place, names: names, pictures: pictures, leaveOut: leaveOut)
        if let name = value["tool_name"] { message.name = name.string }
        if let thoughts = value["thinking"]?.string { message.reasoningContent = thoughts }
        return message
    }

    private func answer(_ pending: PendingReplies, _ isStream: Bool, isChat: Bool) async throws -> ServerReply {
        let lines = OllamaLines(model: pending.lease.model.id, isChat: isChat)
        guard isStream else { return .json(lines.end(try await pending.whole()[0], isWhole: true)) }
        return try await pending.stream(type: "application/x-ndjson") { OllamaStream(send: $0, lines: lines) }
    }
}
