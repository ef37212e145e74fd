/// Merges the symbols of a piece, always the pair of the lowest priority and of several the leftmost, until none
/// merges.
///
/// All ways to do it give the same result: short pieces are scanned for the best pair after every merge; long ones are
/// merged in passes while one pair is frequent, then with a heap, which bounds the time for n symbols by O(n log n).
final class SymbolMerger {
    /// The symbols: before merging those of the piece, after it the ones that are left.
    private(set) var ids: UnsafeMutablePointer<TokenID>
    /// The place in the piece at which each symbol starts, counted in the symbols it began with; kept only for rules
    /// that use it.
    private(set) var places: UnsafeMutablePointer<Int32>
    private var pairs: UnsafeMutablePointer<UInt64>
    private var next: UnsafeMutablePointer<Int32>
    private var previous: UnsafeMutablePointer<Int32>
    private var capacity: Int
    private var longCapacity = 0
    private var heap = MergeHeap()

    /// Pieces of more symbols than this are merged with a heap.
    static let shortLimit = 96
    /// The symbols whose memory is kept between pieces.
    private static let keptCapacity = 1 << 14

    init() {
        capacity = 128
        ids = .allocate(capacity: capacity)
        places = .allocate(capacity: capacity)
        pairs = .allocate(capacity: capacity)
        next = .allocate(capacity: 1)
        previous = .allocate(capacity: 1)
    }

    deinit {
        ids.deallocate()
        places.deallocate()
        pairs.deallocate()
        next.deallocate()
        previous.deallocate()
    }

    /// Makes room for `count` symbols.
    @inline(__always)
    func reserve(_ count: Int) {
        if count > capacity { grow(to: count) }
    }

    private func grow(to count: Int) {
        let size = max(count, min(capacity * 2, Self.keptCapacity))
        ids.deallocate()
        places.deallocate()
        pairs.deallocate()
        capacity = size
        ids = .allocate(capacity: size)
        places = .allocate(capacity: size)
        pairs = .allocate(capacity: size)
    }

    /// True if one long piece made it grow so far that it is better replaced.
    var isOversized: Bool { max(capacity, longCapacity) > Self.keptCapacity }

    /// Merges the first `count` of ``ids`` and returns how many symbols are left there.
    @inline(__always)
    func merge(_ count: Int, by rule: some PairRule) -> Int {
        count <= Self.shortLimit ? mergeShort(count, by: rule) : mergeLong(count, by: rule)
    }

    @inline(__always)
    private func mergeShort(_ initialCount: Int, by rule: some PairRule) -> Int {
        var count = initialCount
        let (ids, places, pairs) = (ids, places, pairs)
        let usesPlaces = type(of: rule).usesPlaces
        if usesPlaces {
            for index in 0...count { places[index] = Int32(truncatingIfNeeded: index) }
        }
        var index = 0
        while index + 1 < count {
            pairs[index] = rule.pair(index, ids[index], index + 1, ids[index + 1], index + 2)
            index += 1
        }
        while count > 1 {
            var best = MergeTable.none
            var at = 0
            for index in 0..<count - 1 where pairs[index] >> 32 < best >> 32 {
                best = pairs[index]
                at = index
            }
            if best == MergeTable.none { break }
            ids[at] = TokenID(truncatingIfNeeded: best)
            count -= 1
            // `places` has one entry more than there are symbols: where the last one ends.
            for index in at + 1..<max(count, at + 1) {
                ids[index] = ids[index + 1]
                if usesPlaces { places[index] = places[index + 1] }
            }
            if usesPlaces { places[count] = places[count + 1] }
            var later = at + 1
            while later < count - 1 {
                pairs[later] = pairs[later + 1]
                later += 1
            }
            if at > 0 { pairs[at - 1] = pair(at - 1, at, at + 1, rule) }
            if at < count - 1 { pairs[at] = pair(at, at + 1, at + 2, rule) }
        }
        return count
    }

    /// Returns the priority and the result of merging the neighbours `left` and `right`; the symbol after them is
    /// `after`.
    @inline(__always)
    private func pair(_ left: Int, _ right: Int, _ after: Int, _ rule: some PairRule) -> UInt64 {
        guard type(of: rule).usesPlaces else { return rule.pair(0, ids[left], 0, ids[right], 0) }
        return rule.pair(Int(places[left]), ids[left], Int(places[right]), ids[right], Int(places[after]))
    }

    @inline(never)
    private func mergeLong(_ initialCount: Int, by rule: some PairRule) -> Int {
        for index in 0...initialCount { places[index] = Int32(truncatingIfNeeded: index) }
        for index in 0..<initialCount {
            pairs[index] = index + 1 < initialCount ? pair(index, index + 1, index + 2, rule) : MergeTable.none
        }
        let count = mergeFrequentPairs(initialCount, by: rule)
        return mergeWithHeap(count, by: rule)
    }

