import LeapBase
import LeapCompute
import LeapModel
import LeapTokenizer

/// Computed prefixes on disk, so that they outlive the process: one file for each page.
///
/// Prefixes are found by the names of files, not by what this process knows of them: what another process keeps is
/// found at once. Several processes may use one directory: a file is whole or not there, and what another process
/// deleted is computed anew. Files are written by a thread of their own, which also deletes the prefixes that were not
/// used for longest where there are more than allowed, whoever wrote them.
final class PrefixStore: Sendable {
    /// The folder as the writing thread knows it.
    private struct Known {
        var index = PageIndex()
        /// The time of the folder's latest change, as of the index; nil before the first look.
        var modified: Int64?
        /// True if this process has made the directory or found it.
        var hasFolder = false
        var jobs = 0
        var evictions = 0
    }

    /// Pages that wait to be written are kept in memory: at most so many bytes, beside one prefix of any length.
    private static let maxWaitingBytes = 256 << 20
    /// The fewest bytes that a waiting prefix counts for: closing a model waits until all are written, so they may not
    /// be too many either.
    private static let minWaitingBytes = 1 << 20
    /// Files that are not finished after an hour are those of a process that was killed.
    private static let maxTemporaryAge: Int64 = 3_600_000_000_000
    /// After how many prefixes the folder is listed again although its date is known: two changes may have one date.
    private static let listingInterval = 32

    private let folder: PrefixFolder
    private let file: PageFile
    private let maxEntries: Int
    private let known = Locked(Known())
    private let writer = SerialWorker(maxCost: PrefixStore.maxWaitingBytes)
    private let reader = SerialWorker()
    private let hasReported = OneWaySwitch()
    private let onNotice: @Sendable (String) -> Void
    private let onChange: @Sendable (_ byteCount: Int, _ evictions: Int) -> Void

    /// Opens the prefixes of one model in a directory; nothing is made on disk before the first one is kept.
    ///
    /// - Parameters:
    ///   - maxEntries: how many prefixes may be kept that are not prefixes of others, of all models together.
    ///   - onNotice: told once, in words, where the directory cannot be used.
    ///   - onChange: told what the pages of the folder take, and how many of them this process has deleted for others.
    init(
        folder: String, model: Model, memory: any StateMemory, contextSize: Int, maxEntries: Int,
        onNotice: @escaping @Sendable (String) -> Void = { _ in },
        onChange: @escaping @Sendable (_ byteCount: Int, _ evictions: Int) -> Void = { _, _ in }
    ) {
        self.onNotice = onNotice
        self.onChange = onChange
        self.folder = PrefixFolder(folder)
        self.maxEntries = maxEntries
        file = PageFile(memory: memory, identity: ModelIdentity.of(model, memory, contextSize: contextSize))
    }

    /// The key of the model's empty prefix.
    var identity: StableHash { file.identity }

    // MARK: Finding

    /// The pages of the longest prefix of a sequence, of at most `limit` tokens, by the names of the files.
    ///
    /// - Parameter first: how many full pages need not be there.
    private func chain(_ tokens: [TokenID], limit: Int, after first: Int, adapters: StableHash?) -> [PageName] {
        let sequence = tokens.prefix(limit)
        let full = sequence.count / StatePage.length * StatePage.length
        var chain: [PageName] = []
        /// The pages up to the last one that sequences can go on from, which is each unless the state is recurrent.
        var continuable = first
        let root = file.root(adapters)
        for page in PageName.chain(of: sequence.prefix(full), after: root) {
            let status = chain.count < first ? nil : FileSystem.status(of: folder.path(page))
            guard chain.count < first || status != nil else { break }
            chain.append(page)
            let end = chain.count * StatePage.length
            if let status, file.hasTail(page, end: end, byteCount: status.byteCount) != false {
                continuable = chain.count
            }
        }
        let rest = sequence.dropFirst(chain.count * StatePage.length)
        let end = chain.last?.key ?? root
        for length in (1..<StatePage.length).reversed() where length <= rest.count {
            let page = PageName(after: end, rest.prefix(length))
            guard FileSystem.status(of: folder.path(page)) != nil else { continue }
            return chain + [page]
        }
        return Array(chain.prefix(continuable))
    }

    /// Returns the number of tokens of a sequence that are known, of at most `limit`.
    func longestPrefix(of tokens: [TokenID], limit: Int, adapters: StableHash? = nil) -> Int {
        chain(tokens, limit: limit, after: 0, adapters: adapters).reduce(0) { $0 + $1.length }
    }

