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
                // Only failures in a row count; but a few bytes each time are no success, or a drip would be followed for ever.
                if receiver.position - range.lowerBound >= fetcher.configuration.minimumBytes { failure = 0 }
                if let status = error as? StatusFailure {
                    if isExpiry(status, at: url) {
                        try await location.renew(generation, after: status)
                        continue
                    }
                    // A server that is overrun gets fewer connections, before it gets a pause from the last one.
                    if case .slowDown = status.remedy, queue.retire() { return }
                }
                failure += 1
                if error is TransferInterruption {
                    guard case TransferInterruption.damaged = error else { throw error }
                    guard failure < fetcher.configuration.retry.attempts else { throw damaged(range) }
                    continue
                }
                try await StatusFailure.pause(after: error, failure: failure, policy: fetcher.configuration.retry)
            }
        }
    }

    private func fetch(_ range: Range<Int64>, from url: URL, _ receiver: SegmentReceiver) async throws {
        let answer: Fetcher.Answer
        do {
            answer = try await fetcher.get(
                url, range: .init(range: range, validator: description.validator),
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

    /// Whether a refusal may only mean that a signed address is too old.
    private func isExpiry(_ failure: StatusFailure, at url: URL) -> Bool {
        guard url != file.origin, let status = failure.error.status else { return false }
        return [400, 401, 403, 404, 410].contains(status)
    }

    private func damaged(_ range: Range<Int64>) -> DownloadError {
        DownloadError(
            .checksumMismatch,
            "\(file.origin.shown): bytes \(range.lowerBound)-\(range.upperBound - 1) arrive damaged every time; try another network or mirror.",
            url: file.origin)
    }
}
