/// The bytes of a file that are there: ranges in order, none touching another.
package struct ExtentSet: Sendable, Equatable {
    package private(set) var ranges: [Range<Int64>] = []

    package init() {}

    /// Bytes in all.
    package var count: Int64 { ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } }

    /// Bytes from the file's start up to the first gap.
    package var frontier: Int64 {
        guard let first = ranges.first, first.lowerBound == 0 else { return 0 }
        return first.upperBound
    }

    package mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        var merged = range
        // The first range that ends at or after the new one's start.
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        var end = low
        while end < ranges.count, ranges[end].lowerBound <= merged.upperBound {
            merged = min(merged.lowerBound, ranges[end].lowerBound)..<max(merged.upperBound, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(low..<end, with: CollectionOfOne(merged))
    }

    package mutating func remove(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        ranges = ranges.flatMap { held -> [Range<Int64>] in
            guard held.overlaps(range) else { return [held] }
            var rest: [Range<Int64>] = []
            if held.lowerBound < range.lowerBound { rest.append(held.lowerBound..<range.lowerBound) }
            if range.upperBound < held.upperBound { rest.append(range.upperBound..<held.upperBound) }
            return rest
        }
    }

    /// The bytes of 0..<size that are not there.
    package func missing(size: Int64) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var position: Int64 = 0
        for range in ranges {
            if range.lowerBound > position { gaps.append(position..<min(range.lowerBound, size)) }
            position = max(position, range.upperBound)
        }
        if position < size { gaps.append(position..<size) }
        return gaps.filter { !$0.isEmpty }
    }
}