    /// Reads the longest known prefix of a sequence.
    ///
    /// A file that turns out damaged is deleted, and what is before it counts; so it does where a file cannot be read,
    /// or where there is no memory for more.
    ///
    /// - Parameters:
    ///   - match: what is known already and need not be read.
    ///   - minimum: how many tokens are known otherwise: no more than that is not worth reading.
    ///   - adapters: the key of the adapters that the prefix has to be computed with.
    ///   - isCancelled: asked before each page.
    func load(
        _ tokens: [TokenID], limit: Int, after match: SharedState = SharedState(), minimum: Int = 0,
        adapters: StableHash? = nil, isCancelled: () -> Bool = { false }
    ) -> SharedState {
        let isRecurrent = file.memory.isRecurrent
        var found = match.fullPages
        let chain = chain(tokens, limit: limit, after: found.pages.count, adapters: adapters)
        guard chain.reduce(0, { $0 + $1.length }) > minimum else { return isRecurrent ? match : found }
        for name in chain.dropFirst(found.pages.count) {
            if isCancelled() { break }
            let end = found.count + name.length
            let reading = file.read(name, tokens[found.count..<end], end: end, from: folder.path(name))
            guard case .found(let contents) = reading else {
                switch reading {
                case .damaged: FileSystem.remove(folder.path(name))
                case .unavailable(let error): report(error)
                case .found, .missing: break
                }
                break
            }
            if let tail = found.tail { found.checkpoints.append(StateCheckpoint(count: found.count, tail: tail)) }
            found.pages.append(contents.page)
            found.count = end
            found.tail = contents.inputs
        }
        for name in chain.prefix(found.pages.count) { FileSystem.touch(folder.path(name)) }
        found = found.continuable(isRecurrent: isRecurrent)
        // Pages that sequences cannot go on from count for nothing.
        return isRecurrent && match.count > found.count ? match : found
    }

    /// Reads the longest known prefix of a sequence on a thread of its own, as
    /// ``load(_:limit:after:minimum:adapters:isCancelled:)`` does.
    func load(
        _ tokens: [TokenID], limit: Int, after match: SharedState, minimum: Int,
        adapters: StableHash?, isCancelled: @escaping @Sendable () -> Bool,
        then: @escaping @Sendable (SharedPrefix) -> Void
    ) {
        let known = SharedPrefix(match)
        reader.run { [self] in
            then(
                SharedPrefix(
                    load(
                        tokens, limit: limit, after: known.match, minimum: minimum, adapters: adapters,
                        isCancelled: isCancelled)))
        }
    }

    // MARK: Keeping

    /// Keeps a prefix: what is new of it is written in the background, unless too much waits for that already.
    ///
    /// - Parameters:
    ///   - tokens: those of the state, or more.
    ///   - adapters: the key of the adapters that it was computed with.
    func insert(_ state: SharedState, of tokens: [TokenID], adapters: StableHash? = nil) {
        let prefix = SharedPrefix(state)
        let tokens = Array(tokens.prefix(state.count))
        writer.run(cost: max(Self.minWaitingBytes, state.pages.count * file.memory.pageByteCount)) { [self] in
            known.withLock { known in
                guard makeFolder(&known) else { return }
                refresh(&known)
                write(tokens, prefix.match, after: file.root(adapters), &known)
                trim(&known)
                known.modified = FileSystem.status(of: folder.pagesPath)?.modified
                onChange(Int(clamping: known.index.byteCount), known.evictions)
            }
        }
    }

    /// Says once that the directory cannot be used.
    private func report(_ error: any Error) {
        // What the memory limit does not allow is no fault of the directory.
        guard error is FileSystemError, hasReported.set() else { return }
        onNotice("the cache in \(folder.path) cannot be used, so prompts are recomputed: \(error)")
    }

    /// Makes the folder of the pages, and once the directory that it lies in.
    ///
    /// A directory that is gone later is not made again: it may have been a disk that was taken out.
    private func makeFolder(_ known: inout Known) -> Bool {
        guard !known.hasFolder || FileSystem.isFolder(folder.path) else {
            report(FileSystemError("finding the directory", folder.path, number: ENOENT))
            return false
        }
        do throws(FileSystemError) {
            try FileSystem.makeFolder(folder.pagesPath, permissions: 0o700)
        } catch {
            report(error)
            return false
        }
        known.hasFolder = true
        return true
    }

