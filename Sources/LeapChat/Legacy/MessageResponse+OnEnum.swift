extension MessagePiece {
    /// The next characters of the answer.
    public struct Chunk: Sendable, Hashable {
        /// The characters.
        public let text: String

        /// Creates a piece, for tests of apps.
        public init(text: String) { self.text = text }
    }

    /// The next characters of the model's reasoning.
    public struct ReasoningChunk: Sendable, Hashable {
        /// The characters.
        public let reasoning: String

        /// Creates a piece, for tests of apps.
        public init(reasoning: String) { self.reasoning = reasoning }
    }

    /// Calls that the model requests.
    public struct FunctionCalls: Sendable, Hashable {
        /// The calls in order.
        public let functionCalls: [LeapFunctionCall]

        /// Creates a piece, for tests of apps.
        public init(functionCalls: [LeapFunctionCall]) { self.functionCalls = functionCalls }
    }

    /// The next samples of speech.
    public struct AudioSample: Sendable, Hashable {
        /// One channel, values in -1...1.
        public let samples: [Float]
        /// Samples per second.
        public let sampleRate: Int

        /// Creates a piece, for tests of apps.
        public init(samples: [Float], sampleRate: Int) {
            self.samples = samples
            self.sampleRate = sampleRate
        }
    }

    /// The end of the reply.
    public typealias Complete = MessageCompletion

    /// A piece of a reply as returned by ``onEnum(of:)-(MessageResponse)``.
    public enum Sealed: Sendable {
        /// The next characters of the answer.
        case chunk(Chunk)
        /// The next characters of the model's reasoning.
        case reasoningChunk(ReasoningChunk)
        /// Calls that the model requests.
        case functionCalls(FunctionCalls)
        /// The next samples of speech.
        case audioSample(AudioSample)
        /// The end.
        case complete(Complete)
        #if LEAPReplies
            /// The error that ended the reply.
            case error(MessageResponseError)
        #endif
    }

    /// The piece as ``onEnum(of:)-(MessageResponse)`` shows it.
    var sealed: Sealed {
        switch self {
        case .chunk(let text): .chunk(.init(text: text))
        case .reasoningChunk(let reasoning): .reasoningChunk(.init(reasoning: reasoning))
        case .functionCall(let calls): .functionCalls(.init(functionCalls: calls))
        case .audioSample(let samples, let rate): .audioSample(.init(samples: samples, sampleRate: rate))
        case .complete(let completion): .complete(completion)
        }
    }
}

#if LEAPReplies
    /// Returns a piece of a reply in the form that version 0.10 of the LEAP SDK switches over.
    public func onEnum(of response: any MessageResponse) -> MessagePiece.Sealed {
        do {
            return try response.piece().sealed
        } catch {
            return .error(response as? MessageResponseError ?? MessageResponseError(error))
        }
    }
#else
    /// Returns a piece of a reply in the form that version 0.10 of the LEAP SDK switches over.
    ///
    /// ```swift
    /// switch onEnum(of: response) {
    /// case .chunk(let chunk): print(chunk.text, terminator: "")
    /// case .complete(let completion): print(completion.fullMessage)
    /// case .reasoningChunk, .functionCalls, .audioSample: break
    /// }
    /// ```
    public func onEnum(of response: MessageResponse) -> MessageResponse.Sealed { response.sealed }
#endif
