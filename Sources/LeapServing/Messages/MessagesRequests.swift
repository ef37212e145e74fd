import LeapCore
import LeapJSON
import LeapTokenizer

/// `POST /v1/messages` and `POST /v1/messages/count_tokens`, as Anthropic's clients and coding agents send them.
struct MessagesRequests: Sendable {
    let pool: ModelPool

    /// `POST /v1/messages`.
    ///
    /// The prompt is kept like that of every other request, so a conversation that goes on is computed from its first
    /// new token: what `cache_control` asks for is done for all blocks.
    func create(_ request: ServerRequest) async throws -> ServerReply {
        let asked = try await LongWork.run(on: request.body.count) { try MessagesRequest(request.body) }
        let lease = try await request.lease(asked.model, from: pool)
        try lease.check(asked.input.messages, at: asked.input.places)
        var ignored = asked.ignored + (try await lease.relaxed(asked.tools, asked.options))
        let messages = lease.readable(asked.input.messages, at: asked.input.places, leftOut: &ignored)
        let acceptance = ReplyAcceptance(count: 1)
        let replies = lease.runner.reply(
            to: messages, functions: asked.tools.functions, options: asked.options,
            timing: request.record?.reply(asked.options), onAccepted: { acceptance.accept($0) })
        let pending = PendingReplies([replies], lease, for: request, acceptance)
        var document = MessagesDocument(model: lease.model.id)
        document.countTokens = lease.tokenCounter
        request.record?.answer(id: document.id)
        guard asked.isStream else {
            return .json(document.message(try await pending.whole()[0])).warning(of: ignored)
        }
        return try await pending.stream(type: ServerReply.events) { [document] send in
            MessagesEvents(
                writer: EventWriter(send: send), document: document, promptTokens: acceptance.promptTokens)
        }.warning(of: ignored)
    }

    /// `POST /v1/messages/count_tokens`: the tokens that the prompt has, those of tools and pictures included.
    func count(_ request: ServerRequest) async throws -> ServerReply {
        let asked = try await LongWork.run(on: request.body.count) {
            try MessagesRequest(request.body, isCount: true)
        }
        let lease = try await pool.lease(asked.model)
        try lease.check(asked.input.messages, at: asked.input.places)
        var ignored = asked.ignored
        let messages = lease.readable(asked.input.messages, at: asked.input.places, leftOut: &ignored)
        let count = try await WorkQueue.prompts.run {
            try lease.runner.promptTokenCount(
                messages: messages, functions: asked.tools.functions, options: asked.options)
        }
        return .json(.object(["input_tokens": .integer(Int64(count))])).warning(of: ignored)
    }
}