    private func write(_ tokens: [TokenID], _ prefix: SharedState, after root: StableHash, _ known: inout Known) {
        var start = 0
        for (name, page) in zip(PageName.chain(of: tokens[...], after: root), prefix.pages) {
            let end = start + name.length
            let isFull = name.length == StatePage.length
            // Without its inputs the end of a prefix is of no use to convolutions.
            guard isFull || prefix.tail != nil || (file.memory.reach == 0 && !file.memory.isRecurrent) else { return }
            let contents = PageFile.Contents(page: page, inputs: file.needsTail(name) ? prefix.tail(at: end) : nil)
            if !has(name, end: end, withTail: contents.inputs != nil) {
                do {
                    try file.write(name, tokens[start..<end], end: end, contents, to: folder.path(name))
                } catch {
                    return report(error)
                }
                // A shorter one is another place to go on from where the state is recurrent.
                if !file.memory.isRecurrent { removeShorter(than: name, tokens[start..<end], &known) }
            }
            let hasTail = contents.inputs != nil || (!isFull && !file.memory.isRecurrent)
            known.index.touch(
                name, at: Self.now, byteCount: Int64(file.byteCount(name, end: end, hasTail: hasTail)))
            start = end
        }
    }

    /// Returns true if there is a file of a page, from whose end sequences can go on where they are to; if so it is
    /// used now.
    private func has(_ name: PageName, end: Int, withTail: Bool) -> Bool {
        let path = folder.path(name)
        if withTail, file.memory.isRecurrent {
            guard let status = FileSystem.status(of: path),
                file.hasTail(name, end: end, byteCount: status.byteCount) == true
            else { return false }
        }
        return FileSystem.touch(path)
    }

    /// Deletes pages that hold a part of what another one holds now.
    private func removeShorter(than name: PageName, _ tokens: ArraySlice<TokenID>, _ known: inout Known) {
        guard known.index.hasPages(after: name.parent) else { return }
        for length in 1..<name.length {
            let shorter = PageName(after: name.parent, tokens.prefix(length))
            guard known.index.contains(shorter) else { continue }
            FileSystem.remove(folder.path(shorter))
            known.index.remove(shorter)
        }
    }

    /// Deletes the prefixes that were not used for longest, until there are no more than allowed.
    private func trim(_ known: inout Known) {
        while known.index.entryCount > maxEntries, let oldest = known.index.oldestEntry() {
            let path = folder.path(oldest)
            // Reading a page, here or in another process, is told by the date of its file only.
            if let used = FileSystem.status(of: path)?.modified, known.index.isOlder(oldest, than: used) {
                known.index.putBack(oldest, usedAt: used)
                continue
            }
            FileSystem.remove(path)
            known.index.remove(oldest)
            known.evictions += 1
        }
    }

    /// Takes note of what other processes have written and deleted, and deletes what killed ones left.
    private func refresh(_ known: inout Known) {
        known.jobs += 1
        let modified = FileSystem.status(of: folder.pagesPath)?.modified
        guard modified != known.modified || known.jobs % Self.listingInterval == 0 else { return }
        var gone = Set(known.index.pages)
        for name in FileSystem.names(in: folder.pagesPath) {
            let path = "\(folder.pagesPath)/\(name)"
            if let page = PageName(fileName: name) {
                guard gone.remove(page) == nil, let status = FileSystem.status(of: path) else { continue }
                known.index.touch(page, at: status.modified, byteCount: status.byteCount)
            } else if name.hasSuffix(FilePublication.temporarySuffix), let status = FileSystem.status(of: path),
                status.modified < Self.now - Self.maxTemporaryAge
            {
                FileSystem.remove(path)
            }
        }
        for page in gone { known.index.remove(page) }
    }

    /// Nanoseconds since 1970.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Gives up what waits to be written; what is being written goes on.
    ///
    /// - Returns: false if nothing waits.
    func dropWaiting() -> Bool { writer.dropWaiting() }

    /// Waits until everything that was to be kept is on disk.
    func flush() { writer.drain() }
}

/// A prefix on its way between threads.
struct SharedPrefix: @unchecked Sendable {  // read only: whoever would write into a shared page copies it first
    let match: SharedState

    init(_ match: SharedState) { self.match = match }
}
