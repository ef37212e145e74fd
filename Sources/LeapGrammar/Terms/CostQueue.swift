/// A binary heap of numbers by cost.
struct CostQueue {
    private var heap: [(cost: Int, id: Int32)] = []

    mutating func push(_ cost: Int, _ id: Int32) {
        heap.append((cost, id))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if heap[parent].cost <= heap[child].cost { break }
            heap.swapAt(parent, child)
            child = parent
        }
    }

    mutating func pop() -> (cost: Int, id: Int32)? {
        guard let top = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return top }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].cost < heap[least].cost {
                least = child
            }
            if least == parent { return top }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
