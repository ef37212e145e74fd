import LeapTokenizer

/// Computed prefixes of sequences, kept so that a later sequence with the same prefix need not compute it again.
///
/// A tree: each node is one full page of 64 tokens, and a path from the root is a prefix. Pages are shared with the sequences that made
/// them, not copied. What a prefix has beyond its last full page is kept at the node as a tail, with the convolution inputs
/// before its end, so that exactly this prefix can be continued from its last token.
///
/// Least recently used leaves go first when the limit is reached. Used by one thread at a time.
final class PrefixCache {
    /// A prefix that was found.
    struct Match {
        /// Full pages, and one more for the tail if there is one.
        var pages: [CachePage] = []
        /// Tokens that the pages hold.
        var count = 0
        /// Convolution inputs of the last positions, if the match ends within a page.
        var tail: TailInputs?
    }

    private final class Node {
        let tokens: ArraySlice<TokenID>
        let page: CachePage
        var children: [ArraySlice<TokenID>: Node] = [:]
        var tails: [Tail] = []
        var lastUse: UInt64

        init(tokens: ArraySlice<TokenID>, page: CachePage, lastUse: UInt64) {
            self.tokens = tokens
            self.page = page
            self.lastUse = lastUse
        }
    }

    private struct Tail {
        let tokens: ArraySlice<TokenID>
        let page: CachePage
        let inputs: TailInputs?
        var lastUse: UInt64
        var byteCount: Int { page.byteCount + (inputs?.byteCount ?? 0) }
    }

    /// The maximum number of bytes of pages.
    let byteLimit: Int
    /// The maximum number of prefixes that are not prefixes of others.
    let textLimit: Int
    /// The bytes of pages it keeps now.
    private(set) var byteCount = 0
    private let layout: CacheLayout
    private var root: [ArraySlice<TokenID>: Node] = [:]
    private var rootTails: [Tail] = []
    private var clock: UInt64 = 0

    /// An empty cache.
    init(layout: CacheLayout, byteLimit: Int, textLimit: Int = .max) {
        self.layout = layout
        self.textLimit = textLimit
        self.byteLimit = byteLimit
    }

    // MARK: Finding

    /// The longest known prefix of a sequence, of at most `limit` tokens.
    func longestPrefix(of tokens: [TokenID], limit: Int) -> Match {
        clock += 1
        var match = Match()
        var children = root
        var node: Node?
        while match.count + CacheLayout.pageLength <= min(limit, tokens.count) {
            guard let next = children[tokens[match.count..<match.count + CacheLayout.pageLength]] else { break }
            next.lastUse = clock
            match.pages.append(next.page)
            match.count += CacheLayout.pageLength
            node = next
            children = next.children
        }
        findTail(of: tokens, limit: limit, node: node, &match)
        return match
    }

    private func findTail(of tokens: [TokenID], limit: Int, node: Node?, _ match: inout Match) {
        let tails = node?.tails ?? rootTails
        var best: Int?
        for (index, tail) in tails.enumerated() {
            guard match.count + tail.tokens.count <= min(limit, tokens.count),
                tail.tokens.elementsEqual(tokens[match.count..<match.count + tail.tokens.count])
            else { continue }
            if let best, tails[best].tokens.count >= tail.tokens.count { continue }
            best = index
        }
        guard let best else { return }
        match.pages.append(tails[best].page)
        match.count += tails[best].tokens.count
        match.tail = tails[best].inputs
        if let node { node.tails[best].lastUse = clock } else { rootTails[best].lastUse = clock }
    }

    // MARK: Keeping

    /// Keeps a prefix: its pages, and the convolution inputs before its end if it ends within a page.
    func insert(tokens: [TokenID], pages: [CachePage], tail: TailInputs?) {
        guard byteLimit > 0 else { return }
        clock += 1
        var node: Node?
        let pageCount = tokens.count / CacheLayout.pageLength
        for (number, page) in pages.prefix(pageCount).enumerated() {
            let key = tokens[number * CacheLayout.pageLength..<(number + 1) * CacheLayout.pageLength]
            let found: Node
            if let known = node?.children[key] ?? (node == nil ? root[key] : nil) {
                found = known
            } else {
                // The key is copied: a slice would keep the whole sequence alive.
                let own = ArraySlice(Array(key))
                found = Node(tokens: own, page: page, lastUse: clock)
                if let node { node.children[own] = found } else { root[own] = found }
                byteCount += page.byteCount
            }
            found.lastUse = clock
            node = found
        }
        // Without its inputs the end of a prefix is of no use to convolutions; its full pages still are.
        if pages.count > pageCount, tail != nil || layout.convolutionReach == 0 {
            insertTail(
                Tail(
                    tokens: ArraySlice(Array(tokens[(pageCount * CacheLayout.pageLength)...])), page: pages[pageCount],
                    inputs: tail, lastUse: clock), under: node)
        }
        evict()
    }

    private func insertTail(_ tail: Tail, under node: Node?) {
        let tails = node?.tails ?? rootTails
        if let known = tails.firstIndex(where: { $0.tokens == tail.tokens }) {
            if let node { node.tails[known].lastUse = clock } else { rootTails[known].lastUse = clock }
            return
        }
        byteCount += tail.byteCount
        if let node { node.tails.append(tail) } else { rootTails.append(tail) }
    }

    /// Drops everything.
    func removeAll() {
        root.removeAll()
        rootTails.removeAll()
        byteCount = 0
    }

    // MARK: Eviction

    private func evict() {
        while true {
            let leaves = leaves()
            guard byteCount > byteLimit || leaves.count > textLimit,
                let oldest = leaves.min(by: { $0.lastUse < $1.lastUse })
            else { return }
            byteCount -= oldest.byteCount
            oldest.remove()
        }
    }

    /// A tail, or a page without children and tails.
    private struct Leaf {
        let lastUse: UInt64
        let byteCount: Int
        let remove: () -> Void
    }

    private func leaves() -> [Leaf] {
        var leaves = rootTails.indices.map { index in
            Leaf(lastUse: rootTails[index].lastUse, byteCount: rootTails[index].byteCount) {
                self.rootTails.remove(at: index)
            }
        }
        var pending: [(node: Node, remove: () -> Void)] = root.map { key, node in (node, { self.root[key] = nil }) }
        while let (node, remove) = pending.popLast() {
            for index in node.tails.indices {
                leaves.append(
                    Leaf(lastUse: node.tails[index].lastUse, byteCount: node.tails[index].byteCount) {
                        node.tails.remove(at: index)
                    })
            }
            if node.children.isEmpty, node.tails.isEmpty {
                leaves.append(Leaf(lastUse: node.lastUse, byteCount: node.page.byteCount, remove: remove))
            }
            for (key, child) in node.children { pending.append((child, { node.children[key] = nil })) }
        }
        return leaves
    }
}
