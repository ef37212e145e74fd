// The one place where streams of replies differ by the package trait `LEAPErrorsInBand`.

#if LEAPErrorsInBand
    /// A reply, piece by piece.
    ///
    /// It does not throw: an error is its last element, ``MessageResponse/error(_:)``.
    public typealias MessageResponseStream = AsyncStream<MessageResponse>

    /// A reply whose errors are thrown, as the code of this package reads it with and without the trait.
    package struct ThrowingReply: AsyncSequence, Sendable {
        package typealias Element = MessageResponse

        let base: MessageResponseStream

        package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator()) }

        package struct AsyncIterator: AsyncIteratorProtocol {
            var base: MessageResponseStream.Iterator

            package mutating func next() async throws -> MessageResponse? {
                let response = await base.next()
                if case .error(let error) = response { throw error.throwable }
                return response
            }
        }
    }

    extension AsyncStream where Element == MessageResponse {
        /// The same reply with its error thrown.
        package var throwing: ThrowingReply { ThrowingReply(base: self) }
    }

    extension AsyncStream.Continuation where Element == MessageResponse {
        /// Ends the reply with an error.
        package func fail(_ error: any Error) {
            yield(.error(MessageResponse.Error(error)))
            finish()
        }
    }
#else
    /// A reply, piece by piece; an error is thrown.
    public typealias MessageResponseStream = AsyncThrowingStream<MessageResponse, any Error>

    /// A reply whose errors are thrown, as the code of this package reads it with and without the trait.
    package typealias ThrowingReply = MessageResponseStream

    extension AsyncThrowingStream where Element == MessageResponse, Failure == any Error {
        /// The same reply with its error thrown.
        package var throwing: ThrowingReply { self }
    }

    extension AsyncThrowingStream.Continuation where Element == MessageResponse, Failure == any Error {
        /// Ends the reply with an error.
        package func fail(_ error: any Error) { finish(throwing: error) }
    }
#endif
