import LeapBase
import LeapCompute
import LeapModel
import LeapTokenizer

/// Computed prefixes of sequences, kept so that a later sequence with the same prefix need not compute it again.
///
/// A tree: each node is one page of at most 64 tokens, and a path from the root is a prefix. Pages are shared with the
/// sequences that made them, not copied, and of prefixes of which one goes on where another ends, only the longer one's
/// page is kept. Where convolutions need their inputs to go on from within a page, the page keeps them for each place
/// where a prefix ended: its checkpoints. Where layers keep something of a sequence as a whole, sequences leave pages
/// at checkpoints only, and most pages have none.
///
/// The prefixes that were not used for longest go first when a limit is reached. Used by one thread at a time.
final class PrefixCache {
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
    private let memory: any StateMemory
    /// By the key of the adapters that the prefixes were computed with; see ``AdapterSet/key``.
    private var roots: [StableHash?: PrefixNode] = [:]
    private var queue = UseQueue<PrefixNode>()
    private var clock: Int64 = 0

    /// An empty cache.
    init(memory: any StateMemory, maxBytes: Int, maxEntries: Int = .max) {
        self.memory = memory
        self.maxBytes = maxBytes
        self.maxEntries = maxEntries
    }

    deinit { for root in roots.values { root.removeDescendants() } }

    // MARK: Finding

    /// The longest known prefix of a sequence, of at most `limit` tokens.
    ///
    /// - Parameter adapters: the key of the adapters that it has to be computed with.
    func longestPrefix(of tokens: [TokenID], limit: Int, adapters: StableHash? = nil) -> SharedState {
        clock += 1
        let end = min(limit, tokens.count)
        var match = SharedState()
        guard var node = roots[adapters] else { return match }
        // The last place on the way that sequences can go on from, where that is not the end of any page.
        var place: (node: PrefixNode, pages: Int, checkpoint: Int)?
        while match.count + StatePage.length <= end {
            let key = tokens[match.count..<match.count + StatePage.length]
            guard let next = node.children[key], let page = next.page else { break }
            next.lastUse = clock
            match.pages.append(page)
            match.count += StatePage.length
            node = next
            if memory.isRecurrent, let checkpoint = next.checkpoint(atMost: StatePage.length) {
                place = (next, match.pages.count, checkpoint)
            }
        }
        if match.count < end { addPart(of: tokens[match.count..<end], under: node, to: &match) }
        guard memory.isRecurrent, match.tail == nil else { return match }
        guard let place else { return SharedState() }
        let length = place.node.checkpoints[place.checkpoint].length
        return SharedState(
            pages: Array(match.pages.prefix(place.pages)), count: (place.pages - 1) * StatePage.length + length,
            tail: place.node.use(checkpoint: place.checkpoint, at: clock))
    }

    /// Adds what a page under a node has of the rest of a sequence.
    private func addPart(of rest: ArraySlice<TokenID>, under node: PrefixNode, to match: inout SharedState) {
        var best: (node: PrefixNode, length: Int, checkpoint: Int?)?
        for child in node.children.values {
            let shared = child.sharedLength(rest)
            guard shared > best?.length ?? 0 else { continue }
            if memory.reach == 0, !memory.isRecurrent {
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

    /// Keeps a prefix.
    ///
    /// - Parameters:
    ///   - tokens: those of the state, or more.
    ///   - adapters: the key of the adapters that it was computed with.
    func insert(_ state: SharedState, of tokens: [TokenID], adapters: StableHash? = nil) {
        let tokens = tokens.prefix(state.count)
        guard maxBytes > 0, maxEntries > 0 else { return }
        clock += 1
        var node = roots[adapters] ?? PrefixNode()
        roots[adapters] = node
        var start = 0
        for page in state.pages where start < tokens.count {
            let end = min(start + StatePage.length, tokens.count)
            let isFull = end - start == StatePage.length
            // Without its inputs the end of a prefix is of no use to convolutions; its full pages still are.
            guard isFull || state.tail != nil || (memory.reach == 0 && !memory.isRecurrent) else { break }
            node = keep(
                tokens[start..<end], page, under: node, checkpoints: checkpoints(of: state, within: start..<end))
            node.lastUse = clock
            start = end
        }
        evict()
    }

    /// The places of a page that a sequence can leave it at.
    private func checkpoints(of state: SharedState, within page: Range<Int>) -> [PrefixNode.Checkpoint] {
        var places = memory.isRecurrent ? state.checkpoints : []
        // Convolutions need none at the end of a page.
        if let tail = state.tail, page.count < StatePage.length || memory.isRecurrent {
            places.append(StateCheckpoint(count: state.count, tail: tail))
        }
        return places.filter { $0.count > page.lowerBound && $0.count <= page.upperBound }.map {
            PrefixNode.Checkpoint(length: $0.count - page.lowerBound, inputs: $0.tail, lastUse: clock)
        }
    }

    /// Enters a page, unless one that holds its tokens is there already.
    private func keep(
        _ tokens: ArraySlice<TokenID>, _ page: StatePage, under parent: PrefixNode,
        checkpoints: [PrefixNode.Checkpoint]
    ) -> PrefixNode {
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
        guard tokens.count < StatePage.length else { return nil }
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
