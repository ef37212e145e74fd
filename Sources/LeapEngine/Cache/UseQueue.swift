/// Items by when they were last used: taking out the oldest takes logarithmic time, and noting a use takes none.
///
/// The queue knows of an item only when it was used at the time it was put in. What came later is asked for when the
/// item comes up, and moves it back.
struct UseQueue<Item> {
    private var heap: [(time: Int64, item: Item)] = []

    /// Puts an item in that is not in the queue.
    mutating func insert(_ item: Item, lastUse: Int64) {
        heap.append((lastUse, item))
        var index = heap.count - 1
        while index > 0, heap[index].time < heap[(index - 1) / 2].time {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Takes out the item that was not used for longest.
    ///
    /// - Parameter lastUse: when an item was really used last, not before the time it was put in with; nil leaves it
    ///   out for good.
    mutating func removeOldest(lastUse: (Item) -> Int64?) -> Item? {
        while let first = heap.first {
            if let time = lastUse(first.item) {
                guard time > first.time else { return removeFirst() }
                heap[0].time = time
                moveDown()
            } else {
                _ = removeFirst()
            }
        }
        return nil
    }

    /// Takes everything out.
    mutating func removeAll() { heap.removeAll() }

    private mutating func removeFirst() -> Item? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            moveDown()
        }
        return first.item
    }

    /// Moves the first item to its place.
    private mutating func moveDown() {
        var index = 0
        while true {
            var earliest = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].time < heap[earliest].time {
                earliest = child
            }
            guard earliest != index else { return }
            heap.swapAt(index, earliest)
            index = earliest
        }
    }
}

extension UseQueue: Sendable where Item: Sendable {}
