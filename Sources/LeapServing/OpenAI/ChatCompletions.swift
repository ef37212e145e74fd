import LeapCore
import LeapJSON

/// `POST /v1/chat/completions`.
struct ChatCompletions: Sendable {
    let pool: ModelPool

    func reply(to request: ServerRequest) async throws -> ServerReply {
        let chat = try ChatRequest(request.body)
        let lease = try await pool.lease(chat.model)
        let heading = Heading(id: Identifier.make("chatcmpl-"), model: lease.model.id)
        let replies = chat.options.map {
            lease.runner.reply(to: chat.messages, functions: chat.functions, options: $0)
        }
        let reply =
            chat.isStream
            ? try await stream(replies, chat, heading, lease) : try await whole(replies, heading, lease)
        return reply.warning(of: chat.ignored)
    }

    // MARK: In one piece

    private func whole(
        _ replies: [AsyncThrowingStream<MessageResponse, any Error>], _ heading: Heading, _ lease: ModelLease
    ) async throws -> ServerReply {
        let parts = try await ReplyParts.collect(replies)
        var usage = Usage()
        for (index, part) in parts.enumerated() { usage.add(part.completion?.stats, countsPrompt: index == 0) }
        let choices = parts.enumerated().map { index, parts in
            JSONValue.object([
                "index": .integer(Int64(index)), "message": parts.message, "logprobs": parts.logprobs,
                "finish_reason": .string(parts.finishReason),
            ])
        }
        withExtendedLifetime(lease) {}
        return .json(
            heading.document(
                "chat.completion",
                ["choices": .array(choices), "usage": usage.json, "timings": usage.timings]))
    }

    // MARK: In pieces

    private func stream(
        _ replies: [AsyncThrowingStream<MessageResponse, any Error>], _ chat: ChatRequest, _ heading: Heading,
        _ lease: ModelLease
    ) async throws -> ServerReply {
        let merged = MergedReplies(replies)
        // An error before the first piece is an answer of its own, with its status.
        let first = try await merged.next()
        return .events { writer in
            defer { merged.stop() }
            var parts = [ReplyParts](repeating: ReplyParts(), count: chat.options.count)
            var usage = Usage()
            func send(
                _ index: Int, _ delta: JSONObject, logprobs: JSONValue = .null, finish: String? = nil
            ) async throws {
                let choice: JSONObject = [
                    "index": .integer(Int64(index)), "delta": .object(delta), "logprobs": logprobs,
                    "finish_reason": finish.map { .string($0) } ?? .null,
                ]
                try await writer.event(
                    heading.document("chat.completion.chunk", ["choices": .array([.object(choice)])]))
            }
            for index in parts.indices { try await send(index, ["role": "assistant", "content": ""]) }
            do {
                var next = first
                while let (index, response) = next {
                    let known = parts[index].calls.count
                    parts[index].add(response)
                    switch response {
                    case .chunk(let piece): try await send(index, ["content": .string(piece)])
                    case .reasoningChunk(let piece): try await send(index, ["reasoning_content": .string(piece)])
                    case .functionCall:
                        let calls = parts[index].calls.enumerated().dropFirst(known).map { place, call in
                            var entry = call.json(defaultID: nil).object ?? [:]
                            entry["index"] = .integer(Int64(place))
                            return JSONValue.object(entry)
                        }
                        try await send(index, ["tool_calls": .array(calls)])
                    case .complete(let completion):
                        usage.add(completion.stats, countsPrompt: index == 0)
                        try await send(
                            index, [:], logprobs: parts[index].logprobs, finish: parts[index].finishReason)
                    case .audioSample: break
                    }
                    next = try await merged.next()
                }
            } catch let error as LeapException {
                // The head is sent, so the error comes as an event; what follows it would be taken for a success.
                try await writer.event(APIError(error).json)
                return
            }
            if chat.includesUsage {
                try await writer.event(
                    heading.document(
                        "chat.completion.chunk",
                        ["choices": .array([]), "usage": usage.json, "timings": usage.timings]))
            }
            try await writer.done()
            withExtendedLifetime(lease) {}
        }
    }
}
