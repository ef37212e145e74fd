import Foundation

/// Where a file's bytes come from right now, asked for again at its origin when a signed address expires.
actor FileLocation {
    private let fetcher: Fetcher
    private let file: RemoteFile
    private let first: RemoteDescription
    private var url: URL
    private var generation = 0
    private var renewal: Task<URL, any Error>?
    /// Renewals since the last byte arrived.
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

    /// Gets a new address in place of the one that failed.
    ///
    /// - Throws: `failure` if there is nothing to renew or renewing does not help, ``TransferInterruption/changed`` if another file is there now.
    func renew(_ failed: Int, after failure: StatusFailure) async throws {
        guard failed == generation else { return }
        guard url != file.origin else { throw failure.error }
        if let renewal {
            _ = try await renewal.value
            return
        }
        fruitless += 1
        guard fruitless <= 3 else { throw failure.error }
        let task = Task { [fetcher, file, first] in
            let description = try await fetcher.describe(file)
            guard description.isSameFile(as: first) else { throw TransferInterruption.changed }
            return description.location
        }
        renewal = task
        defer { renewal = nil }
        let renewed = try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
        url = renewed
        generation += 1
    }
}
