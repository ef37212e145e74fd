import Foundation
import LeapBase
import LeapHTTP

/// Fetches one file into place: resumed where it stopped, checked, and visible under its name only then.
struct FileTransfer: Sendable {
    let fetcher: Fetcher
    let file: RemoteFile
    /// The folder the file ends up in.
    let folder: String
    let events: Events

    /// Closures that a transfer calls, from any thread, as it goes on.
    struct Events: Sendable {
        /// Called with the number of the file's bytes that are on disk.
        var bytes: @Sendable (Int64) -> Void = { _ in }
        /// Called with the file's length, when that turns out to be another one than before.
        var total: @Sendable (Int64?) -> Void = { _ in }
        /// All bytes are there and are being checked.
        var verifying: @Sendable () -> Void = {}
        /// Called with the reason why bytes that were there are fetched a second time.
        var again: @Sendable (String) -> Void = { _ in }
    }

    /// The result of a transfer.
    struct Outcome: Sendable {
        var size: Int64
        /// The SHA-256 of the bytes on disk; nil if hashing is off.
        var sha256: String?
    }

    private var configuration: TransferConfiguration { fetcher.configuration }
    private var target: String { folder + "/" + file.name }
    private var partialPath: String { target + ".partial" }

    /// Fetches the file.
    ///
    /// - Parameter first: what the server said about it before.
    func run(_ first: RemoteDescription) async throws -> Outcome {
        var description = try await confirmed(first)
        var changes = 0
        var mismatches = 0
        while true {
            do {
                return try await attempt(description)
            } catch TransferInterruption.changed(let now) {
                changes += 1
                try await discardPartial()
                guard changes <= 3 else {
                    throw DownloadError(
                        .changedOnServer,
                        "\(file.origin.shown): the file changed on the server \(changes) times while it was fetched; try again later.",
                        url: file.origin)
                }
                events.again("the file changed on the server and is fetched again")
                description = now
                events.total(description.size)
            } catch TransferInterruption.ignoresRanges {
                // It gave parts before, and may stand behind a balancer with others that do not.
                description.acceptsRanges = false
                events.again("the server no longer sends parts of the file; it is fetched from the start")
            } catch TransferInterruption.noModel(let error) {
                // Once more from the start, which is all that was fetched of it: it may have been damaged on its way.
                guard mismatches == 0 else { throw error }
                mismatches += 1
                description = try await fetcher.describe(file)
                events.bytes(0)
            } catch let error as DownloadError where error.code == .checksumMismatch && mismatches == 0 {
                // Once more from the start: most damage is of one transfer.
                mismatches += 1
                events.again("the file arrived damaged and is fetched again")
                description = try await fetcher.describe(file)
            }
        }
    }

    /// The description, after a second look if it would cost what an earlier attempt fetched.
    private func confirmed(_ description: RemoteDescription) async throws -> RemoteDescription {
        guard let journal = TransferJournal.load(target + JournalFile.suffix), !journal.written.isEmpty,
            let partial = FileSystem.size(of: partialPath),
            !description.isResumable || journal.trusted(for: file, description, partialSize: partial).ranges.isEmpty
        else { return description }
        // Another hash is another file; a tag, a length or a missing range may be of one node of many.
        if let old = journal.sha256, let new = description.sha256, old != new { return description }
        let again = try await fetcher.describe(file)
        events.total(again.size)
        return again
    }

    private func discardPartial() async throws {
        unlink(target + JournalFile.suffix)
        unlink(partialPath)
    }

    private func attempt(_ description: RemoteDescription) async throws -> Outcome {
        let size = description.size
        let resumes = description.isResumable
        if !resumes { try await discardPartial() }
        let partial = try PartialState(
            file, description, target: target, hashes: configuration.validatesSHA256, onBytes: events.bytes)
        do {
            if resumes, let size {
                try await fetchRanges(description, size: size, partial)
            } else if size != 0 {
                try await fetchStream(description, partial)
            }
        } catch {
            partial.flush()
            guard let error = error as? DownloadError, error.code == .notAModel else { throw error }
            try await discardPartial()
            throw TransferInterruption.noModel(error)
        }
        return try await install(partial, description)
    }

