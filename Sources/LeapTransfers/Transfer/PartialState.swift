import Foundation
import LeapBase

/// The partial file of a transfer with its journal: the one place where bytes are written and accounted for.
final class PartialState: Sendable {
    let file: PartialFile
    let hasher: FrontierHasher?
    private let watch: HeaderWatch
    private let remote: RemoteFile
    private let description: RemoteDescription
    private let journalFile: JournalFile
    private let onBytes: @Sendable (Int64) -> Void
    private let state: Locked<State>
    let writer: BlockWriter
    private let journalQueue = DispatchQueue(label: "open-leap.journal", qos: .utility)
    private let syncQueue = DispatchQueue(label: "open-leap.sync", qos: .utility)
    /// Bytes between two journals: what a killed process has to fetch again.
    private let journalInterval: Int64
    /// Bytes between two waits for the disk: what a crashed system has to fetch again.
    private let syncInterval: Int64 = 64 << 20
    /// Bytes between two hints to begin with that: many megabytes at once would hold up those that arrive meanwhile.
    private let writebackInterval: Int64 = 4 << 20

    private struct State {
        var extents: ExtentSet
        var synchronized: ExtentSet
        /// The number of the last journal.
        var sequence: Int
        /// Bytes written so far, those taken back included.
        var written: Int64 = 0
        /// The number of times so far that bytes were taken back, so that a wait for the disk does not vouch for them.
        var discards = 0
        var sinceJournal: Int64 = 0
        var sinceSync: Int64 = 0
        var sinceWriteback: Int64 = 0
        var isJournalScheduled = false
        var isSyncScheduled = false
        var failure: (any Error)?
        var isClosed = false
    }

    /// Opens or makes the partial file, and goes on where its journal says.
    init(
        _ remote: RemoteFile, _ description: RemoteDescription, target: String, hashes: Bool,
        onBytes: @escaping @Sendable (Int64) -> Void
    ) throws {
        self.remote = remote
        self.description = description
        self.onBytes = onBytes
        file = try PartialFile(target + ".partial")
        hasher = hashes ? FrontierHasher(file) : nil
        watch = HeaderWatch(remote, size: description.size, file)
        let size = description.size ?? 0
        journalInterval = min(2 << 20, max(128 << 10, size / 512))
        // What is collected and not written is lost with the process, on every connection: small against the file.
        writer = BlockWriter(blockSize: Int(clamping: min(128 << 10, max(16 << 10, size / 2048))))
        var extents = ExtentSet()
        var sequence = 0
        let journalPath = target + JournalFile.suffix
        if let journal = TransferJournal.load(journalPath) {
            extents = journal.trusted(for: remote, description, partialSize: try file.size())
            sequence = journal.sequence
        }
        journalFile = try JournalFile(journalPath, keeps: !extents.ranges.isEmpty)
        if extents.ranges.isEmpty { try file.truncate(to: 0) }
        state = Locked(State(extents: extents, synchronized: ExtentSet(), sequence: sequence))
        try saveJournal()
        onBytes(extents.count)
        hasher?.advance(to: extents.frontier)
    }

    var extents: ExtentSet { state.withLock { $0.extents } }

    /// Bytes written so far, those that turned out to be wrong included; it only grows.
    var written: Int64 { state.withLock { $0.written } }

    /// Takes a block of the file, to be written and noted soon; waits while too many are on their way.
    ///
    /// - Throws: what went wrong with earlier ones.
    func submit(_ block: Block) throws {
        try check()
        writer.submit(block) { [self] in write($0) }
    }

    /// Waits until every block is written and noted.
    func drain() async throws {
        await writer.drain()
        try check()
    }

    private func check() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func write(_ block: Block) {
        // After a failure nothing more is vouched for.
        guard state.withLock({ $0.failure == nil }) else { return }
        do {
            try file.write(block.bytes, at: block.offset)
        } catch {
            fail(error)
            return
        }
        let count = Int64(clamping: block.count)
        let (frontier, have, schedulesJournal, schedulesSync, startsWriteback) = state.withLock { state in
            state.extents.insert(block.offset..<block.offset + count)
            state.written += count
            state.sinceJournal += count
            state.sinceSync += count
            state.sinceWriteback += count
            let starts = state.sinceWriteback >= writebackInterval
            if starts { state.sinceWriteback = 0 }
            let journals = state.sinceJournal >= journalInterval && !state.isJournalScheduled
            if journals { state.isJournalScheduled = true }
            let syncs = state.sinceSync >= syncInterval && !state.isSyncScheduled
            if syncs { state.isSyncScheduled = true }
            return (state.extents.frontier, state.extents.count, journals, syncs, starts)
        }
        onBytes(have)
        hasher?.advance(to: frontier)
        do { try watch.advance(to: frontier) } catch { fail(error) }
        if schedulesJournal { journalQueue.async { [weak self] in self?.journal() } }
        if startsWriteback { syncQueue.async { [file] in file.startWriteback() } }
        if schedulesSync { syncQueue.async { [weak self] in self?.synchronize() } }
    }

    private func fail(_ error: any Error) {
        state.withLock { $0.failure = $0.failure ?? error }
    }

    /// Takes bytes back that turned out to be wrong.
    func discard(_ range: Range<Int64>) {
        state.withLock { state in
            state.extents.remove(range)
            state.synchronized.remove(range)
            state.discards += 1
        }
        hasher?.retreat(to: range.lowerBound)
    }

    /// Writes the journal now, so that a cancelled transfer goes on at its last byte.
    func flush() {
        writer.drainNow()
        journalQueue.sync { journal() }
    }

    /// Ends the file at `size`, forces everything to the disk, and keeps no journal from now on.
    func close(size: Int64) async throws {
        state.withLock { $0.isClosed = true }
        // An attempt that was given up may have got further than the one that came to its end.
        if try file.size() != size { try file.truncate(to: size) }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            syncQueue.async { [file] in
                continuation.resume(with: Result { try file.synchronize() })
            }
        }
        journalQueue.sync {}
    }

    private func journal() {
        do {
            try saveJournal()
        } catch {
            fail(error)
        }
    }

    private func saveJournal() throws {
        let journal = state.withLock { state -> TransferJournal? in
            state.isJournalScheduled = false
            state.sinceJournal = 0
            guard !state.isClosed else { return nil }
            state.sequence &+= 1
            return TransferJournal(
                sequence: state.sequence, origin: TransferJournal.key(of: remote.origin), size: description.size ?? -1,
                validator: description.validator,
                sha256: description.sha256, boot: BootIdentity.current, written: TransferJournal.pairs(state.extents),
                synchronized: TransferJournal.pairs(state.synchronized))
        }
        if let journal { try journalFile.save(journal) }
    }

    private func synchronize() {
        let (snapshot, discards) = state.withLock { state -> (ExtentSet, Int) in
            state.isSyncScheduled = false
            state.sinceSync = 0
            return (state.extents, state.discards)
        }
        do {
            try file.synchronize()
            state.withLock { if $0.discards == discards { $0.synchronized = snapshot } }
        } catch {
            fail(error)
        }
    }
}
