import LeapCore
import LeapJSON

/// `POST /v1/completions`: goes on with a text as it is.
struct TextCompletions: Sendable {
    /// The maximum number of prompts in a request.
    static let maxPrompts = 64

    let pool: ModelPool

    func reply(to request: ServerRequest) async throws -> ServerReply {
        var fields = try RequestFields(request.body)
        let model = try fields.string("model")
        let prompts = try Self.prompts(&fields)
        let isStream = try fields.bool("stream") ?? false
        let echoes = try fields.bool("echo") ?? false
        var streaming = RequestFields(try fields.object("stream_options") ?? [:])
        let includesUsage = try streaming.bool("include_usage") ?? false
        let count = try fields.integer("n", in: 1...ChatRequest.maxChoices) ?? 1
        // OpenAI's own default: a text has no natural end.
        let sampling = try SamplingFields(&fields, hasFunctions: false, defaultMaxTokens: 16)
        let lease = try await pool.lease(model)
        let heading = Heading(id: Identifier.make("cmpl-"), model: lease.model.id)
        let replies = prompts.flatMap { prompt in
            (0..<count).map { lease.runner.completion(of: prompt, options: sampling.options(choice: $0)) }
        }
        let starts = prompts.flatMap { [String](repeating: echoes ? $0 : "", count: count) }
        let reply =
            isStream
            ? try await stream(replies, starts, count, includesUsage, heading, lease)
            : try await whole(replies, starts, count, heading)
        withExtendedLifetime(lease) {}
        return reply.warning(of: fields.ignored)
    }

    private static func prompts(_ fields: inout RequestFields) throws(APIError) -> [String] {
        let value = fields.value("prompt")
        let prompts = value?.string.map { [$0] } ?? value?.array?.compactMap(\.string)
        guard let prompts, !prompts.isEmpty, prompts.count == value?.array?.count ?? 1, prompts.count <= maxPrompts
        else {
            throw .invalid(
                "'prompt' is \(value?.kind ?? "missing"); expected a string or an array of at most \(maxPrompts) strings",
                "prompt")
        }
        return prompts
    }

    private static func choice(_ index: Int, _ text: String, _ finishReason: String?) -> JSONValue {
        .object([
            "index": .integer(Int64(index)), "text": .string(text), "logprobs": .null,
            "finish_reason": finishReason.map { .string($0) } ?? .null,
        ])
    }

    private func whole(
        _ replies: [AsyncThrowingStream<MessageResponse, any Error>], _ starts: [String], _ count: Int,
        _ heading: Heading
    ) async throws -> ServerReply {
        let parts = try await ReplyParts.collect(replies)
        var usage = Usage()
        for (index, part) in parts.enumerated() {
            usage.add(part.completion?.stats, countsPrompt: index % count == 0)
        }
        let choices = parts.enumerated().map {
            Self.choice($0, starts[$0] + $1.reasoning + $1.text, $1.finishReason)
        }
        return .json(heading.document("text_completion", ["choices": .array(choices), "usage": usage.json]))
    }

    private func stream(
        _ replies: [AsyncThrowingStream<MessageResponse, any Error>], _ starts: [String], _ count: Int,
        _ includesUsage: Bool, _ heading: Heading, _ lease: ModelLease
    ) async throws -> ServerReply {
        let merged = MergedReplies(replies)
        let first = try await merged.next()
        return .events { writer in
            defer { merged.stop() }
            func send(_ choice: JSONValue) async throws {
                try await writer.event(heading.document("text_completion", ["choices": .array([choice])]))
            }
            var parts = [ReplyParts](repeating: ReplyParts(), count: starts.count)
            var usage = Usage()
            do {
                for (index, start) in starts.enumerated() where !start.isEmpty {
                    try await send(Self.choice(index, start, nil))
                }
                var next = first
                while let (index, response) = next {
                    parts[index].add(response)
                    switch response {
                    case .chunk(let piece), .reasoningChunk(let piece): try await send(Self.choice(index, piece, nil))
                    case .complete(let completion):
                        usage.add(completion.stats, countsPrompt: index % count == 0)
                        try await send(Self.choice(index, "", parts[index].finishReason))
                    case .functionCall, .audioSample: break
                    }
                    next = try await merged.next()
                }
            } catch let error as LeapException {
                try await writer.event(APIError(error).json)
                return
            }
            if includesUsage {
                try await writer.event(
                    heading.document("text_completion", ["choices": .array([]), "usage": usage.json]))
            }
            try await writer.done()
            withExtendedLifetime(lease) {}
        }
    }
}
