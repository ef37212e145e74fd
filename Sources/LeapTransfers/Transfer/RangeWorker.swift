import Foundation
import LeapHTTP

/// One of the connections that fetch the parts of a file.
struct RangeWorker: Sendable {
    let fetcher: Fetcher
    let file: RemoteFile
    let description: RemoteDescription
    let queue: RangeQueue
    let partial: PartialState
    let location: FileLocation
    /// The connections that fetch the file.
    let connections: Int

    /// Answers in a row with all of the file, without a part between them, after which a server is taken not to give
    /// parts.
    private static let wholeAnswers = 3

    /// Fetches parts until none is left.
    func run() async throws {
        var failures = FailureRow(
            connections: connections, minimumBytes: fetcher.configuration.minimumBytes, written: partial.written)
        while let range = queue.claim() {
            let receiver = SegmentReceiver(file, description, range, partial)
            let (url, generation) = await location.current()
            do {
                try await fetch(range, from: url, receiver)
                failures.succeeded()
                await location.worked()
            } catch {
                queue.give(back: receiver.position..<range.upperBound)
                failures.failed(
                    kind(of: error, at: url), own: receiver.position - range.lowerBound, written: partial.written)
                try await handle(error, failure: failures.count, range, url, generation)
                // A server that is overrun gets fewer connections, before it gets a pause from the last one.
                if let status = error as? StatusFailure, case .slowDown = status.remedy {
                    if queue.retire() { return }
                }
                try await pause(after: error, failure: failures.count)
            }
        }
    }

    private func kind(of error: any Error, at url: URL) -> FailureRow.Kind {
        switch error {
        case let status as StatusFailure where status.remedy == .none: url == file.origin ? .answer : .expiry
        case is TransferInterruption: .answer
        case let error as DownloadError where error.code == .stalled: .stall
        default: .connection
        }
    }

    /// Looks at a failure that waiting alone does not mend.
    private func handle(
        _ error: any Error, failure: Int, _ range: Range<Int64>, _ url: URL, _ generation: Int
    ) async throws {
        let attempts = fetcher.configuration.retry.attempts
        switch error {
        case TransferInterruption.damaged:
            guard failure < attempts else { throw damaged(range) }
        case TransferInterruption.sendsAll:
            // What describes the file may be told that there are parts as often as it asks: it asks for the first byte.
            guard failure < min(attempts, Self.wholeAnswers) else { throw TransferInterruption.ignoresRanges }
            try await location.reconsider(generation, after: TransferInterruption.ignoresRanges)
        case TransferInterruption.doubtful(let reason):
            guard failure < attempts else { throw await location.refusal ?? reason }
            try await location.reconsider(generation, after: reason)
        case let status as StatusFailure where status.remedy == .none:
            guard failure < attempts else { throw await location.refusal ?? status.error }
            try await location.reconsider(generation, after: status.error)
        default:
            break
        }
    }

    private func pause(after error: any Error, failure: Int) async throws {
        let policy = fetcher.configuration.retry
        switch error {
        case is TransferInterruption: break
        case let status as StatusFailure where status.remedy == .none: break
        default:
            try await fetcher.pause(after: error, failure: failure, policy: policy)
            return
        }
        // The first time the other address, or the other node, is asked at once.
        guard failure > 1 else { return }
        try await Task.sleep(nanoseconds: UInt64(policy.delay(failure: failure) * 1e9))
    }

    private func fetch(_ range: Range<Int64>, from url: URL, _ receiver: SegmentReceiver) async throws {
        let answer: Fetcher.Answer
        do {
            answer = try await fetcher.get(
                url, range: .init(range: range, validator: description.condition),
                head: { try receiver.accept($0) },
                body: { try receiver.receive($0) })
        } catch {
            // A disk that is full says more than the connection that was closed for it.
            try await receiver.finish()
            throw error
        }
        try await receiver.finish()
        guard answer.head.status == 206 else {
            throw StatusFailure.failure(answer, asked: file.origin, hasToken: fetcher.configuration.token != nil)
        }
        try receiver.verify()
        guard receiver.position == range.upperBound else {
            throw DownloadError(
                .network, "\(file.origin.shown): the answer ended at byte \(receiver.position) of \(range.upperBound).",
                url: file.origin)
        }
    }

    private func damaged(_ range: Range<Int64>) -> DownloadError {
        DownloadError(
            .checksumMismatch,
            "\(file.origin.shown): bytes \(range.lowerBound)-\(range.upperBound - 1) arrive damaged every time; try another network or mirror.",
            url: file.origin)
    }
}
