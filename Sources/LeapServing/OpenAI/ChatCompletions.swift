import LeapCore
import LeapJSON

/// `POST /v1/chat/completions`.
struct ChatCompletions: Sendable {
    let pool: ModelPool

    func reply(to request: ServerRequest) async throws -> ServerReply {
        let chat = try await LongWork.run(on: request.body.count) { try ChatRequest(request.body) }
        let lease = try await pool.lease(chat.model)
        let heading = Heading(id: Identifier.make("chatcmpl-"), model: lease.model.id)
        try lease.check(chat.messages)
        let replies = chat.options.map {
            lease.runner.reply(to: chat.messages, functions: chat.functions, options: $0)
        }
        let pending = PendingReplies(replies, lease, until: request.deadline)
        guard chat.isStream else {
            return Self.document(try await pending.whole(), heading).warning(of: chat.ignored)
        }
        return try await pending.stream(type: ServerReply.events) { send in
            ChatStream(
                writer: EventWriter(send: send), heading: heading, count: replies.count,
                includesUsage: chat.includesUsage)
        }.warning(of: chat.ignored)
    }

    private static func document(_ parts: [ReplyParts], _ heading: Heading) -> ServerReply {
        var usage = Usage()
        for (index, part) in parts.enumerated() { usage.add(part.completion?.stats, countsPrompt: index == 0) }
        let choices = parts.enumerated().map { index, parts in
            JSONValue.object([
                "index": .integer(Int64(index)), "message": parts.message, "logprobs": parts.logprobs,
                "finish_reason": .string(parts.finishReason),
            ])
        }
        return .json(
            heading.document(
                "chat.completion",
                ["choices": .array(choices), "usage": usage.json, "timings": usage.timings]))
    }
}

/// The chunks of a streamed chat completion.
private struct ChatStream: StreamShape {
    let writer: EventWriter
    let heading: Heading
    /// The number of choices.
    let count: Int
    let includesUsage: Bool
    private var usage = Usage()

    init(writer: EventWriter, heading: Heading, count: Int, includesUsage: Bool) {
        self.writer = writer
        self.heading = heading
        self.count = count
        self.includesUsage = includesUsage
    }

    private func send(
        _ index: Int, _ delta: JSONObject, logprobs: JSONValue = .null, finish: String? = nil
    ) async throws {
        let choice: JSONObject = [
            "index": .integer(Int64(index)), "delta": .object(delta), "logprobs": logprobs,
            "finish_reason": finish.map { .string($0) } ?? .null,
        ]
        try await writer.event(heading.document("chat.completion.chunk", ["choices": .array([.object(choice)])]))
    }

    mutating func begin() async throws {
        for index in 0..<count { try await send(index, ["role": "assistant", "content": ""]) }
    }

    mutating func add(_ piece: ReplyPiece) async throws {
        switch piece.response {
        case .chunk(let text): try await send(piece.index, ["content": .string(text)])
        case .reasoningChunk(let text): try await send(piece.index, ["reasoning_content": .string(text)])
        case .functionCall:
            let calls = piece.calls.indices.map { place in
                var entry = piece.calls[place].json(defaultID: nil).object ?? [:]
                entry["index"] = .integer(Int64(place))
                return JSONValue.object(entry)
            }
            try await send(piece.index, ["tool_calls": .array(calls)])
        case .complete(let completion):
            usage.add(completion.stats, countsPrompt: piece.index == 0)
            try await send(piece.index, [:], logprobs: piece.parts.logprobs, finish: piece.parts.finishReason)
        case .audioSample: break
        }
    }

    mutating func end(_ parts: [ReplyParts]) async throws {
        if includesUsage {
            try await writer.event(
                heading.document(
                    "chat.completion.chunk",
                    ["choices": .array([]), "usage": usage.json, "timings": usage.timings]))
        }
        try await writer.done()
    }

    mutating func fail(_ error: APIError) async throws { try await writer.event(error.json) }
}