    /// Checks the partial file and gives it its name.
    private func install(_ partial: PartialState, _ description: RemoteDescription) async throws -> Outcome {
        let size = partial.extents.frontier
        events.verifying()
        let found = try await partial.hasher?.finish(size: size)
        if let expected = description.sha256, let found, expected != found {
            try await discardPartial()
            throw DownloadError(
                .checksumMismatch,
                "\(file.origin.shown): the SHA-256 of the file is \(found), its source says \(expected); the damaged file was deleted. Try again; if it happens again the source or the network changes files.",
                url: file.origin, path: target)
        }
        do {
            try await ModelFileCheck.check(partial.file, size: size, file)
        } catch {
            try await discardPartial()
            throw error
        }
        try await partial.close(size: size)
        try StoreFiles.rename(partialPath, to: target)
        unlink(target + JournalFile.suffix)
        FileSystem.synchronizeFolder(of: target)
        return Outcome(size: size, sha256: found)
    }

    // MARK: Ranges in parallel

    private func fetchRanges(_ description: RemoteDescription, size: Int64, _ partial: PartialState) async throws {
        let missing = partial.extents.missing(size: size)
        guard !missing.isEmpty else { return }
        let left = missing.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
        let connections = max(
            1, min(configuration.connections, Int(clamping: left / max(1, configuration.shortestRange))))
        let queue = RangeQueue(
            missing: missing, connections: connections, shortest: configuration.shortestRange,
            longest: configuration.longestRange)
        let location = FileLocation(fetcher, file, description)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<connections {
                group.addTask {
                    try await RangeWorker(
                        fetcher: fetcher, file: file, description: description, queue: queue, partial: partial,
                        location: location, connections: connections
                    ).run()
                }
            }
            try await group.waitForAll()
        }
        // Every part was claimed by somebody, so a gap now means that its worker ended without an error.
        guard partial.extents.missing(size: size).isEmpty else {
            throw DownloadError(
                .network, "\(file.origin.shown): parts of the file did not arrive; start again to continue.",
                url: file.origin)
        }
    }

    // MARK: The whole file on one connection

    /// Fetches from a server that does not give parts: after a failure the file begins anew.
    private func fetchStream(_ description: RemoteDescription, _ partial: PartialState) async throws {
        var failure = 0
        while true {
            do {
                try await fetchStreamOnce(description, partial)
                return
            } catch {
                try await partial.drain()
                partial.discard(0..<Int64.max)
                failure += 1
                try await fetcher.pause(after: error, failure: failure, policy: configuration.retry)
            }
        }
    }

    private func fetchStreamOnce(_ description: RemoteDescription, _ partial: PartialState) async throws {
        let filler = Locked(BlockFiller(partial, at: 0))
        let file = file
        let answer = try await fetcher.get(
            file.origin,
            head: { answer in
                guard answer.head.status == 200 else { return false }
                if let coding = answer.head["content-encoding"]?.lowercased(), coding != "identity", !coding.isEmpty {
                    throw DownloadError(
                        .protocolViolation,
                        "\(file.origin.shown): the server compresses the file (\(coding)) despite the request not to; use another mirror.",
                        url: file.origin)
                }
                return true
            },
            body: { bytes in
                try filler.withLock { filler in
                    if let size = description.size, Int64(clamping: bytes.count) > size - filler.position {
                        throw Self.wrongSize(file, expected: size, found: "more")
                    }
                    try filler.append(bytes)
                }
                return true
            })
        try StatusFailure.check(answer, asked: file.origin, hasToken: configuration.token != nil)
        try filler.withLock { try $0.flush() }
        try await partial.drain()
        let received = filler.withLock { $0.position }
        if let size = description.size, received != size {
            throw DownloadError(
                .network, "\(file.origin.shown): the connection ended after \(received) of \(size) bytes.",
                url: file.origin)
        }
    }

    private static func wrongSize(_ file: RemoteFile, expected: Int64, found: String) -> DownloadError {
        DownloadError(
            .sizeMismatch,
            "\(file.origin.shown): the server sends \(found) than the \(expected) bytes it announced; try again later.",
            url: file.origin)
    }
}
