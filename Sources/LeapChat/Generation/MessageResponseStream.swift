#if LEAPReplies
    /// A reply, piece by piece.
    ///
    /// It does not throw: an error is its last element, ``MessageResponseError``.
    public typealias MessageResponseStream = AsyncStream<any MessageResponse>

    extension AsyncStream where Element == any MessageResponse {
        /// The same reply as the code of this package reads it, with its error thrown.
        package var throwing: AsyncThrowingMapSequence<Self, MessagePiece> { map { try MessagePiece($0) } }
    }

    extension AsyncStream.Continuation where Element == any MessageResponse {
        /// Ends the reply with an error.
        package func fail(_ error: any Error) {
            yield(MessageResponseError(error))
            finish()
        }
    }

    /// A reply as the code of this package reads it, with its error thrown.
    package typealias ThrowingReply = AsyncThrowingMapSequence<MessageResponseStream, MessagePiece>
#else
    /// A reply, piece by piece; an error is thrown.
    public typealias MessageResponseStream = AsyncThrowingStream<MessageResponse, any Error>

    /// A reply as the code of this package reads it, with its error thrown.
    package typealias ThrowingReply = MessageResponseStream

    extension AsyncThrowingStream where Element == MessageResponse, Failure == any Error {
        /// The same reply as the code of this package reads it, with its error thrown.
        package var throwing: ThrowingReply { self }
    }

    extension AsyncThrowingStream.Continuation where Element == MessageResponse, Failure == any Error {
        /// Ends the reply with an error.
        package func fail(_ error: any Error) { finish(throwing: error) }
    }
#endif
