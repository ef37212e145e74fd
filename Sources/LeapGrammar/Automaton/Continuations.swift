/// Continuations: numbered sets of return points, which say what follows after the value at hand.
///
/// A return point is a local state with the continuation that lies under it. Equal sets have equal numbers, so stacks
/// of alternatives share what they have in common.
struct Continuations {
    /// The continuation after which nothing follows.
    static let root: Int32 = 0

    private var table = SequenceInterner()
    private var costs: ContiguousArray<Int32> = []

    init() {
        _ = table.intern([])
        costs.append(0)
    }

    /// A rough size in bytes.
    var byteCount: Int { table.byteCount }

    /// Returns the continuation of one return point, and whether it is new; the cost of a new one is unreachable until
    /// ``setCost(_:_:)``.
    mutating func push(_ local: Int32, _ under: Int32) -> (id: Int32, isNew: Bool) {
        let (id, isNew) = withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2) { buffer in
            buffer[0] = local
            buffer[1] = under
            return table.intern(UnsafeBufferPointer(buffer))
        }
        if isNew { costs.append(TermStore.unreachable) }
        return (id, isNew)
    }

    /// Returns the continuation of several return points in any order, and whether it is new, as ``push(_:_:)``.
    mutating func join(_ entries: [(Int32, Int32)]) -> (id: Int32, isNew: Bool) {
        let sorted = entries.sorted { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }
        var flat: ContiguousArray<Int32> = []
        for (index, entry) in sorted.enumerated() where index == 0 || entry != sorted[index - 1] {
            flat.append(entry.0)
            flat.append(entry.1)
        }
        let (id, isNew) = table.intern(flat)
        if isNew { costs.append(TermStore.unreachable) }
        return (id, isNew)
    }

    /// The number of a continuation's return points.
    func entryCount(_ id: Int32) -> Int { table.range(id).count / 2 }

    /// One of a continuation's return points, and what lies under it; nil for the root.
    func firstEntry(_ id: Int32) -> (local: Int32, under: Int32)? {
        let range = table.range(id)
        return range.isEmpty ? nil : (table[range.lowerBound], table[range.lowerBound + 1])
    }

    /// The return points of a continuation, in order.
    func entries(_ id: Int32) -> [(Int32, Int32)] {
        let range = table.range(id)
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { (table[$0], table[$0 + 1]) }
    }

    /// The number of bytes to the end of the text from a continuation, at most.
    @inline(__always)
    func cost(_ id: Int32) -> Int32 { costs[Int(id)] }

    mutating func setCost(_ id: Int32, _ cost: Int32) { costs[Int(id)] = cost }
}
