import LeapCore

/// A problem that ended a reply, and what the person can do about it.
public struct ConversationProblem: Hashable, Sendable {
    /// An action after which a reply may succeed.
    public enum Remedy: String, Hashable, Sendable, CaseIterable {
        /// The same message again.
        case retry
        /// The message back in the field, to be changed.
        case edit
        /// The same message again, with the oldest turns left out of the prompt.
        case leaveOutOldTurns
        /// A new conversation.
        case startOver
        /// Another model, or the same one loaded again.
        case chooseModel
    }

    /// The problem, in one sentence.
    public let message: String
    /// The actions that may help, the likeliest first.
    public let remedies: [Remedy]

    /// Creates a problem.
    public init(message: String, remedies: [Remedy]) {
        self.message = message
        self.remedies = remedies
    }

    /// Describes an error that ended a reply, by its type.
    public init(_ error: any Error) {
        message = error.sentence
        remedies =
            switch error {
            case is LeapGenerationPromptExceedContextLengthException: [.leaveOutOldTurns, .startOver, .edit]
            case is LeapGenerationMemoryException: [.retry, .startOver, .chooseModel]
            case is LeapGenerationQueueFullException: [.retry]
            case is LeapGenerationTokenBudgetException: [.startOver, .edit]
            case is LeapServiceException: [.retry, .chooseModel]
            case is LeapModelLoadingException: [.chooseModel, .retry]
            case let error as LeapGenerationException: error.isOfRequest ? [.edit, .retry] : [.retry, .chooseModel]
            default: [.retry]
            }
    }
}
