import LeapBase
import LeapTokenizer

/// Computed prefixes of sequences, kept so that a later sequence with the same prefix need not compute it again.
///
/// A tree: each node is one page of at most 64 tokens, and a path from the root is a prefix. Pages are shared with the sequences that
/// made them, not copied, and of prefixes of which one goes on where another ends, only the longer one's page is kept. Where
/// convolutions need their inputs to go on from within a page, the page keeps them for each place where a prefix ended: its checkpoints.
///
/// The prefixes that were not used for longest go first when a limit is reached. Used by one thread at a time.
final class PrefixCache {
    /// A prefix that was found.
    struct Match {
        /// Full pages, and one more where the match ends within a page.
        var pages: [CachePage] = []
        /// Tokens that are found.
        var count = 0
        /// Convolution inputs of the last positions, if the match ends within a page.
        var tail: TailInputs?

        /// The match without what it has of a page that is not used in full.
        var fullPages: Match {
            let full = count / CacheLayout.pageLength
            return Match(pages: Array(pages.prefix(full)), count: full * CacheLayout.pageLength)
        }
    }

    /// The maximum number of bytes of pages and checkpoints.
    let maxBytes: Int
    /// The maximum number of prefixes that are not prefixes of others.
    let maxEntries: Int
    /// The bytes of pages and checkpoints it keeps now.
    private(set) var byteCount = 0
    /// The prefixes it keeps now that are not prefixes of others.
    private(set) var entryCount = 0
    /// The pages it has dropped since it was made.
    private(set) var evictionCount = 0
    private let layout: CacheLayout
    /// By the key of the adapters that the prefixes were computed with; see ``AdapterSet/key``.
    private var roots: [StableHash?: PrefixNode] = [:]
    private var queue = UseQueue<PrefixNode>()
    private var clock: Int64 = 0

    /// An empty cache.
    init(layout: CacheLayout, maxBytes: Int, maxEntries: Int = .max) {
        self.layout = layout
        self.maxBytes = maxBytes
        self.maxEntries = maxEntries
    }

    deinit { for root in roots.values { root.removeDescendants() } }

    // MARK: Finding

    /// The longest known prefix of a sequence, of at most `limit` tokens.
    ///
    /// - Parameter adapters: the key of the adapters that it has to be computed with.
    func longestPrefix(of tokens: [TokenID], limit: Int, adapters: StableHash? = nil) -> Match {
        clock += 1
        let end = min(limit, tokens.count)
        var match = Match()
        guard var node = roots[adapters] else { return match }
        while match.count + CacheLayout.pageLength <= end {
            let key = tokens[match.count..<match.count + CacheLayout.pageLength]
            guard let next = node.children[key], let page = next.page else { break }
            next.lastUse = clock
            match.pages.append(page)
            match.count += CacheLayout.pageLength
            node = next
        }
        if match.count < end { addPart(of: tokens[match.count..<end], under: node, to: &match) }
        return match
    }

    /// Adds what a page under a node has of the rest of a sequence.
    private func addPart(of rest: ArraySlice<TokenID>, under node: PrefixNode, to match: inout Match) {
        var best: (node: PrefixNode, length: Int, checkpoint: Int?)?
        for child in node.children.values {
            let shared = child.sharedLength(rest)
            guard shared > best?.length ?? 0 else { continue }
            if layout.convolutionReach == 0 {
                best = (child, shared, nil)
            } else if let checkpoint = child.checkpoint(atMost: shared),
                child.checkpoints[checkpoint].length > best?.length ?? 0
            {
                best = (child, child.checkpoints[checkpoint].length, checkpoint)
            }
        }
        guard let best, let page = best.node.page else { return }
        best.node.lastUse = clock
        match.pages.append(page)
        match.count += best.length
        match.tail = best.checkpoint.map { best.node.use(checkpoint: $0, at: clock) }
    }

    // MARK: Keeping

