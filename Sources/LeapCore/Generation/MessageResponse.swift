/// A piece of a reply while it is generated.
///
/// Switch over it directly, or over ``onEnum(of:)-(MessageResponse)`` as version 0.10 of the LEAP SDK does.
public enum MessageResponse: Sendable {
    /// The next characters of the answer.
    case chunk(String)
    /// The next characters of what the model thinks before it answers.
    case reasoningChunk(String)
    /// The next samples of speech, one channel, values in -1...1. Text models send none.
    case audioSample(samples: [Float], sampleRate: Int)
    /// Calls that the model asks for.
    case functionCall([LeapFunctionCall])
    /// The end; the reply is in the conversation's history by now.
    case complete(MessageCompletion)
}