    /// Merges all occurrences of the best pair in one pass, again and again until that is rarely many; returns how many
    /// symbols are left.
    ///
    /// A long run of one character is merged in a few passes.
    @inline(__always)
    private func mergeFrequentPairs(_ initialCount: Int, by rule: some PairRule) -> Int {
        var count = initialCount
        var rarePasses = 0
        while count > Self.shortLimit, rarePasses < 16 {
            var best = MergeTable.none
            for index in 0..<count - 1 where pairs[index] >> 32 < best >> 32 { best = pairs[index] }
            if best == MergeTable.none { break }
            let before = count
            count = mergeAll(best >> 32, count, by: rule)
            if before - count < before / 16 { rarePasses += 1 }
        }
        return count
    }

    /// One pass of ``mergeFrequentPairs(_:by:)``: merges the pairs of the best `priority` from left to right.
    ///
    /// A merge may make a pair that is as good or better: its turn comes before all others to the right, so it is
    /// merged at once.
    @inline(__always)
    private func mergeAll(_ priority: UInt64, _ count: Int, by rule: some PairRule) -> Int {
        var source = 0
        var target = 0
        // Whether the symbol before `target` has just been made, so that its pair is not known.
        var isNew = false
        while source < count {
            let old = pairs[source]
            let merges = source + 1 < count && old >> 32 == priority
            ids[target] = merges ? TokenID(truncatingIfNeeded: old) : ids[source]
            places[target] = places[source]
            source += merges ? 2 : 1
            // Where the symbol ends is where the next one, still unmerged, starts.
            places[target + 1] = places[source]
            if isNew || merges, target > 0 { pairs[target - 1] = pair(target - 1, target, target + 1, rule) }
            pairs[target] = old
            while merges {
                let left = target > 0 ? pairs[target - 1] : MergeTable.none
                let right = source < count ? pairAcross(target, source, rule) : MergeTable.none
                if left >> 32 <= min(priority, right >> 32) {
                    target -= 1
                    ids[target] = TokenID(truncatingIfNeeded: left)
                } else if right >> 32 <= priority {
                    ids[target] = TokenID(truncatingIfNeeded: right)
                    source += 1
                } else {
                    break
                }
                places[target + 1] = places[source]
                if target > 0 { pairs[target - 1] = pair(target - 1, target, target + 1, rule) }
            }
            isNew = merges
            target += 1
        }
        pairs[target - 1] = MergeTable.none
        return target
    }

    /// Returns the priority and the result of merging the symbol at `target` with the one at `source`, which has not
    /// moved up to it yet.
    @inline(__always)
    private func pairAcross(_ target: Int, _ source: Int, _ rule: some PairRule) -> UInt64 {
        guard type(of: rule).usesPlaces else { return rule.pair(0, ids[target], 0, ids[source], 0) }
        return rule.pair(
            Int(places[target]), ids[target], Int(places[source]), ids[source], Int(places[source + 1]))
    }

    @inline(__always)
    private func mergeWithHeap(_ count: Int, by rule: some PairRule) -> Int {
        if count > longCapacity {
            next.deallocate()
            previous.deallocate()
            next = .allocate(capacity: count)
            previous = .allocate(capacity: count)
            longCapacity = count
        }
        let (ids, places, pairs, next, previous) = (ids, places, pairs, next, previous)
        heap.removeAll()
        for index in 0..<count {
            next[index] = Int32(truncatingIfNeeded: index + 1)
            previous[index] = Int32(truncatingIfNeeded: index - 1)
            if pairs[index] != MergeTable.none { heap.append((pairs[index] >> 32) << 32 | UInt64(index)) }
        }
        heap.order()

        @inline(__always)
        func refresh(_ left: Int) {
            let right = Int(next[left])
            pairs[left] = right < count ? pair(left, right, Int(next[right]), rule) : MergeTable.none
            if pairs[left] != MergeTable.none { heap.insert((pairs[left] >> 32) << 32 | UInt64(left)) }
        }
        while let entry = heap.removeFirst() {
            let left = Int(UInt32(truncatingIfNeeded: entry))
            // An entry is stale unless the pair that starts there now has its priority.
            let pair = pairs[left]
            if pair == MergeTable.none || pair >> 32 != entry >> 32 { continue }
            let right = Int(next[left])
            ids[left] = TokenID(truncatingIfNeeded: pair)
            pairs[right] = MergeTable.none
            next[left] = next[right]
            if next[left] < count { previous[Int(next[left])] = Int32(truncatingIfNeeded: left) }
            refresh(left)
            if previous[left] >= 0 { refresh(Int(previous[left])) }
        }
        var kept = 0
        var index = 0
        while index < count {
            ids[kept] = ids[index]
            places[kept] = places[index]
            kept += 1
            index = Int(next[index])
        }
        return kept
    }
}
