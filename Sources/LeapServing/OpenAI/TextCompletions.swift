import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// `POST /v1/completions`: goes on with a text as it is.
struct TextCompletions: Sendable {
    let pool: ModelPool

    func reply(to request: ServerRequest) async throws -> ServerReply {
        var fields = try await RequestFields.read(request)
        let model = try fields.string(OpenAI.Key.model)
        let prompts = try TextPrompts.read(&fields)
        let isStream = try fields.bool(OpenAI.Key.stream) ?? false
        let echoes = try fields.bool("echo") ?? false
        var streaming = RequestFields(try fields.object(OpenAI.Key.streamOptions) ?? [:])
        let includesUsage = try streaming.bool(OpenAI.Key.includeUsage) ?? false
        let count = try fields.integer(OpenAI.Key.choiceCount, in: 1...ChatRequest.maxChoices) ?? 1
        // No token of the model's own: what is asked for is the prompt.
        let isPromptOnly = echoes && fields.value(OpenAI.Key.maxTokens)?.integer == 0
        if isPromptOnly { fields.replace(OpenAI.Key.maxTokens, with: nil) }
        // OpenAI's own default: a text has no natural end.
        var sampling = try SamplingFields(&fields, hasFunctions: false, defaultMaxTokens: 16)
        let topLogprobs = try sampling.readTextLogprobs(&fields)
        let lease = try await request.lease(model, from: pool)
        let starts = try await Self.starts(
            prompts, lease, echoes: echoes, isRead: isPromptOnly || topLogprobs != nil, topLogprobs: topLogprobs)
        let heading = Heading(id: Identifier.make("cmpl-"), model: lease.model.id)
        request.record?.answer(id: heading.id)
        let acceptance = ReplyAcceptance(count: prompts.count * count)
        let ignored = fields.ignored + streaming.ignored.map { "stream_options.\($0)" }
        guard !isPromptOnly else {
            request.record?.read(tokens: Int64(starts.reduce(0) { $0 + $1.tokenCount }))
            let reply =
                isStream
                ? Self.events(starts, count, heading, includesUsage) : Self.document(starts, count, heading)
            return reply.warning(of: ignored)
        }
        let traces =
            isStream && topLogprobs != nil ? (0..<prompts.count * count).map { _ in PieceLogprobs() } : []
        let replies = (0..<prompts.count * count).map { index in
            let options = sampling.options(choice: index % count)
            return lease.runner.completion(
                of: prompts[index / count], options: options,
                pieceLogprobs: traces.isEmpty ? nil : traces[index],
                timing: request.record?.reply(options, choice: index % count), onAccepted: { acceptance.accept($0) })
        }
        let pending = PendingReplies(replies, lease, for: request, acceptance, pieceLogprobs: traces)
        guard isStream else {
            return Self.document(try await pending.whole(), starts, count, heading).warning(of: ignored)
        }
        return try await pending.stream(type: ServerReply.events) { send in
            TextStream(
                writer: EventWriter(send: send), heading: heading, starts: starts, count: count,
                includesUsage: includesUsage)
        }.warning(of: ignored)
    }

    /// The beginning of a prompt's choices: the prompt itself, where it is echoed.
    fileprivate struct Start: Sendable {
        var text = ""
        /// The log probabilities; nil where they were not asked for.
        var logprobs: TextLogprobs?
        /// The tokens of the prompt, where it was read.
        var tokenCount = 0
    }

    /// The prompts that are to be echoed.
    ///
    /// - Parameter isRead: whether the model reads them; otherwise the replies do.
    private static func starts(
        _ prompts: [RawPrompt], _ lease: ModelLease, echoes: Bool, isRead: Bool, topLogprobs: Int?
    ) async throws -> [Start] {
        var starts: [Start] = []
        for prompt in prompts {
            guard echoes else {
                starts.append(Start(logprobs: topLogprobs.map { _ in TextLogprobs() }))
                continue
            }
            guard isRead else {
                starts.append(Start(text: try prompt.text(try lease.runner.tokenizer())))
                continue
            }
            do {
                let score = try await lease.runner.score(prompt, topLogprobs: topLogprobs ?? 0)
                starts.append(
                    Start(
                        text: score.text, logprobs: topLogprobs.map { _ in TextLogprobs(score) },
                        tokenCount: score.count))
            } catch let error as LeapGenerationPromptExceedContextLengthException {
                throw APIError(error, parameter: "prompt")
            }
        }
        return starts
    }

    private static func document(
        _ parts: [ReplyParts], _ starts: [Start], _ count: Int, _ heading: Heading
    ) -> ServerReply {
        var usage = TokenUsage()
        for (index, part) in parts.enumerated() {
            usage.add(part.completion?.stats, countsPrompt: index % count == 0)
        }
        let choices = parts.enumerated().map { index, part in
            var start = starts[index / count]
            start.logprobs?.append(part.completion)
            return choice(index, start.text + part.reasoning + part.text, start.logprobs, part.finishReason)
        }
        return .json(
            heading.document(
                "text_completion", [OpenAI.Key.choices: .array(choices), OpenAI.Key.usage: usage.openAI.json]))
    }

