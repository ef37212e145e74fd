import LeapBase

/// The pages of a folder as trees, with when each was last used: what decides which are deleted.
struct PageIndex: Sendable {
    private var lastUses: [PageName: Int64] = [:]
    private var byteCounts: [PageName: Int64] = [:]
    private var names: [StableHash: PageName] = [:]
    /// The number of pages that follow a prefix, whether its own page is there or not.
    private var childCounts: [StableHash: Int] = [:]
    private var queue = UseQueue<PageName>()
    private var queued: Set<PageName> = []

    /// The prefixes that are not prefixes of others.
    private(set) var entryCount = 0

    /// Bytes of the pages' files.
    private(set) var byteCount: Int64 = 0

    /// The pages.
    var pages: some Collection<PageName> { lastUses.keys }

    /// Returns true if a page is known.
    func contains(_ page: PageName) -> Bool { lastUses[page] != nil }

    /// Returns true if any page follows a prefix.
    func hasPages(after key: StableHash) -> Bool { childCounts[key] != nil }

    /// Enters a page, or notes its use, in nanoseconds since 1970.
    ///
    /// - Parameter byteCount: the bytes of its file; they count where the page is entered.
    mutating func touch(_ page: PageName, at time: Int64, byteCount: Int64 = 0) {
        if let known = lastUses[page] {
            lastUses[page] = max(known, time)
            return
        }
        // Two names of one key are no work of this program.
        guard names[page.key] == nil else { return }
        lastUses[page] = time
        byteCounts[page] = byteCount
        self.byteCount += byteCount
        names[page.key] = page
        childCounts[page.parent, default: 0] += 1
        // A prefix that one page follows now was an entry until now.
        if childCounts[page.parent] == 1, names[page.parent] != nil { entryCount -= 1 }
        if isEntry(page) {
            entryCount += 1
            enqueue(page)
        }
    }

    /// Forgets a page.
    mutating func remove(_ page: PageName) {
        guard contains(page) else { return }
        if isEntry(page) { entryCount -= 1 }
        lastUses[page] = nil
        byteCount -= byteCounts.removeValue(forKey: page) ?? 0
        names[page.key] = nil
        let rest = childCounts[page.parent, default: 0] - 1
        childCounts[page.parent] = rest > 0 ? rest : nil
        if rest <= 0, let parent = names[page.parent] {
            entryCount += 1
            enqueue(parent)
        }
    }

    /// The entry that was not used for longest; it stays in the index until it is removed, and is not named again
    /// before that.
    mutating func oldestEntry() -> PageName? {
        var dropped: [PageName] = []
        let oldest = queue.removeOldest { [lastUses, childCounts] page in
            if let time = lastUses[page], childCounts[page.key] == nil { return time }
            dropped.append(page)
            return nil
        }
        queued.subtract(dropped)
        if let oldest { queued.remove(oldest) }
        return oldest
    }

    /// Returns true if a page's last known use was before a time.
    func isOlder(_ page: PageName, than time: Int64) -> Bool { lastUses[page].map { $0 < time } ?? false }

    /// Puts an entry that ``oldestEntry()`` gave back, as it was used since.
    mutating func putBack(_ page: PageName, usedAt time: Int64) {
        guard contains(page) else { return }
        touch(page, at: time)
        enqueue(page)
    }

    private func isEntry(_ page: PageName) -> Bool { childCounts[page.key] == nil }

    private mutating func enqueue(_ page: PageName) {
        guard queued.insert(page).inserted else { return }
        queue.insert(page, lastUse: lastUses[page] ?? 0)
    }
}
