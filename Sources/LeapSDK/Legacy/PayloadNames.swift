// Names that the Kotlin-based versions 0.9 and 0.10 of the LEAP SDK gave to the payloads of `onEnum(of:)`. Their Swift
// names nest. With the trait `LEAPReplies` replies are made of these types, and LeapCore has the names.

#if !LEAPReplies
    /// The next characters of an answer.
    @available(
        *, deprecated, message: "write MessageResponse.Chunk, or switch over the response: case .chunk(let text)"
    )
    public typealias MessageResponseChunk = MessageResponse.Chunk

    /// The next characters of what the model thinks.
    @available(
        *, deprecated,
        message: "write MessageResponse.ReasoningChunk, or switch over the response: case .reasoningChunk(let text)"
    )
    public typealias MessageResponseReasoningChunk = MessageResponse.ReasoningChunk

    /// Calls that the model asks for.
    @available(
        *, deprecated,
        message: "write MessageResponse.FunctionCalls, or switch over the response: case .functionCall(let calls)"
    )
    public typealias MessageResponseFunctionCalls = MessageResponse.FunctionCalls

    /// The next samples of speech.
    @available(
        *, deprecated,
        message:
            "write MessageResponse.AudioSample, or switch over the response: case .audioSample(let samples, let sampleRate)"
    )
    public typealias MessageResponseAudioSample = MessageResponse.AudioSample

    /// The end of a reply.
    @available(*, deprecated, message: "write MessageCompletion")
    public typealias MessageResponseComplete = MessageCompletion
#endif
