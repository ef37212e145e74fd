// Names that the LEAP SDK gave to the payloads of `onEnum(of:)`. Their Swift names nest.

/// The next characters of an answer.
@available(
    *, deprecated, message: "write ChatCompletionEvent.Delta, or switch over the event: case .delta(let content)"
)
public typealias ChatCompletionEventDelta = ChatCompletionEvent.Delta

/// The end of an answer.
@available(*, deprecated, message: "write ChatCompletionEvent.Done, or switch over the event: case .done(let usage)")
public typealias ChatCompletionEventDone = ChatCompletionEvent.Done

/// The error that ended an answer early.
@available(
    *, deprecated, message: "write ChatCompletionEvent.Error, or switch over the event: case .error(let message)"
)
public typealias ChatCompletionEventError = ChatCompletionEvent.Error
