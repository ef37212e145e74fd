import LeapBase
import LeapTokenizer

/// Computed prefixes on disk, so that they outlive the process: one file for each page.
///
/// Files are written by a thread of their own. The least recently used prefixes are deleted when there are more than allowed.
/// Several processes may use one folder: a file is whole or not there, and what another process deleted is computed anew.
final class PrefixStore: Sendable {
    private let folder: String
    private let file: PrefixFile
    private let root: StableHash
    private let textLimit: Int
    private let index: Locked<StoredPageIndex>
    private let worker = SerialWorker()

    /// Opens the prefixes of one model in a folder; nothing is made on disk before the first one is kept.
    ///
    /// - Parameter textLimit: how many prefixes may be kept that are not prefixes of others.
    init(folder: String, model: Model, layout: CacheLayout, contextSize: Int, textLimit: Int) {
        root = ModelFingerprint.of(model, layout, contextSize: contextSize)
        self.folder = "\(folder)/\(root.text)"
        self.textLimit = textLimit
        file = PrefixFile(layout: layout, fingerprint: root)
        var found = StoredPageIndex()
        for entry in FileSystem.files(in: self.folder) {
            if let page = StoredPage(fileName: entry.name) { found.touch(page, at: entry.modified) }
        }
        index = Locked(found)
    }

    private func path(_ page: StoredPage) -> String { "\(folder)/\(page.fileName)" }

    /// The pages of a sequence in order, the last of which may not be full.
    private func chain(_ tokens: ArraySlice<TokenID>) -> [StoredPage] {
        var pages: [StoredPage] = []
        var parent = root
        var rest = tokens
        while !rest.isEmpty {
            let part = rest.prefix(CacheLayout.pageLength)
            let key = Self.key(after: parent, part)
            pages.append(StoredPage(parent: parent, length: part.count, key: key))
            parent = key
            rest = rest.dropFirst(part.count)
        }
        return pages
    }

    private static func key(after parent: StableHash, _ tokens: ArraySlice<TokenID>) -> StableHash {
        tokens.reduce(into: parent) { $0.combine(UInt64(UInt32(bitPattern: $1))) }
    }

    // MARK: Finding

    /// The pages of the longest prefix of a sequence, of at most `limit` tokens, that is known by the names of the files.
    private func knownChain(_ tokens: [TokenID], limit: Int) -> [StoredPage] {
        let text = tokens.prefix(limit)
        let whole = chain(text.prefix(text.count / CacheLayout.pageLength * CacheLayout.pageLength))
        return index.withLock { index in
            var known = Array(whole.prefix { index.contains($0) })
            let rest = text.dropFirst(known.count * CacheLayout.pageLength)
            let end = known.last?.key ?? root
            let tail = index.pages(after: end).filter { page in
                page.length < CacheLayout.pageLength && page.length <= rest.count
                    && Self.key(after: end, rest.prefix(page.length)) == page.key
            }.max { $0.length < $1.length }
            if let tail { known.append(tail) }
            return known
        }
    }

    /// How many tokens of a sequence are known, of at most `limit`.
    func longestPrefix(of tokens: [TokenID], limit: Int) -> Int {
        knownChain(tokens, limit: limit).reduce(0) { $0 + $1.length }
    }

    /// Reads the longest known prefix of a sequence.
    ///
    /// A file that turns out damaged is deleted, and what is before it counts; so it does where there is no memory for more.
    func load(_ tokens: [TokenID], limit: Int) -> PrefixCache.Match {
        var match = PrefixCache.Match()
        for page in knownChain(tokens, limit: limit) {
            let found: (page: CachePage, inputs: TailInputs?)?
            do throws(EngineError) {
                found = try file.read(path(page), tokens: tokens[..<(match.count + page.length)])
            } catch {
                break
            }
            guard let (state, inputs) = found else {
                FileSystem.remove(path(page))
                index.withLock { $0.remove(page) }
                break
            }
            match.pages.append(state)
            match.count += page.length
            match.tail = inputs
            FileSystem.touch(path(page))
            index.withLock { $0.touch(page) }
        }
        return match
    }

    // MARK: Keeping

    /// Keeps a prefix: what is new of it is written in the background.
    func insert(tokens: [TokenID], pages: [CachePage], tail: TailInputs?) {
        let shared = SharedPages(pages: pages, tail: tail)
        worker.run { [self] in
            guard (try? FileSystem.makeFolder(folder, permissions: 0o700)) != nil else { return }
            var end = 0
            for (number, page) in chain(tokens[...]).enumerated() {
                end += page.length
                let isFull = page.length == CacheLayout.pageLength
                // Without its inputs the end of a prefix is of no use to convolutions.
                guard isFull || shared.tail != nil || file.layout.convolutionReach == 0 else { return }
                let inputs = isFull ? nil : shared.tail
                if index.withLock({ $0.contains(page) }) {
                    FileSystem.touch(path(page))
                } else if !file.write(
                    tokens: tokens[..<end], page: shared.pages[number], inputs: inputs, to: path(page))
                {
                    return  // the disk is full or read-only: the prefix is computed anew next time
                }
                index.withLock { $0.touch(page) }
            }
            for page in index.withLock({ $0.trim(to: textLimit) }) { FileSystem.remove(path(page)) }
        }
    }

    /// Waits until everything that was to be kept is on disk.
    func flush() { worker.drain() }
}

/// Pages on their way to the disk.
private struct SharedPages: @unchecked Sendable {  // read only: whoever would write into a shared page copies it first
    let pages: [CachePage]
    let tail: TailInputs?
}
