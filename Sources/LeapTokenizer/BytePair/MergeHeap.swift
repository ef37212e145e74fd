/// A heap of 64-bit entries, the smallest first; four children to a node, to touch few cache lines.
struct MergeHeap {
    private var entries: ContiguousArray<UInt64> = []

    /// Empties the heap.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: entries.capacity <= 1 << 14)
    }

    /// Adds an entry without ordering it; ``order()`` must follow.
    @inline(__always)
    mutating func append(_ entry: UInt64) { entries.append(entry) }

    /// Makes a heap of the entries appended: O(n).
    mutating func order() {
        guard entries.count > 1 else { return }
        for index in stride(from: (entries.count - 2) / 4, through: 0, by: -1) { sink(entries[index], from: index) }
    }

    /// Adds an entry.
    @inline(__always)
    mutating func insert(_ entry: UInt64) {
        entries.append(entry)
        entries.withUnsafeMutableBufferPointer { entries in
            var index = entries.count - 1
            while index > 0 {
                let parent = (index - 1) / 4
                if entries[parent] <= entry { break }
                entries[index] = entries[parent]
                index = parent
            }
            entries[index] = entry
        }
    }

    /// Takes out the smallest entry.
    @inline(__always)
    mutating func removeFirst() -> UInt64? {
        guard let last = entries.popLast() else { return nil }
        guard let first = entries.first else { return last }
        sink(last, from: 0)
        return first
    }

    @inline(__always)
    private mutating func sink(_ entry: UInt64, from start: Int) {
        entries.withUnsafeMutableBufferPointer { entries in
            var index = start
            while true {
                let child = index * 4 + 1
                if child >= entries.count { break }
                var smallest = child
                for other in child + 1..<max(min(child + 4, entries.count), child + 1)
                where entries[other] < entries[smallest] {
                    smallest = other
                }
                if entries[smallest] >= entry { break }
                entries[index] = entries[smallest]
                index = smallest
            }
            entries[index] = entry
        }
    }
}
