import Foundation

/// One of the connections that fetch the parts of a file.
struct RangeWorker: Sendable {
    let fetcher: Fetcher
    let file: RemoteFile
    let description: RemoteDescription
    let queue: RangeQueue
    let partial: PartialState
    let location: FileLocation

    /// Fetches parts until none is left.
    func run() async throws {
        var failure = 0
        while let range = queue.claim() {
            let receiver = SegmentReceiver(file, description, range, partial)
            let (url, generation) = await location.current()
            do {
                try await fetch(range, from: url, receiver)
                failure = 0
                await location.worked()
            } catch {
                queue.give(back: receiver.position..<range.upperBound)
                if isProgress(receiver.position - range.lowerBound, error) { failure = 0 }
                // A signed address that is too old is no failure; how often it is renewed for nothing is limited there.
                if !isExpiry(error, at: url) { failure += 1 }
                try await handle(error, failure: failure, range, url, generation)
                // A server that is overrun gets fewer connections, before it gets a pause from the last one.
                if let status = error as? StatusFailure, case .slowDown = status.remedy {
                    if queue.retire() { return }
                }
                try await pause(after: error, failure: failure)
            }
        }
    }

    /// Whether a request that failed brought enough not to count as one of several failures in a row.
    ///
    /// After a silence it must have brought more: a server that sends a few bytes and falls silent, again and again, would be waited
    /// for without end.
    private func isProgress(_ bytes: Int64, _ error: any Error) -> Bool {
        let least = fetcher.configuration.minimumBytes
        let isStall = (error as? DownloadError)?.code == .stalled
        return bytes >= (isStall ? least.multipliedReportingOverflow(by: 16).partialValue : least)
    }

    private func isExpiry(_ error: any Error, at url: URL) -> Bool {
        guard url != file.origin, let status = error as? StatusFailure else { return false }
        return status.remedy == .none
    }

    /// Looks at a failure that waiting alone does not mend.
    private func handle(
        _ error: any Error, failure: Int, _ range: Range<Int64>, _ url: URL, _ generation: Int
    ) async throws {
        let attempts = fetcher.configuration.retry.attempts
        switch error {
        case TransferInterruption.damaged:
            guard failure < attempts else { throw damaged(range) }
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
