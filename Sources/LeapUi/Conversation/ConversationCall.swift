import LeapCore
public import Observation

/// A call of a function that a model asks for, and what became of it.
@MainActor
@Observable
public final class ConversationCall {
    /// The state of a call.
    public enum State: Hashable, Sendable {
        /// The function has not been run: it waits for others, or the store runs none.
        case waiting
        /// The function is running.
        case running
        /// The function gave a result, which the model reads.
        case answered(String)
        /// The function failed, or was stopped; the model reads the sentence.
        case failed(String)
    }

    /// The call.
    public let call: LeapFunctionCall
    /// The state.
    public internal(set) var state: State

    init(_ call: LeapFunctionCall, state: State = .waiting) {
        self.call = call
        self.state = state
    }

    /// The result, or the sentence of a failure; nil before.
    public var result: String? {
        switch state {
        case .waiting, .running: nil
        case .answered(let text), .failed(let text): text
        }
    }
}
