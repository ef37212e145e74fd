// What a stream of replies is made of differs by the package trait `LEAPReplies`; so does MessageResponseStream.swift.
// All other code of this package reads `MessagePiece`, which is the same with and without it.

#if LEAPReplies
    /// A piece of a reply while it is generated.
    ///
    /// It is one of ``MessageResponseChunk``, ``MessageResponseReasoningChunk``, ``MessageResponseFunctionCalls``,
    /// ``MessageResponseAudioSample``, ``MessageResponseComplete`` and ``MessageResponseError``. To find out which, use
    /// `as?`, or switch over ``onEnum(of:)-(MessageResponse)``.
    public protocol MessageResponse: Sendable {
        /// Returns the piece as an enumeration.
        ///
        /// - Throws: the error that ended the reply, if the piece is an error.
        func piece() throws -> MessagePiece
    }

    /// A piece of a reply as an enumeration.
    public enum MessagePiece: Sendable {
        /// The next characters of the answer.
        case chunk(String)
        /// The next characters of the model's reasoning.
        case reasoningChunk(String)
        /// The next samples of speech, one channel, values in -1...1; text models send none.
        case audioSample(samples: [Float], sampleRate: Int)
        /// Calls that the model requests.
        case functionCall([LeapFunctionCall])
        /// The end; the reply is already in the conversation's history.
        case complete(MessageCompletion)
    }
#else
    /// A piece of a reply while it is generated.
    ///
    /// Switch over it directly, or over ``onEnum(of:)-(MessageResponse)`` as version 0.10 of the LEAP SDK does.
    public enum MessageResponse: Sendable {
        /// The next characters of the answer.
        case chunk(String)
        /// The next characters of the model's reasoning.
        case reasoningChunk(String)
        /// The next samples of speech, one channel, values in -1...1; text models send none.
        case audioSample(samples: [Float], sampleRate: Int)
        /// Calls that the model requests.
        case functionCall([LeapFunctionCall])
        /// The end; the reply is already in the conversation's history.
        case complete(MessageCompletion)
    }

    /// A piece of a reply as the code of this package reads it.
    package typealias MessagePiece = MessageResponse
#endif

extension MessagePiece {
    /// Reads an element of a stream.
    ///
    /// - Throws: the error that ended the reply, where the element is one.
    package init(_ element: MessageResponseStream.Element) throws {
        #if LEAPReplies
            self = try element.piece()
        #else
            self = element
        #endif
    }

    /// The piece as streams and callbacks have it.
    package var element: MessageResponseStream.Element {
        #if LEAPReplies
            switch self {
            case .chunk(let text): return Chunk(text: text)
            case .reasoningChunk(let reasoning): return ReasoningChunk(reasoning: reasoning)
            case .functionCall(let calls): return FunctionCalls(functionCalls: calls)
            case .audioSample(let samples, let rate): return AudioSample(samples: samples, sampleRate: rate)
            case .complete(let completion): return completion
            }
        #else
            return self
        #endif
    }
}