    /// The prompts alone.
    private static func document(_ starts: [Start], _ count: Int, _ heading: Heading) -> ServerReply {
        .json(
            heading.document(
                "text_completion",
                [OpenAI.Key.choices: .array(choices(starts, count)), OpenAI.Key.usage: usage(starts).openAI.json]))
    }

    /// The prompts alone, as events.
    private static func events(
        _ starts: [Start], _ count: Int, _ heading: Heading, _ includesUsage: Bool
    ) -> ServerReply {
        let (choices, usage) = (choices(starts, count), usage(starts))
        return ServerReply(
            headers: ServerReply.streamHeaders(type: ServerReply.events),
            body: .stream { send in
                let writer = EventWriter(send: send)
                for choice in choices {
                    try await writer.event(heading.document("text_completion", [OpenAI.Key.choices: .array([choice])]))
                }
                if includesUsage {
                    try await writer.event(
                        heading.document(
                            "text_completion", [OpenAI.Key.choices: .array([]), OpenAI.Key.usage: usage.openAI.json]))
                }
                try await writer.done()
            })
    }

    private static func choices(_ starts: [Start], _ count: Int) -> [JSONValue] {
        (0..<starts.count * count).map { index in
            choice(index, starts[index / count].text, starts[index / count].logprobs, .length)
        }
    }

    private static func usage(_ starts: [Start]) -> TokenUsage {
        var usage = TokenUsage()
        usage.add(promptTokens: starts.reduce(0) { $0 + $1.tokenCount })
        return usage
    }

    fileprivate static func choice(
        _ index: Int, _ text: String, _ logprobs: TextLogprobs?, _ finishReason: OpenAI.FinishReason?
    ) -> JSONValue {
        .object([
            OpenAI.Key.index: .integer(Int64(index)), OpenAI.Key.text: .string(text),
            OpenAI.Key.logprobs: logprobs?.json ?? .null,
            OpenAI.Key.finishReason: finishReason.map { .string($0.rawValue) } ?? .null,
        ])
    }
}

/// The chunks of a streamed text completion.
private struct TextStream: StreamShape {
    let writer: EventWriter
    let heading: Heading
    /// The beginning of the choices of each prompt.
    let starts: [TextCompletions.Start]
    /// The number of choices of each prompt.
    let count: Int
    let includesUsage: Bool
    private var usage = TokenUsage()
    /// The tokens of each choice that are in no chunk yet.
    private var waiting: [Int: ChunkLogprobs] = [:]
    /// The lists for the log probabilities of each choice's next chunk; none where they were not asked for.
    private var lists: [Int: TextLogprobs] = [:]

    init(
        writer: EventWriter, heading: Heading, starts: [TextCompletions.Start], count: Int, includesUsage: Bool
    ) {
        self.writer = writer
        self.heading = heading
        self.starts = starts
        self.count = count
        self.includesUsage = includesUsage
        for index in 0..<starts.count * count where starts[index / count].logprobs != nil {
            // Those of the prompt come with it.
            lists[index] = TextLogprobs(after: starts[index / count].text)
        }
    }

    private func send(
        _ index: Int, _ text: String, _ logprobs: TextLogprobs? = nil, _ finishReason: OpenAI.FinishReason? = nil
    ) async throws {
        let choice = TextCompletions.choice(index, text, logprobs, finishReason)
        try await writer.event(heading.document("text_completion", [OpenAI.Key.choices: .array([choice])]))
    }

    mutating func begin() async throws {
        for index in 0..<starts.count * count {
            let start = starts[index / count]
            if !start.text.isEmpty { try await send(index, start.text, start.logprobs) }
        }
    }

    /// The lists of tokens in a choice's next chunk; nil where there are none.
    private mutating func logprobs(_ index: Int, _ tokens: [TokenLogprob]) -> TextLogprobs? {
        guard !tokens.isEmpty, var chunk = lists[index] else { return nil }
        chunk.append(tokens)
        lists[index] = chunk.next
        return chunk
    }

    mutating func add(_ piece: ReplyPiece) async throws {
        let index = piece.index
        if !piece.logprobs.isEmpty { waiting[index, default: ChunkLogprobs()].add(piece.logprobs) }
        switch piece.response {
        case .chunk(let text), .reasoningChunk(let text):
            let (before, own) = waiting[index]?.take(text) ?? ([], [])
            if let logprobs = logprobs(index, before) { try await send(index, "", logprobs) }
            try await send(index, text, logprobs(index, own))
        case .complete(let completion):
            usage.add(completion.stats, countsPrompt: index % count == 0)
            let rest = (waiting[index]?.takeAll() ?? []) + (completion.endLogprob.map { [$0] } ?? [])
            try await send(index, "", logprobs(index, rest), piece.parts.finishReason)
        case .functionCall, .audioSample: break
        }
    }

    mutating func end(_ parts: [ReplyParts]) async throws {
        if includesUsage {
            try await writer.event(
                heading.document(
                    "text_completion", [OpenAI.Key.choices: .array([]), OpenAI.Key.usage: usage.openAI.json]))
        }
        try await writer.done()
    }

    mutating func fail(_ error: APIError) async throws { try await writer.event(error.json) }
}
