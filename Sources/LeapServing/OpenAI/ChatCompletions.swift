import LeapChat
import LeapCore
import LeapJSON
import LeapOpenAIFormat

/// `POST /v1/chat/completions`.
struct ChatCompletions: Sendable {
    let pool: ModelPool
    /// The latest replies with sound, for requests that refer to them.
    let spoken: ResponseStore
    /// The replies that are being written, for requests that end their thoughts.
    let running: RunningReplies

    func reply(to request: ServerRequest) async throws -> ServerReply {
        var chat = try await LongWork.run(on: request.body.byteCount) { try ChatRequest(request.body) }
        let lease = try await request.lease(chat.order.model, from: pool)
        let heading = Heading(id: Identifier.make("chatcmpl-"), model: lease.model.id)
        request.record?.answer(id: heading.id)
        try chat.order.check(on: lease)
        chat.order.messages = try SpokenChat.resolved(chat.order.messages, chat.references, spoken)
        chat.order.leaveOutUnreadable(on: lease)
        if let spoken = chat.spoken {
            try lease.checkSpeaks(OpenAI.Key.modalities)
            chat.order.messages = spoken.asking(chat.order.messages)
        }
        try await chat.order.relaxTools(on: lease)
        let acceptance = ReplyAcceptance(count: chat.order.options.count)
        let control = ReplyControl()
        running.add(control, id: heading.id)
        return try await answer(
            chat.order.begin(on: lease, for: request, acceptance, control: control), chat, heading)
    }

    /// The answer that replies become.
    func answer(_ pending: PendingReplies, _ chat: ChatRequest, _ heading: Heading) async throws -> ServerReply {
        guard chat.order.isStream else {
            return document(try await pending.whole(), chat, heading).warning(of: chat.order.ignored)
        }
        return try await pending.stream(type: ServerReply.events) { send in
            ChatStream(
                writer: EventWriter(send: send), heading: heading, count: pending.replies.count,
                includesUsage: chat.includesUsage, hasLegacyCalls: chat.hasLegacyCalls, tools: chat.order.tools,
                sounds: chat.spoken.map { _ in ChatAudioStream(store: spoken) })
        }.warning(of: chat.order.ignored)
    }

    /// A reply's message; one with sound has its text there, as OpenAI's have.
    private func message(_ parts: ReplyParts, _ chat: ChatRequest, _ heading: Heading) -> OpenAI.Message {
        var message = parts.message(chat.order.tools)
        if chat.hasLegacyCalls { message.useFunctionCall() }
        guard let asked = chat.spoken, let sound = parts.sound, !sound.isEmpty else { return message }
        let id = ChatAudioStream(store: spoken).keep(parts)
        message.content = .null
        message.audio = asked.json(sound, transcript: parts.text, id: id, created: heading.created)
        return message
    }

    private func document(_ parts: [ReplyParts], _ chat: ChatRequest, _ heading: Heading) -> ServerReply {
        var usage = TokenUsage()
        for (index, part) in parts.enumerated() { usage.add(part.completion, countsPrompt: index == 0) }
        let choices = parts.enumerated().map { index, parts in
            OpenAI.Choice(
                index: index, message: message(parts, chat, heading), isDelta: false, logprobs: parts.logprobs,
                finishReason: chat.hasLegacyCalls ? parts.finishReason.withoutTools : parts.finishReason)
        }
        return .json(heading.reply(.completion, choices, usage: usage))
    }
}

/// The chunks of a streamed chat completion.
private struct ChatStream: StreamShape {
    let writer: EventWriter
    let heading: Heading
    /// The number of choices.
    let count: Int
    let includesUsage: Bool
    let hasLegacyCalls: Bool
    let tools: ToolList
    /// The state of the sound that is sent; nil where none is asked for.
    private var sounds: ChatAudioStream?
    private var usage = TokenUsage()
    /// The tokens of each choice that are in no chunk yet.
    private var logprobs: [Int: ChunkLogprobs] = [:]

