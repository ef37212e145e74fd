import Foundation

/// The address from which a file's bytes come at present, with the check that it is still the file that the transfer
/// began with.
///
/// A wrong answer, or a refusal, is not a reason to discard what is there: signed addresses expire, balancers
/// have nodes that disagree, and networks put login pages in the way. The origin is asked again, and decides.
actor FileLocation {
    private let fetcher: Fetcher
    private let file: RemoteFile
    private let first: RemoteDescription
    private var url: URL
    private var generation = 0
    private var inquiry: Task<RemoteDescription, any Error>?
    /// The refusal with which the origin answered the last inquiry; nil where it gave the file.
    private(set) var refusal: DownloadError?
    /// Inquiries since the last part arrived.
    private var fruitless = 0

    init(_ fetcher: Fetcher, _ file: RemoteFile, _ description: RemoteDescription) {
        self.fetcher = fetcher
        self.file = file
        first = description
        url = description.location
    }

    /// The address, and which one it is.
    func current() -> (url: URL, generation: Int) { (url, generation) }

    /// Notes that the address works.
    func worked() { fruitless = 0 }

    /// Asks the origin about the file after an answer that does not fit.
    ///
    /// Returns if the file is the same: the request can be sent again, perhaps to another address.
    ///
    /// - Parameters:
    ///   - doubted: the generation of the address that gave the answer.
    ///   - failure: what is thrown if asking does not help.
    /// - Throws: ``TransferInterruption/changed(_:)`` or ``TransferInterruption/ignoresRanges`` if the origin says so
    ///   twice.
    func reconsider(_ doubted: Int, after failure: any Error) async throws {
        guard doubted == generation else { return }
        if let inquiry {
            _ = try await answer(inquiry)
            return
        }
        fruitless += 1
        guard fruitless <= max(3, fetcher.configuration.retry.attempts) else { throw failure }
        let task = Task { [fetcher, file, first] in
            let now = try await fetcher.describe(file)
            if now.isSameFile(as: first), now.acceptsRanges { return now }
            // A hash that is another one needs no second look; anything else may be one node of many.
            if let old = first.sha256, let new = now.sha256, old != new { throw TransferInterruption.changed(now) }
            let again = try await fetcher.describe(file)
            if again.isSameFile(as: first) {
                guard again.acceptsRanges else { throw TransferInterruption.ignoresRanges }
                return again
            }
            throw TransferInterruption.changed(again)
        }
        inquiry = task
        defer { inquiry = nil }
        let description = try await withTaskCancellationHandler {
            try await answer(task)
        } onCancel: {
            task.cancel()
        }
        guard let description else { return }
        refusal = nil
        url = description.location
        generation += 1
    }

    /// Returns what the inquiry found; nil if the origin cannot be asked now, or makes no sense either: whoever asked
    /// counts that as a failure and comes back.
    private func answer(_ inquiry: Task<RemoteDescription, any Error>) async throws -> RemoteDescription? {
        do {
            return try await inquiry.value
        } catch let error as DownloadError {
            try Task.checkCancellation()
            refusal = error
            return nil
        }
    }
}
