/// A piece of a reply.
///
/// Switch over it directly, or over ``onEnum(of:)`` as version 0.10 of the LEAP SDK does.
public enum ChatCompletionEvent: Sendable, Hashable {
    /// The next characters of the answer.
    case delta(String)
    /// The end, with the token counts if the endpoint reports them.
    case done(Usage?)
    /// The error that ends the stream; ``OpenAiClient/streamChunks(request:)`` throws a typed error instead.
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
        /// The token counts; nil if the endpoint does not report them.
        public let usage: Usage?
    }

    /// The error that ended a reply early.
    public struct Error: Sendable, Hashable {
        /// The cause and what to do about it, in one line.
        public let message: String
    }

    /// A piece of a reply as returned by ``onEnum(of:)``.
    public enum Sealed: Sendable, Hashable {
        /// The next characters of the answer.
        case delta(Delta)
        /// The end.
        case done(Done)
        /// The error that ends the stream.
        case error(Error)
    }
}

/// Returns a piece of a reply in the form that version 0.10 of the LEAP SDK switches over.
public func onEnum(of event: ChatCompletionEvent) -> ChatCompletionEvent.Sealed {
    switch event {
    case .delta(let content): .delta(.init(content: content))
    case .done(let usage): .done(.init(usage: usage))
    case .error(let message): .error(.init(message: message))
    }
}
