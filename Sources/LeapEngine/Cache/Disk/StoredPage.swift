import LeapBase

/// The name of a page's file: the hash of the text before the page, the tokens in it, and the hash of the text to its end.
///
/// The names of a folder are the tree of all texts in it.
struct StoredPage: Hashable, Sendable {
    let parent: StableHash
    /// 1 to 64 tokens; a page that is not full has no children.
    let length: Int
    let key: StableHash

    /// The page of known place.
    init(parent: StableHash, length: Int, key: StableHash) {
        self.parent = parent
        self.length = length
        self.key = key
    }

    /// The page that a file name tells of, or nil.
    init?(fileName: String) {
        let parts = fileName.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].hasSuffix(Self.suffix), let parent = StableHash(text: parts[0]),
            let length = Int(parts[1]), (1...CacheLayout.pageLength).contains(length),
            let key = StableHash(text: parts[2].dropLast(Self.suffix.count))
        else { return nil }
        self.init(parent: parent, length: length, key: key)
    }

    private static let suffix = ".page"

    /// The name of its file.
    var fileName: String { "\(parent.text)-\(length)-\(key.text)\(Self.suffix)" }
}

/// The pages of a folder as a tree, with when each was last used.
struct StoredPageIndex: Sendable {
    private var children: [StableHash: [StoredPage: Int64]] = [:]
    private var clock: Int64 = 0

    /// Enters a page, or notes its use.
    mutating func touch(_ page: StoredPage, at time: Int64? = nil) {
        clock = max(clock + 1, time ?? 0)
        children[page.parent, default: [:]][page] = time ?? clock
    }

    /// Forgets a page.
    mutating func remove(_ page: StoredPage) {
        children[page.parent]?[page] = nil
        if children[page.parent]?.isEmpty == true { children[page.parent] = nil }
    }

    /// Whether a page is known.
    func contains(_ page: StoredPage) -> Bool { children[page.parent]?[page] != nil }

    /// The pages that follow a text.
    func pages(after parent: StableHash) -> some Collection<StoredPage> { (children[parent] ?? [:]).keys }

    /// Removes the least recently used pages that nothing follows until no more than `limit` of them are left, and names them.
    mutating func trim(to limit: Int) -> [StoredPage] {
        var removed: [StoredPage] = []
        while true {
            let leaves = children.values.joined().filter { children[$0.key.key] == nil }
            guard leaves.count > limit, let oldest = leaves.min(by: { $0.value < $1.value }) else { return removed }
            remove(oldest.key)
            removed.append(oldest.key)
        }
    }
}
