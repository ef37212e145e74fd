import Foundation
import LeapBase
import LeapChat
import LeapService

/// The pictures of one generation: those that the service keeps, and those that its app still has to send.
final class ImageGathering: Sendable {
    private struct State {
        var files: [Data: MediaFile] = [:]
        var missing: Set<Data> = []
        var byteCount = 0
        var waiting: CheckedContinuation<Void, any Error>?
        /// The reason why there is nothing to wait for any more.
        var failure: (any Error)?
    }

    /// The digests in the order of the prompt; one may be there several times.
    private let digests: [Data]
    private let store: ImageStore
    private let maxBytes: Int
    /// The bytes that the generation takes of the limit for all generations, until it ends.
    private let share: ByteBudget.Share
    private let state: Locked<State>

    /// Takes the pictures that are kept already.
    ///
    /// - Parameter maxBytes: what the pictures may have together.
    /// - Throws: ``LeapServiceException`` where what is kept is too much.
    init(_ digests: [Data], store: ImageStore, maxBytes: Int, share: ByteBudget.Share) throws {
        self.digests = digests
        self.store = store
        self.maxBytes = maxBytes
        self.share = share
        state = Locked(State(missing: Set(digests)))
        for digest in Set(digests) {
            if let file = store.use(digest) { try add(file) }
        }
    }

    /// The digests of the pictures that the app has to send.
    var missing: [Data] { state.withLock { $0.missing.sorted { $0.lexicographicallyPrecedes($1) } } }

    /// Takes a picture that the app has sent.
    func take(_ data: Data) {
        let file = MediaFile(data)
        guard state.withLock({ $0.missing.contains(Data(file.digest)) }) else {
            return end(LeapServiceException.violation("it sends a picture that was not asked for"))
        }
        do {
            try add(file)
            store.keep(file)
        } catch {
            end(error)
        }
    }

    /// Ends the wait with an error.
    func end(_ error: any Error) {
        let waiting = state.withLock { state in
            if state.failure == nil { state.failure = error }
            return state.waiting.take()
        }
        waiting?.resume(throwing: error)
    }

    /// All pictures, in the order of the prompt, when they are there.
    ///
    /// - Throws: what the wait was ended with.
    func files() async throws -> [MediaFile] {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let outcome: Result<Void, any Error>? = state.withLock { state in
                if let failure = state.failure { return .failure(failure) }
                if state.missing.isEmpty { return .success(()) }
                state.waiting = continuation
                return nil
            }
            if let outcome { continuation.resume(with: outcome) }
        }
        return state.withLock { state in digests.compactMap { state.files[$0] } }
    }

    private func add(_ file: MediaFile) throws {
        let count = file.data.count
        let isRoom = state.withLock { state in
            state.byteCount += count
            return state.byteCount <= maxBytes
        }
        guard isRoom else {
            throw LeapServiceException(
                .overloaded,
                message:
                    "the pictures of a prompt have more than \(maxBytes) bytes: make them smaller, or leave some out")
        }
        do {
            try share.take(count)
        } catch {
            throw LeapServiceException(
                .overloaded,
                message:
                    "the pictures of all apps take as much memory as they may in the model service: try again later")
        }
        let waiting = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            let digest = Data(file.digest)
            state.files[digest] = file
            state.missing.remove(digest)
            return state.missing.isEmpty ? state.waiting.take() : nil
        }
        waiting?.resume()
    }
}
