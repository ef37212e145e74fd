package import LeapChat

/// A source of replies as streams: an endpoint, or another runner.
package protocol ReplySource: AnyObject, Sendable {
    /// The runner that the conversation belongs to.
    var runner: any ModelRunner { get }

    /// Checks that replies can be generated.
    ///
    /// - Throws: ``LeapException`` that says why not.
    func check() throws

    /// The pieces of a reply, with a completion as the last; cancelling the task that takes them stops it.
    ///
    /// The source does not change the history: the conversation does.
    func replies(to request: ReplyRequest) -> AsyncThrowingStream<MessagePiece, any Error>
}

extension SourcedConversation {
    /// A conversation whose replies come as streams.
    package convenience init(replies: any ReplySource, history: [ChatMessage]) {
        self.init(source: StreamSource(replies), history: history)
    }

    /// A conversation whose replies come as streams, and that begins with instructions, if there are any.
    package convenience init(replies: any ReplySource, systemPrompt: String?) {
        self.init(source: StreamSource(replies), systemPrompt: systemPrompt)
    }

    /// The source of the replies, where they come as streams; nil elsewhere.
    package var replies: (any ReplySource)? { (source as? StreamSource)?.replies }
}

/// The turns of a conversation whose replies come as streams.
private final class StreamSource: ConversationSource {
    let replies: any ReplySource

    init(_ replies: any ReplySource) { self.replies = replies }

    var runner: any ModelRunner { replies.runner }

    func check() throws { try replies.check() }

    func makeTurn(_ start: TurnStart, of conversation: SourcedConversation) -> any ConversationTurn {
        StreamedTurn(start, conversation: conversation, source: replies)
    }
}

/// The request that a reply is generated from.
package struct ReplyRequest: Sendable {
    /// The messages, the one to answer last.
    package let history: [ChatMessage]
    /// The functions that the model may ask for.
    package let functions: [LeapFunction]
    /// The options as they were when the generation began.
    package let options: GenerationOptions

    package init(history: [ChatMessage], functions: [LeapFunction], options: GenerationOptions) {
        self.history = history
        self.functions = functions
        self.options = options
    }
}
