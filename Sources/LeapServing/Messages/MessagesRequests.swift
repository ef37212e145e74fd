import LeapJSON

/// `POST /v1/messages` and `POST /v1/messages/count_tokens`, as Anthropic's clients and coding agents send them.
struct MessagesRequests: Sendable {
    let pool: ModelPool

    /// `POST /v1/messages`.
    ///
    /// The prompt is kept like that of every other request, so a conversation that goes on is computed from its first
    /// new token: what `cache_control` asks for is done for all blocks.
    func create(_ request: ServerRequest) async throws -> ServerReply {
        var order = try await LongWork.run(on: request.body.byteCount) { try MessagesRequest(request.body).order }
        let lease = try await request.lease(order.model, from: pool)
        try order.check(on: lease)
        try await order.relaxTools(on: lease)
        order.leaveOutUnreadable(on: lease)
        let acceptance = ReplyAcceptance(count: 1)
        let pending = order.begin(on: lease, for: request, acceptance)
        var document = MessagesDocument(model: lease.model.id)
        document.countTokens = lease.tokenCounter
        request.record?.answer(id: document.id)
        guard order.isStream else {
            return .json(document.message(try await pending.whole()[0])).warning(of: order.ignored)
        }
        return try await pending.stream(type: ServerReply.events) { [document] send in
            MessagesEvents(
                writer: EventWriter(send: send), document: document, promptTokens: acceptance.promptTokens)
        }.warning(of: order.ignored)
    }

    /// `POST /v1/messages/count_tokens`: the tokens that the prompt has, those of tools and pictures included.
    func count(_ request: ServerRequest) async throws -> ServerReply {
        var order = try await LongWork.run(on: request.body.byteCount) {
            try MessagesRequest(request.body, isCount: true).order
        }
        let lease = try await request.lease(order.model, from: pool)
        try order.check(on: lease)
        order.leaveOutUnreadable(on: lease)
        let count = try await order.promptTokenCount(on: lease)
        return .json(.object(["input_tokens": .integer(Int64(count))])).warning(of: order.ignored)
    }
}
