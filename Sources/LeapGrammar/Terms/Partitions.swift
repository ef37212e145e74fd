/// Ways to cut the code points into ranges, each kept once.
struct Partitions: Sendable {
    /// Everything in one range, but for the surrogates.
    static let whole: Int32 = 0

    private var table: [[UInt32]] = [[0, 0xD800, 0xE000]]
    private var index: [[UInt32]: Int32] = [[0, 0xD800, 0xE000]: 0]
    private var known: [Int64: Int32] = [:]
    private(set) var byteCount = 0

    subscript(id: Int32) -> [UInt32] { table[Int(id)] }

    /// The ranges of a set and those between them.
    mutating func of(_ set: CodePointSet, _ work: inout WorkBudget) -> Int32 {
        var bounds: [UInt32] = []
        bounds.reserveCapacity(set.ranges.count * 2)
        for range in set.ranges {
            bounds.append(range.lowerBound)
            if range.upperBound < 0x10FFFF { bounds.append(range.upperBound + 1) }
        }
        return intern(Self.merge(bounds, table[0]), &work)
    }

    /// The ranges on which both are constant.
    mutating func merged(_ a: Int32, _ b: Int32, _ work: inout WorkBudget) -> Int32 {
        if a == b || b == Self.whole { return a }
        if a == Self.whole { return b }
        let key = Int64(min(a, b)) << 32 | Int64(max(a, b))
        if let result = known[key] { return result }
        let result = intern(Self.merge(table[Int(a)], table[Int(b)]), &work)
        known[key] = result
        byteCount += 32
        return result
    }

    private mutating func intern(_ bounds: [UInt32], _ work: inout WorkBudget) -> Int32 {
        work.spend(1 + bounds.count >> 4)
        if let id = index[bounds] { return id }
        let id = Int32(table.count)
        table.append(bounds)
        index[bounds] = id
        byteCount += 80 + bounds.count * 4
        return id
    }

    private static func merge(_ a: [UInt32], _ b: [UInt32]) -> [UInt32] {
        var result: [UInt32] = []
        result.reserveCapacity(a.count + b.count)
        var (i, j) = (0, 0)
        while i < a.count || j < b.count {
            let takesFirst = j >= b.count || i < a.count && a[i] <= b[j]
            let next = takesFirst ? a[i] : b[j]
            if takesFirst { i += 1 } else { j += 1 }
            if result.last != next { result.append(next) }
        }
        return result
    }
}
