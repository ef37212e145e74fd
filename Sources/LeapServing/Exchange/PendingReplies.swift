import LeapCore

/// The replies to one request, and the model that writes them.
struct PendingReplies: Sendable {
    typealias Reply = AsyncThrowingStream<MessageResponse, any Error>

    let lease: ModelLease
    let replies: [Reply]
    let deadline: Deadline?

    init(_ replies: [Reply], _ lease: ModelLease, until deadline: Deadline?) {
        self.replies = replies
        self.lease = lease
        self.deadline = deadline
    }

    /// Everything that arrives of the replies.
    ///
    /// - Throws: what a reply throws, or `CancellationError` where the task was cancelled: a generation that is stopped delivers what there
    ///   is, and whoever asked for it is gone by then.
    func whole() async throws -> [ReplyParts] {
        let merged = MergedReplies(replies, until: deadline)
        var parts = [ReplyParts](repeating: ReplyParts(keepsSound: true), count: replies.count)
        while let (index, response) = try await merged.next() { parts[index].add(response) }
        try Task.checkCancellation()
        withExtendedLifetime(lease) {}
        return parts
    }

    /// The replies as a body that is sent piece by piece, in the shape of a protocol.
    ///
    /// An error before the first piece is thrown, so that it is an answer of its own, with its status.
    func stream(
        type: String, as makeShape: @escaping @Sendable (@escaping ServerReply.Send) -> any StreamShape
    ) async throws -> ServerReply {
        let merged = MergedReplies(replies, until: deadline)
        let first = try await merged.next()
        return ServerReply(
            headers: [("content-type", type), ("cache-control", "no-store")],
            body: .stream { send in
                defer { merged.stop() }
                var shape = makeShape(send)
                var parts = [ReplyParts](repeating: ReplyParts(), count: replies.count)
                try await shape.begin()
                do {
                    var next = first
                    while let (index, response) = next {
                        let known = parts[index].calls.count
                        parts[index].add(response)
                        let piece = ReplyPiece(
                            index: index, response: response, parts: parts[index],
                            calls: parts[index].calls[known...])
                        try await shape.add(piece)
                        next = try await merged.next()
                    }
                } catch let error where error is LeapException || error is APIError {
                    // The head is sent, so the error comes as a part of the body; what follows it would be taken for a success.
                    return try await shape.fail(APIError(error))
                }
                try await shape.end(parts)
                withExtendedLifetime(lease) {}
            })
    }
}

/// A piece of a reply.
struct ReplyPiece {
    /// Which of the replies it belongs to.
    let index: Int
    let response: MessageResponse
    /// What has arrived of the reply, the piece included.
    let parts: ReplyParts
    /// The calls in the piece.
    let calls: ArraySlice<LeapFunctionCall>
}

/// What a protocol makes of replies as they arrive.
protocol StreamShape {
    /// Comes before everything else.
    mutating func begin() async throws
    /// Comes for each piece.
    mutating func add(_ piece: ReplyPiece) async throws
    /// Comes when all replies are whole.
    mutating func end(_ parts: [ReplyParts]) async throws
    /// Comes last where a reply failed.
    mutating func fail(_ error: APIError) async throws
}
