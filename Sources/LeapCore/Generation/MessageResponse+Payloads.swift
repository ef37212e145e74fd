#if LEAPReplies
    // The types that replies are made of, by the names that version 0.10 of the LEAP SDK gives to them.

    /// The next characters of an answer.
    public typealias MessageResponseChunk = MessagePiece.Chunk
    /// The next characters of what the model thinks.
    public typealias MessageResponseReasoningChunk = MessagePiece.ReasoningChunk
    /// Calls that the model asks for.
    public typealias MessageResponseFunctionCalls = MessagePiece.FunctionCalls
    /// The next samples of speech.
    public typealias MessageResponseAudioSample = MessagePiece.AudioSample
    /// The end of a reply.
    public typealias MessageResponseComplete = MessageCompletion

    extension MessageResponse {
        /// The next characters of an answer.
        public typealias Chunk = MessagePiece.Chunk
        /// The next characters of what the model thinks.
        public typealias ReasoningChunk = MessagePiece.ReasoningChunk
        /// Calls that the model asks for.
        public typealias FunctionCalls = MessagePiece.FunctionCalls
        /// The next samples of speech.
        public typealias AudioSample = MessagePiece.AudioSample
        /// The end of a reply.
        public typealias Complete = MessageCompletion
        /// The error that ended a reply.
        public typealias Error = MessageResponseError
        /// A piece of a reply as ``onEnum(of:)-(MessageResponse)`` shows it.
        public typealias Sealed = MessagePiece.Sealed
    }

    /// The error that ended a reply; the last element, after which nothing of the reply is in the history.
    public struct MessageResponseError: MessageResponse {
        /// A description, in one line, of the problem and of what to do about it.
        public let message: String
        /// The error itself; a ``LeapException`` where it is one of this package.
        public let throwable: any Swift.Error

        /// Makes a value from an error.
        public init(_ error: any Swift.Error) { self.init(throwable: error, message: error.sentence) }

        /// Makes a value from an error and a description of it.
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
        /// Makes a completion, in the spelling of the LEAP SDK.
        public init(fullMessage: ChatMessage, finishReason: GenerationFinishReason, stats: GenerationStats? = nil) {
            self.init(message: fullMessage, finishReason: finishReason, stats: stats)
        }
    }
#endif
