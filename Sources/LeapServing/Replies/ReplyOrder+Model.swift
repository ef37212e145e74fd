import LeapCore

/// The use of an order by the model that answers it.
extension ReplyOrder {
    /// Checks that the model reads the parts of the messages.
    ///
    /// - Throws: ``APIError`` that names the part by its place in the client's body.
    func check(on lease: ModelLease) throws(APIError) { try lease.check(messages, at: places) }

    /// Leaves out what the model does not read; the places of the messages are of no use afterwards.
    mutating func leaveOutUnreadable(on lease: ModelLease) {
        messages = lease.readable(messages, at: places, leftOut: &ignored)
    }

    /// Notes the parts of the tools' schemas that calls are not held to.
    ///
    /// - Throws: ``APIError`` where calls are demanded and cannot be held to a part.
    mutating func relaxTools(on lease: ModelLease) async throws {
        ignored += try await lease.relaxed(tools, options[0])
    }

    /// The tokens of the prompt, those of tools and pictures included.
    func promptTokenCount(on lease: ModelLease) async throws -> Int {
        try await WorkQueue.prompts.run {
            try lease.runner.promptTokenCount(messages: messages, functions: tools.callable, options: options[0])
        }
    }

    /// One of the replies.
    ///
    /// - Parameters:
    ///   - choice: the index of its options.
    ///   - pieceLogprobs: gets the log probabilities of each piece; nil where they are not told piece by piece.
    ///   - timing: told when its phases begin and end.
    ///   - control: ends its thoughts.
    ///   - onAccepted: called once, when the model has accepted it.
    func reply(
        _ choice: Int = 0, on lease: ModelLease, pieceLogprobs: PieceLogprobs? = nil, timing: ReplyTiming?,
        control: ReplyControl? = nil, onAccepted: (@Sendable (_ promptTokens: Int) -> Void)? = nil
    ) -> PendingReplies.Reply {
        lease.runner.reply(
            to: messages, functions: tools.callable,
            options: lease.thinking.filling(options[choice], of: lease.model.id), pieceLogprobs: pieceLogprobs,
            timing: timing, control: control, onAccepted: onAccepted)
    }

    /// The replies, which begin when their body is written.
    ///
    /// - Parameters:
    ///   - acceptance: gets to know when the model has accepted them.
    ///   - control: ends their thoughts.
    func begin(
        on lease: ModelLease, for request: ServerRequest, _ acceptance: ReplyAcceptance, control: ReplyControl? = nil
    ) -> PendingReplies {
        let traces = tracesLogprobs ? options.map { _ in PieceLogprobs() } : []
        let replies = options.indices.map { index in
            reply(
                index, on: lease, pieceLogprobs: traces.isEmpty ? nil : traces[index],
                timing: request.record?.reply(options[index], choice: index), control: control,
                onAccepted: { acceptance.accept($0) })
        }
        return PendingReplies(replies, lease, for: request, acceptance, pieceLogprobs: traces)
    }
}
