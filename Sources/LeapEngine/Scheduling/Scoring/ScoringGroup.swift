import LeapBase
import LeapModel
import LeapTokenizer

/// The texts of one call, as its caller waits for them.
final class ScoringGroup: Sendable {
    typealias Continuation = CheckedContinuation<[ScoringResult], any Error>

    let requests: [ScoringRequest]
    private let cancelled = OneWaySwitch()
    private let continuation = Locked<Continuation?>(nil)

    init(_ requests: [ScoringRequest]) { self.requests = requests }

    /// The tokens with which the first text and others begin; empty where they share none.
    var sharedBeginning: [TokenID] {
        guard let first = requests.first, case .labels(_, let branch, _) = first.purpose else { return [] }
        return Array(first.tokens.prefix(max(0, branch)))
    }

    /// True if the caller waits no more.
    var isCancelled: Bool { cancelled.isSet }

    /// Sets what the end resumes.
    func begin(_ continuation: Continuation) { self.continuation.withLock { $0 = continuation } }

    /// Ends it before the next layer; what was computed is given up.
    func cancel() { cancelled.set() }

    /// Reports the end.
    func finish(returning results: [ScoringResult]) { take()?.resume(returning: results) }

    /// Reports the end.
    func finish(throwing error: EngineError) {
        take()?.resume(throwing: error.code == .cancelled ? CancellationError() : error)
    }

    private func take() -> Continuation? {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
    }
}
