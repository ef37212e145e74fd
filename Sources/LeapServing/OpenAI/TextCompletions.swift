import LeapCore
import LeapJSON

/// `POST /v1/completions`: goes on with a text as it is.
struct TextCompletions: Sendable {
    /// The maximum number of prompts in a request.
    static let maxPrompts = 64

    let pool: ModelPool

    func reply(to request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
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
        let acceptance = ReplyAcceptance(count: prompts.count * count)
        let replies = prompts.flatMap { prompt in
            (0..<count).map { choice in
                lease.runner.completion(
                    of: prompt, options: sampling.options(choice: choice), onAccepted: { acceptance.accept() })
            }
        }
        let starts = prompts.flatMap { [String](repeating: echoes ? $0 : "", count: count) }
        let pending = PendingReplies(replies, lease, until: request.deadline, acceptance)
        let ignored = fields.ignored + streaming.ignored.map { "stream_options.\($0)" }
        guard isStream else {
            return Self.document(try await pending.whole(), starts, count, heading).warning(of: ignored)
        }
        return try await pending.stream(type: ServerReply.events) { send in
            TextStream(
                writer: EventWriter(send: send), heading: heading, starts: starts, count: count,
                includesUsage: includesUsage)
        }.warning(of: ignored)
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

    private static func document(
        _ parts: [ReplyParts], _ starts: [String], _ count: Int, _ heading: Heading
    ) -> ServerReply {
        var usage = Usage()
        for (index, part) in parts.enumerated() {
            usage.add(part.completion?.stats, countsPrompt: index % count == 0)
        }
        let choices = parts.enumerated().map {
            choice($0, starts[$0] + $1.reasoning + $1.text, $1.finishReason)
        }
        return .json(heading.document("text_completion", ["choices": .array(choices), "usage": usage.json]))
    }

    fileprivate static func choice(_ index: Int, _ text: String, _ finishReason: String?) -> JSONValue {
        .object([
            "index": .integer(Int64(index)), "text": .string(text), "logprobs": .null,
            "finish_reason": finishReason.map { .string($0) } ?? .null,
        ])
    }
}

/// The chunks of a streamed text completion.
private struct TextStream: StreamShape {
    let writer: EventWriter
    let heading: Heading
    /// What each choice begins with.
    let starts: [String]
    /// The number of choices of each prompt.
    let count: Int
    let includesUsage: Bool
    private var usage = Usage()

    init(writer: EventWriter, heading: Heading, starts: [String], count: Int, includesUsage: Bool) {
        self.writer = writer
        self.heading = heading
        self.starts = starts
        self.count = count
        self.includesUsage = includesUsage
    }

    private func send(_ index: Int, _ text: String, _ finishReason: String? = nil) async throws {
        let choice = TextCompletions.choice(index, text, finishReason)
        try await writer.event(heading.document("text_completion", ["choices": .array([choice])]))
    }

    mutating func begin() async throws {
        for (index, start) in starts.enumerated() where !start.isEmpty { try await send(index, start) }
    }

    mutating func add(_ piece: ReplyPiece) async throws {
        switch piece.response {
        case .chunk(let text), .reasoningChunk(let text): try await send(piece.index, text)
        case .complete(let completion):
            usage.add(completion.stats, countsPrompt: piece.index % count == 0)
            try await send(piece.index, "", piece.parts.finishReason)
        case .functionCall, .audioSample: break
        #if LEAPErrorsInBand
            case .error: break
        #endif
        }
    }

    mutating func end(_ parts: [ReplyParts]) async throws {
        if includesUsage {
            try await writer.event(
                heading.document("text_completion", ["choices": .array([]), "usage": usage.json]))
        }
        try await writer.done()
    }

    mutating func fail(_ error: APIError) async throws { try await writer.event(error.json) }
}
