import LeapBase
import LeapChat
import LeapEngine
import LeapTokenizer

/// Replies that a runner's backend computes, for one conversation: what the backend keeps of it stays from turn to
/// turn.
final class BackendSource: ConversationSource {
    let model: LiquidInferenceEngineRunner
    private let kept: Locked<KeptState>

    /// The state that is kept between turns.
    struct KeptState: Sendable {
        /// The engine's state; nil before the first turn.
        var session: (any InferenceSession)?
        /// The tokens it was computed with.
        var tokens: [TokenID] = []
        /// The messages that the last prompt was made without, as the context was full.
        var leftOut: [ChatMessage] = []
        /// The point at which the last reply was suspended; nil where none was.
        var suspension: OutputResumption?
    }

    init(_ model: LiquidInferenceEngineRunner, kept: KeptState = KeptState()) {
        self.model = model
        self.kept = Locked(kept)
    }

    var runner: any ModelRunner { model }

    /// After unloading, conversations are read-only.
    func check() throws { _ = try model.promptSource() }

    func makeTurn(_ start: TurnStart, of conversation: SourcedConversation) -> any ConversationTurn {
        Turn(start, conversation: conversation, source: self)
    }

    /// The state that is kept at present.
    var keptState: KeptState { kept.withLock { $0 } }

    /// Returns the state from before, for the turn that goes on with it.
    ///
    /// - Parameter resumesReply: whether the turn goes on with a suspended reply, which is given up otherwise: a turn
    ///   that ends before it has a prompt would leave the point of another reply behind.
    func continuedState(resumesReply: Bool) -> KeptState {
        kept.withLock { kept in
            if kept.session == nil { kept.session = model.backend.makeSession() }
            if !resumesReply { kept.suspension = nil }
            return kept
        }
    }

    /// Notes what the engine's state was computed with.
    ///
    /// - Parameter suspension: the point at which the reply at the end of the tokens was suspended; nil where none was.
    func keep(tokens: [TokenID], suspension: OutputResumption? = nil) {
        kept.withLock { kept in
            kept.tokens = tokens
            kept.suspension = suspension
        }
    }

    /// Notes which messages the prompt was made without.
    func keep(leftOut messages: [ChatMessage]) { kept.withLock { $0.leftOut = messages } }
}

extension LiquidInferenceEngineRunner {
    /// A conversation with this model.
    func conversation(history: [ChatMessage]) -> SourcedConversation {
        SourcedConversation(source: BackendSource(self), history: history)
    }
}
