import Foundation
import LeapBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request of a session under way, and the receiver its answer goes to.
final class Exchange: Sendable {
    let task: URLSessionTask
    private let receiver: HTTPReceiver
    private let addresses: AddressRule
    private let state = Locked(State())

    private struct State {
        var continuation: CheckedContinuation<HTTPHead, any Error>?
        var head: HTTPHead?
        /// Set once the outcome is known before the transport ends: what comes after it is dropped.
        var outcome: Result<HTTPHead, any Error>?
    }

    init(_ task: URLSessionTask, _ receiver: HTTPReceiver, _ addresses: AddressRule) {
        self.addresses = addresses
        self.task = task
        self.receiver = receiver
    }

    /// Notes who waits for the end.
    ///
    /// - Returns: false if the exchange was cancelled before; who waits was told, and the task must not be started.
    func begin(_ continuation: CheckedContinuation<HTTPHead, any Error>) -> Bool {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        guard let outcome else { return true }
        continuation.resume(with: outcome)
        return false
    }

    /// Ends the exchange because no caller waits for it any more.
    func cancel() {
        settle(.failure(CancellationError()))
    }

    /// Ends the exchange with the head that came, without its body.
    func end() {
        guard let head = state.withLock({ $0.head }) else { return }
        settle(.success(head))
    }

    /// Fails the exchange if it went to an address that the rule refuses.
    func check(_ remote: [String]) {
        guard addresses != .any else { return }
        for text in remote {
            // A link-local address may come with the name of its network.
            let address = NetworkAddress(String(text.prefix { $0 != "%" }))
            if let address, addresses.allows(address) { continue }
            guard let url = task.originalRequest?.url else { continue }
            return settle(.failure(addresses.refusal(of: address, for: url)))
        }
    }

    /// Tells the receiver that nothing can arrive now.
    func wait(for reason: TransferWait) { receiver.waiting(reason) }

    func receive(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else {
            settle(.failure(HTTPFailure(.protocolViolation, "the response is not HTTP.", url: response.url)))
            return
        }
        let head = HTTPHead(
            status: response.statusCode,
            fields: response.allHeaderFields.compactMap { pair in
                guard let name = pair.key as? String else { return nil }
                return (name, "\(pair.value)")
            })
        let isFirst = state.withLock { state in
            guard state.outcome == nil, state.head == nil else { return false }
            state.head = head
            return true
        }
        guard isFirst else { return }
        do {
            if try !receiver.head(head) { settle(.success(head)) }
        } catch {
            settle(.failure(error))
        }
    }

    func receive(_ data: Data) {
        guard let head = state.withLock({ $0.outcome == nil ? $0.head : nil }) else { return }
        do {
            for region in data.regions {
                let goesOn = try region.withUnsafeBytes { bytes in
                    bytes.isEmpty ? true : try receiver.body(bytes)
                }
                if !goesOn {
                    settle(.success(head))
                    return
                }
            }
        } catch {
            settle(.failure(error))
        }
    }

    /// Resumes who waits, with the outcome that came first.
    func finish(_ error: (any Error)?) {
        // A redirect that is not followed, and an answer with a broken Location, come with no event of their own.
        if error == nil, state.withLock({ $0.outcome == nil && $0.head == nil }), let response = task.response {
            receive(response)
        }
        let (continuation, result) = state.withLock {
            state -> (CheckedContinuation<HTTPHead, any Error>?, Result<HTTPHead, any Error>) in
            let continuation = state.continuation
            state.continuation = nil
            if let outcome = state.outcome { return (continuation, outcome) }
            if let error { return (continuation, .failure(Self.describe(error, task))) }
            if let head = state.head { return (continuation, .success(head)) }
            let url = task.originalRequest?.url
            return (
                continuation,
                .failure(HTTPFailure(.network, "\(url?.shown ?? "?"): the server sent no answer.", url: url))
            )
        }
        continuation?.resume(with: result)
    }

    private func settle(_ outcome: Result<HTTPHead, any Error>) {
        let isFirst = state.withLock { state in
            guard state.outcome == nil else { return false }
            state.outcome = outcome
            return true
        }
        guard isFirst else { return }
        // From another thread: on Linux `cancel()` waits for the thread that delivers, which is the one that may be
        // here.
        let task = self.task
        SystemThread.run { task.cancel() }
    }

    private static func describe(_ error: any Error, _ task: URLSessionTask) -> any Error {
        let url = task.originalRequest?.url
        let reason = (error as NSError).localizedDescription
        return HTTPFailure(
            .network, "\(url?.shown ?? "?"): the connection failed (\(reason)).", url: url, cause: error)
    }
}
