import LeapChat

/// The source of a ``SourcedConversation``'s replies: a runner's backend, or a stream that something else makes.
protocol ConversationSource: AnyObject, Sendable {
    /// The runner that the conversation belongs to.
    var runner: any ModelRunner { get }

    /// Checks that replies can be generated, and the history changed.
    ///
    /// - Throws: ``LeapException`` that says why not.
    func check() throws

    /// A turn of the conversation, which has not begun.
    func makeTurn(_ start: TurnStart, of conversation: SourcedConversation) -> any ConversationTurn
}

/// The values that a turn begins with.
struct TurnStart: Sendable {
    let request: TurnRequest
    /// The messages, with what the request has added to them.
    let history: [ChatMessage]
    let functions: [LeapFunction]
    let settings: GenerationSettings
    let delivery: ReplyDelivery
    /// Told of the tokens of each piece, where the options ask for log probabilities; nil where nobody asks.
    var pieceLogprobs: PieceLogprobs?
    /// Called with the tokens of the prompt when the backend has checked the request and taken it; nil for nobody.
    var onAccepted: (@Sendable (_ promptTokens: Int) -> Void)?
    /// Told when the phases of the reply begin and end; nil for nobody.
    var timing: ReplyTiming?
}

/// One generation of a conversation, which ends once: with its completion, an error, or ``GenerationHandler/stop()``.
protocol ConversationTurn: StreamedGeneration {
    /// Generates the whole reply; returns when the source is done with it, which may be after the turn has ended.
    func run() async

    /// Ends the thoughts of the reply; does nothing where there are none to end.
    func endThinking()

    /// Interrupts the reply behind its latest token, so that it can go on from there.
    func suspend()
}

extension ConversationTurn {
    /// Nothing, for replies that are generated elsewhere.
    func endThinking() {}

    /// Stops replies that are generated elsewhere, which begin again when they are resumed.
    func suspend() { stop() }
}
