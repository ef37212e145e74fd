extension MessageResponse {
    /// The next characters of the answer.
    public struct Chunk: Sendable, Hashable {
        /// The characters.
        public let text: String
    }

    /// The next characters of what the model thinks.
    public struct ReasoningChunk: Sendable, Hashable {
        /// The characters.
        public let reasoning: String
    }

    /// Calls that the model asks for.
    public struct FunctionCalls: Sendable, Hashable {
        /// The calls in order.
        public let functionCalls: [LeapFunctionCall]
    }

    /// The next samples of speech.
    public struct AudioSample: Sendable, Hashable {
        /// One channel, values in -1...1.
        public let samples: [Float]
        /// Samples per second.
        public let sampleRate: Int
    }

    /// The end of the reply.
    public typealias Complete = MessageCompletion

    /// A piece of a reply as ``onEnum(of:)-(MessageResponse)`` shows it.
    public enum Sealed: Sendable {
        /// The next characters of the answer.
        case chunk(Chunk)
        /// The next characters of what the model thinks.
        case reasoningChunk(ReasoningChunk)
        /// Calls that the model asks for.
        case functionCalls(FunctionCalls)
        /// The next samples of speech.
        case audioSample(AudioSample)
        /// The end.
        case complete(Complete)
        #if LEAPErrorsInBand
            /// The error that ended the reply.
            case error(Error)
        #endif
    }
}

/// A piece of a reply in the form that version 0.10 of the LEAP SDK switches over.
///
/// ```swift
/// switch onEnum(of: response) {
/// case .chunk(let chunk): print(chunk.text, terminator: "")
/// case .complete(let completion): print(completion.fullMessage)
/// case .reasoningChunk, .functionCalls, .audioSample: break
/// }
/// ```
public func onEnum(of response: MessageResponse) -> MessageResponse.Sealed {
    switch response {
    case .chunk(let text): .chunk(.init(text: text))
    case .reasoningChunk(let reasoning): .reasoningChunk(.init(reasoning: reasoning))
    case .functionCall(let calls): .functionCalls(.init(functionCalls: calls))
    case .audioSample(let samples, let rate): .audioSample(.init(samples: samples, sampleRate: rate))
    case .complete(let completion): .complete(completion)
    #if LEAPErrorsInBand
        case .error(let error): .error(error)
    #endif
    }
}
