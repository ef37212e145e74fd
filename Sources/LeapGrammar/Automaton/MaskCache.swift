/// Masks of states, the newest few hundred.
struct MaskCache {
    private var index: [Int32: Int] = [:]
    private var storage: [UInt64] = []
    private var costs: [Int32] = []
    private var used = 0
    private static let capacity = 256

    var byteCount: Int { storage.count * 8 + index.count * 24 }

    /// The slot of a state's mask, and the largest closing cost after any of its tokens; nil where there is no mask.
    func find(_ state: Int32) -> (slot: Int, cost: Int32)? { index[state].map { ($0, costs[$0]) } }

    /// A cleared slot for a state's mask.
    mutating func add(_ state: Int32, wordCount: Int) -> Int {
        if used == Self.capacity {
            index.removeAll(keepingCapacity: true)
            used = 0
        }
        let slot = used
        used += 1
        if costs.count <= slot {
            costs.append(0)
            storage.append(contentsOf: repeatElement(0, count: wordCount))
        } else {
            for word in slot * wordCount..<(slot + 1) * wordCount { storage[word] = 0 }
        }
        index[state] = slot
        return slot
    }

    /// Sets the largest closing cost after any token of a slot's mask.
    mutating func setCost(_ slot: Int, _ cost: Int32) { costs[slot] = cost }

    /// Runs with the words of a slot's mask.
    mutating func withMask<R>(_ slot: Int, wordCount: Int, _ body: (UnsafeMutablePointer<UInt64>) -> R) -> R? {
        storage.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map { body($0 + slot * wordCount) } }
    }
}
