/// What generates the replies of a ``SourcedConversation``: an endpoint, or another runner.
package protocol ReplySource: AnyObject, Sendable {
    /// The runner that the conversation belongs to.
    var runner: any ModelRunner { get }

    /// Whether replies can be generated.
    ///
    /// - Throws: ``LeapException`` that says why not.
    func check() throws

    /// The pieces of a reply, with a completion as the last; cancelling the task that takes them stops it.
    ///
    /// The source does not change the history: the conversation does.
    func replies(to request: ReplyRequest) -> AsyncThrowingStream<MessageResponse, any Error>
}

/// What a reply is generated from.
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
