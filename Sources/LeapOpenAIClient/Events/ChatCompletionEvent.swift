/// A piece of a reply.
///
/// Switch over it directly, or over ``onEnum(of:)`` as version 0.10 of the LEAP SDK does.
public enum ChatCompletionEvent: Sendable, Hashable {
    /// The next characters of the answer.
    case delta(String)
    /// The end, with the tokens used where the endpoint tells them.
    case done(Usage?)
    /// Why there is no more; the stream ends with it. ``OpenAiClient/streamChunks(request:)`` throws a typed error instead.
    case error(String)
}

extension ChatCompletionEvent {
    /// The next characters of the answer.
    public struct Delta: Sendable, Hashable {
        /// The characters.
        public let content: String
    }

    /// The end of a reply.
    public struct Done: Sendable, Hashable {
        /// The tokens used; nil where the endpoint does not tell them.
        public let usage: Usage?
    }

    /// Why a reply ended early.
    public struct Error: Sendable, Hashable {
        /// What happened and what to do, in one line.
        public let message: String
    }

    /// A piece of a reply as ``onEnum(of:)`` shows it.
    public enum Sealed: Sendable, Hashable {
        /// The next characters of the answer.
        case delta(Delta)
        /// The end.
        case done(Done)
        /// Why there is no more.
        case error(Error)
    }
}

/// A piece of a reply in the form that version 0.10 of the LEAP SDK switches over.
public func onEnum(of event: ChatCompletionEvent) -> ChatCompletionEvent.Sealed {
    switch event {
    case .delta(let content): .delta(.init(content: content))
    case .done(let usage): .done(.init(usage: usage))
    case .error(let message): .error(.init(message: message))
    }
}
