#if LEAPReplies
    // The types that replies are made of, by the names that version 0.10 of the LEAP SDK gives to them.

    /// The next characters of an answer.
    public typealias MessageResponseChunk = MessagePiece.Chunk
    /// The next characters of the model's reasoning.
    public typealias MessageResponseReasoningChunk = MessagePiece.ReasoningChunk
    /// Calls that the model requests.
    public typealias MessageResponseFunctionCalls = MessagePiece.FunctionCalls
    /// The next samples of speech.
    public typealias MessageResponseAudioSample = MessagePiece.AudioSample
    /// The end of a reply.
    public typealias MessageResponseComplete = MessageCompletion

    extension MessageResponse {
        /// The next characters of an answer.
        public typealias Chunk = MessagePiece.Chunk
        /// The next characters of the model's reasoning.
        public typealias ReasoningChunk = MessagePiece.ReasoningChunk
        /// Calls that the model requests.
        public typealias FunctionCalls = MessagePiece.FunctionCalls
        /// The next samples of speech.
        public typealias AudioSample = MessagePiece.AudioSample
        /// The end of a reply.
        public typealias Complete = MessageCompletion
        /// The error that ended a reply.
        public typealias Error = MessageResponseError
        /// A piece of a reply as returned by ``onEnum(of:)-(MessageResponse)``.
        public typealias Sealed = MessagePiece.Sealed
    }

    /// The error that ended a reply; it is the last element, and the reply is not in the history.
    public struct MessageResponseError: MessageResponse {
        /// The problem and what to do about it, in one line.
        public let message: String
        /// The error itself; a ``LeapException`` if it comes from this package.
        public let throwable: any Swift.Error

        /// Creates a value from an error.
        public init(_ error: any Swift.Error) { self.init(throwable: error, message: error.sentence) }

        /// Creates a value from an error and a description of it.
        public init(throwable: any Swift.Error, message: String) {
            self.throwable = throwable
            self.message = message
        }

        /// Throws the error.
        public func piece() throws -> MessagePiece { throw throwable }
    }

    extension MessagePiece.Chunk: MessageResponse {
        /// Returns the piece as an enumeration.
        public func piece() -> MessagePiece { .chunk(text) }
    }

    extension MessagePiece.ReasoningChunk: MessageResponse {
        /// Returns the piece as an enumeration.
        public func piece() -> MessagePiece { .reasoningChunk(reasoning) }
    }

    extension MessagePiece.FunctionCalls: MessageResponse {
        /// Returns the piece as an enumeration.
        public func piece() -> MessagePiece { .functionCall(functionCalls) }
    }

    extension MessagePiece.AudioSample: MessageResponse {
        /// Returns the piece as an enumeration.
        public func piece() -> MessagePiece { .audioSample(samples: samples, sampleRate: sampleRate) }
    }

    extension MessageCompletion: MessageResponse {
        /// Returns the piece as an enumeration.
        public func piece() -> MessagePiece { .complete(self) }
    }

    extension MessageCompletion {
        /// Creates a completion, in the spelling of the LEAP SDK.
        public init(fullMessage: ChatMessage, finishReason: GenerationFinishReason, stats: GenerationStats? = nil) {
            self.init(message: fullMessage, finishReason: finishReason, stats: stats)
        }
    }
#endif
