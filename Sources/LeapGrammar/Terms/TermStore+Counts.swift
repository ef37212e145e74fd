extension TermStore {
    /// Returns the least number of texts that a language has; at most `limit`.
    ///
    /// Exact below the limit, unless the language takes very long to read.
    mutating func textCount(_ id: ID, limit: Int32) -> Int32 {
        if id == Self.empty { return 0 }
        if id == Self.all { return limit }
        if let known = textCounts[id] { return min(known, limit) }
        // Ways to be in each language after so many characters: each way is a text of its own.
        var ways: [ID: Int32] = [id: 1]
        var count: Int32 = 0
        var work = 0
        while !ways.isEmpty, count < limit, work < 1_200 {
            var next: [ID: Int32] = [:]
            for (term, number) in ways {
                if self[term].isNullable { count = Self.capped(count, number, limit) }
                let live = live(term)
                for cell in cells(term) where live.contains(cell.lowerBound) {
                    work += 1
                    let target = derivative(term, cell.lowerBound)
                    let size = Int32(min(cell.upperBound - cell.lowerBound + 1, UInt32(limit)))
                    let (product, overflow) = number.multipliedReportingOverflow(by: size)
                    next[target] = Self.capped(next[target] ?? 0, overflow ? limit : product, limit)
                }
            }
            // All that is alive has an end of its own.
            let alive = next.values.reduce(Int32(0)) { Self.capped($0, $1, limit) }
            if Self.capped(count, alive, limit) == limit { count = limit }
            ways = next
        }
        if !ways.isEmpty { count = max(count, 1) }
        if textCounts.count > 4_096 { textCounts.removeAll() }
        textCounts[id] = count
        return count
    }

    private static func capped(_ a: Int32, _ b: Int32, _ limit: Int32) -> Int32 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? limit : min(sum, limit)
    }
}