    /// Keeps a prefix: its pages, and the convolution inputs before its end if it ends within a page.
    ///
    /// - Parameter adapters: the key of the adapters that it was computed with.
    func insert(tokens: [TokenID], pages: [CachePage], tail: TailInputs?, adapters: StableHash? = nil) {
        guard maxBytes > 0, maxEntries > 0 else { return }
        clock += 1
        var node = roots[adapters] ?? PrefixNode()
        roots[adapters] = node
        var start = 0
        for page in pages where start < tokens.count {
            let end = min(start + CacheLayout.pageLength, tokens.count)
            let isFull = end - start == CacheLayout.pageLength
            // Without its inputs the end of a prefix is of no use to convolutions; its full pages still are.
            guard isFull || tail != nil || layout.convolutionReach == 0 else { break }
            node = keep(tokens[start..<end], page, under: node, tail: isFull ? nil : tail)
            node.lastUse = clock
            start = end
        }
        evict()
    }

    /// Enters a page, unless one that holds its tokens is there already.
    private func keep(
        _ tokens: ArraySlice<TokenID>, _ page: CachePage, under parent: PrefixNode, tail: TailInputs?
    ) -> PrefixNode {
        let checkpoints = tail.map { [PrefixNode.Checkpoint(length: tokens.count, inputs: $0, lastUse: clock)] } ?? []
        if let known = self.node(holding: tokens, under: parent) {
            addCheckpoints(checkpoints, to: known)
            return known
        }
        let node = PrefixNode(tokens, page)
        node.lastUse = clock
        byteCount += page.byteCount
        addCheckpoints(checkpoints, to: node)
        if let shorter = parent.children.values.first(where: { tokens.starts(with: $0.tokens) }) {
            addCheckpoints(shorter.checkpoints, to: node)
            remove(shorter)
        }
        if parent.isRoot || !parent.children.isEmpty { entryCount += 1 }
        parent.add(node)
        enqueue(node)
        return node
    }

    /// The page that holds these tokens, and more perhaps.
    private func node(holding tokens: ArraySlice<TokenID>, under parent: PrefixNode) -> PrefixNode? {
        if let node = parent.children[tokens] { return node }
        guard tokens.count < CacheLayout.pageLength else { return nil }
        return parent.children.values.first { $0.tokens.starts(with: tokens) }
    }

    private func addCheckpoints(_ checkpoints: [PrefixNode.Checkpoint], to node: PrefixNode) {
        byteCount -= node.byteCount
        node.keep(checkpoints)
        byteCount += node.byteCount
    }

    /// Drops everything.
    func removeAll() {
        for root in roots.values { root.removeDescendants() }
        roots.removeAll()
        queue.removeAll()
        byteCount = 0
        entryCount = 0
    }

    // MARK: Eviction

    private func evict() {
        while byteCount > maxBytes || entryCount > maxEntries, removeOldest() {}
        if roots.count > 1 { roots = roots.filter { !$0.value.children.isEmpty } }
    }

    /// Drops the last page of the prefix that was not used for longest.
    ///
    /// - Returns: false if there is none.
    func removeOldest() -> Bool {
        guard let oldest = removeOldestFromQueue() else { return false }
        remove(oldest)
        evictionCount += 1
        return true
    }

    private func removeOldestFromQueue() -> PrefixNode? {
        let oldest = queue.removeOldest { node in
            if node.isEntry { return node.lastUse }
            node.isQueued = false
            return nil
        }
        oldest?.isQueued = false
        return oldest
    }

    private func enqueue(_ node: PrefixNode) {
        guard !node.isQueued else { return }
        node.isQueued = true
        queue.insert(node, lastUse: node.lastUse)
    }

    /// Takes out an entry; the page before it may become one.
    private func remove(_ node: PrefixNode) {
        guard let parent = node.parent else { return }
        byteCount -= node.byteCount
        node.remove()
        if parent.isEntry { enqueue(parent) } else { entryCount -= 1 }
    }
}