    init(
        writer: EventWriter, heading: Heading, count: Int, includesUsage: Bool, hasLegacyCalls: Bool,
        tools: ToolList, sounds: ChatAudioStream?
    ) {
        self.tools = tools
        self.hasLegacyCalls = hasLegacyCalls
        self.sounds = sounds
        self.writer = writer
        self.heading = heading
        self.count = count
        self.includesUsage = includesUsage
    }

    private func send(
        _ index: Int, logprobs: JSONValue = .null, finish: OpenAI.FinishReason? = nil,
        _ fill: (inout OpenAI.Message) -> Void = { _ in }
    ) async throws {
        var delta = OpenAI.Message()
        fill(&delta)
        let choice = OpenAI.Choice(
            index: index, message: delta, isDelta: true, logprobs: logprobs, finishReason: finish)
        try await writer.event(heading.reply(.chunk, [choice]))
    }

    mutating func begin() async throws {
        for index in 0..<count {
            try await send(index) {
                $0.role = .assistant
                $0.content = ""
            }
        }
    }

    private static func document(_ tokens: [TokenLogprob]) -> JSONValue {
        tokens.isEmpty ? .null : Logprobs.document(tokens)
    }

    /// The log probabilities of a chunk with a text; those of tokens in front of it are sent in a chunk of their own.
    private mutating func logprobs(of text: String, _ index: Int) async throws -> JSONValue {
        guard let (before, own) = logprobs[index]?.take(text) else { return .null }
        if !before.isEmpty { try await send(index, logprobs: Logprobs.document(before)) { $0.content = "" } }
        return Self.document(own)
    }

    /// The log probabilities that are left.
    private mutating func remainingLogprobs(_ index: Int) -> JSONValue {
        Self.document(logprobs[index]?.takeAll() ?? [])
    }

    mutating func add(_ piece: ReplyPiece) async throws {
        if !piece.logprobs.isEmpty { logprobs[piece.index, default: ChunkLogprobs()].add(piece.logprobs) }
        switch piece.response {
        case .chunk(let text):
            let tokens = try await logprobs(of: text, piece.index)
            if let delta = sounds?.transcript(text, of: piece.index) {
                try await send(piece.index, logprobs: tokens) { $0.audio = delta }
            } else {
                try await send(piece.index, logprobs: tokens) { $0.content = .string(text) }
            }
        case .reasoningChunk(let text):
            let tokens = try await logprobs(of: text, piece.index)
            try await send(piece.index, logprobs: tokens) { $0.reasoning = text }
        case .functionCall:
            let calls = piece.calls.indices.map { place in
                var entry = tools.entry(piece.calls[place])
                entry.index = place
                return entry
            }
            try await send(piece.index, logprobs: remainingLogprobs(piece.index)) { [hasLegacyCalls] in
                $0.toolCalls = calls
                if hasLegacyCalls { $0.useFunctionCall() }
            }
        case .complete(let completion):
            if let delta = sounds?.end(piece.parts, of: piece.index, created: heading.created) {
                try await send(piece.index) { $0.audio = delta }
            }
            usage.add(completion, countsPrompt: piece.index == 0)
            let reason = piece.parts.finishReason
            try await send(
                piece.index, logprobs: remainingLogprobs(piece.index),
                finish: hasLegacyCalls ? reason.withoutTools : reason)
        case .audioSample(let samples, let rate):
            if let delta = sounds?.data(samples, rate, of: piece.index) {
                try await send(piece.index) { $0.audio = delta }
            }
        }
    }

    mutating func end(_ parts: [ReplyParts]) async throws {
        if includesUsage { try await writer.event(heading.reply(.chunk, [], usage: usage)) }
        try await writer.done()
    }

    mutating func fail(_ error: APIError) async throws { try await writer.event(error.json) }
}
