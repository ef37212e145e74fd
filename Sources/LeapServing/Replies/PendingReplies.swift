import LeapCore

/// The replies to one request, which begin when their body is written, and the model that writes them.
struct PendingReplies: Sendable {
    typealias Reply = DirectReply

    /// The time without a piece after which a comment is sent in a stream of events: far less than proxies and clients
    /// wait.
    static let commentInterval = Duration.seconds(2)

    let lease: ModelLease
    let replies: [Reply]
    let deadline: Deadline?
    /// The record of the request; nil where none is kept.
    let record: RequestRecord?
    /// The acceptance of the replies by the model; nil where the caller does not need it.
    let acceptance: ReplyAcceptance?
    /// The log probabilities of each reply's pieces; none where they are not told piece by piece.
    let pieceLogprobs: [PieceLogprobs]

    init(
        _ replies: [Reply], _ lease: ModelLease, for request: ServerRequest, _ acceptance: ReplyAcceptance? = nil,
        pieceLogprobs: [PieceLogprobs] = []
    ) {
        record = request.record
        self.pieceLogprobs = pieceLogprobs
        self.replies = replies
        self.lease = lease
        deadline = request.deadline
        self.acceptance = acceptance
    }

    /// Returns all replies when they are whole.
    ///
    /// - Throws: what a reply throws, or `CancellationError` where the task was cancelled: a generation that is stopped
    ///   delivers what there is, and whoever asked for it is gone by then.
    func whole() async throws -> [ReplyParts] {
        let merged = MergedReplies(replies, until: deadline)
        var parts = [ReplyParts](repeating: ReplyParts(keepsAudio: true), count: replies.count)
        while let (index, response) = try await merged.next() { parts[index].add(response) }
        try Task.checkCancellation()
        withExtendedLifetime(lease) {}
        record?.finish(parts)
        return parts
    }

    /// Returns an HTTP reply whose body is sent piece by piece, in the format of a protocol.
    ///
    /// The head is sent when the replies were checked, before anything is computed: clients and proxies give up where
    /// none comes. An error before that is thrown, so that it is an answer of its own, with its status; later ones are
    /// told by the shape. In streams of events a comment comes first, and again whenever there was no piece for a
    /// while.
    ///
    /// - Parameter commentInterval: how long that while is.
    func stream(
        type: String, commentInterval: Duration = PendingReplies.commentInterval,
        as makeShape: @escaping @Sendable (@escaping ServerReply.Send) -> any StreamShape
    ) async throws -> ServerReply {
        let hasComments = type == ServerReply.events
        let merged = MergedReplies(
            replies, until: deadline, acceptance: acceptance, silence: hasComments ? commentInterval : nil)
        var first = try await merged.nextEvent()
        while case .silence? = first { first = try await merged.nextEvent() }
        return ServerReply(
            headers: ServerReply.streamHeaders(type: type),
            body: .stream { [first] send in
                defer { merged.stop() }
                var shape = makeShape(send)
                var parts = [ReplyParts](repeating: ReplyParts(), count: replies.count)
                if hasComments { try await EventWriter(send: send).comment() }
                try await shape.begin()
                do {
                    var next = first
                    while let event = next {
                        switch event {
                        case .accepted: break
                        case .silence: try await EventWriter(send: send).comment()
                        case .piece(let element):
                            let (index, response) = element
                            let known = parts[index].calls.count
                            parts[index].add(response)
                            let piece = ReplyPiece(
                                index: index, response: response, parts: parts[index],
                                calls: parts[index].calls[known...],
                                logprobs: index < pieceLogprobs.count ? pieceLogprobs[index].next() : [])
                            try await shape.add(piece)
                        }
                        next = try await merged.nextEvent()
                    }
                } catch let error where error is LeapException || error is APIError {
                    // The head is sent, so the error comes as a part of the body; what follows it would be taken for a
                    // success.
                    record?.fail(APIError(error))
                    return try await shape.fail(APIError(error))
                }
                record?.finish(parts)
                try await shape.end(parts)
                withExtendedLifetime(lease) {}
            })
    }
}

/// A piece of a reply.
struct ReplyPiece {
    /// The index of the reply that it belongs to.
    let index: Int
    let response: MessagePiece
    /// All of the reply so far, the piece included.
    let parts: ReplyParts
    /// The calls in the piece.
    let calls: ArraySlice<LeapFunctionCall>
    /// The log probabilities of the tokens that came since the last piece, where they are told piece by piece.
    let logprobs: [TokenLogprob]
}

/// The format in which a protocol sends replies as they arrive.
protocol StreamShape {
    /// Called once, before everything else.
    mutating func begin() async throws
    /// Called for each piece.
    mutating func add(_ piece: ReplyPiece) async throws
    /// Called once, when all replies are whole.
    mutating func end(_ parts: [ReplyParts]) async throws
    /// Called last, where a reply failed.
    mutating func fail(_ error: APIError) async throws
}
