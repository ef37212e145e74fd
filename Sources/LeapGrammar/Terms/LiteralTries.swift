/// Prefix trees of finite sets of texts, shared by all terms of a store.
struct LiteralTries: Sendable {
    struct Node: Sendable {
        var isTerminal: Bool
        /// Shortest JSON spelling from here to the end of a text, in bytes.
        var cost: Int32
        var firstChild: Int32
        var childCount: Int32
        var isLeaf: Bool { childCount == 0 }
    }

    /// Each point costs one byte (byte tries) instead of its JSON spelling.
    let countsBytes: Bool

    init(countsBytes: Bool = false) { self.countsBytes = countsBytes }

    private var nodes: ContiguousArray<Node> = []
    private var childPoints: ContiguousArray<UInt32> = []
    private var childNodes: ContiguousArray<Int32> = []
    private var known: [NodeKey: Int32] = [:]

    private struct NodeKey: Hashable {
        var isTerminal: Bool
        var children: [Int32]
        var points: [UInt32]
    }

    subscript(node: Int32) -> Node { nodes[Int(node)] }

    /// The node of a set of texts; −1 for the empty set.
    ///
    /// Equal sets give equal nodes.
    mutating func build(_ texts: [[UInt32]]) -> Int32 {
        if texts.isEmpty { return -1 }
        let sorted = texts.sorted { $0.lexicographicallyPrecedes($1) }
        return build(sorted[...], depth: 0)
    }

    private mutating func build(_ texts: ArraySlice<[UInt32]>, depth: Int) -> Int32 {
        // A chain of single texts is built from its end, so that long texts need no deep recursion.
        if texts.count == 1 || texts.first == texts.last {
            let text = texts[texts.startIndex]
            var node = add(isTerminal: true, points: [], children: [])
            for point in text[min(depth, text.count)...].reversed() {
                node = add(isTerminal: false, points: [point], children: [node])
            }
            return node
        }
        // The common prefix of all (texts are sorted) goes the same way.
        let first = texts[texts.startIndex]
        let last = texts[texts.endIndex - 1]
        var common = depth
        while common < first.count, common < last.count, first[common] == last[common] { common += 1 }
        var points: [UInt32] = []
        var children: [Int32] = []
        var isTerminal = false
        var start = texts.startIndex
        while start < texts.endIndex {
            guard texts[start].count > common else {
                isTerminal = true
                start += 1
                continue
            }
            let point = texts[start][common]
            var end = start + 1
            while end < texts.endIndex, texts[end][common] == point { end += 1 }
            points.append(point)
            children.append(build(texts[start..<end], depth: common + 1))
            start = end
        }
        var node = add(isTerminal: isTerminal, points: points, children: children)
        for index in stride(from: common - 1, through: depth, by: -1) {
            node = add(isTerminal: false, points: [first[index]], children: [node])
        }
        return node
    }

    private mutating func add(isTerminal: Bool, points: [UInt32], children: [Int32]) -> Int32 {
        let key = NodeKey(isTerminal: isTerminal, children: children, points: points)
        if let id = known[key] { return id }
        var cost: Int32 = isTerminal ? 0 : .max
        for (point, child) in zip(points, children) {
            let step = countsBytes ? 1 : Int32(CodePointSet.spellingCost(of: point))
            cost = min(cost, step + nodes[Int(child)].cost)
        }
        let id = Int32(nodes.count)
        nodes.append(
            Node(
                isTerminal: isTerminal, cost: cost, firstChild: Int32(childPoints.count),
                childCount: Int32(points.count)))
        childPoints += points
        childNodes += children
        known[key] = id
        return id
    }

    func points(_ node: Int32) -> ArraySlice<UInt32> {
        let start = Int(nodes[Int(node)].firstChild)
        return ArraySlice(childPoints[start..<start + Int(nodes[Int(node)].childCount)])
    }

    /// The child by a code point; −1 where there is none.
    func child(_ node: Int32, _ point: UInt32) -> Int32 {
        var low = Int(nodes[Int(node)].firstChild)
        let end = low + Int(nodes[Int(node)].childCount)
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if childPoints[middle] < point { low = middle + 1 } else { high = middle }
        }
        return low < end && childPoints[low] == point ? childNodes[low] : -1
    }

    /// All texts below a node.
    func texts(_ node: Int32) -> [[UInt32]] {
        var result: [[UInt32]] = []
        var stack: [(Int32, [UInt32])] = [(node, [])]
        while let (current, prefix) = stack.popLast() {
            let info = nodes[Int(current)]
            if info.isTerminal { result.append(prefix) }
            for offset in 0..<Int(info.childCount) {
                let index = Int(info.firstChild) + offset
                stack.append((childNodes[index], prefix + [childPoints[index]]))
            }
        }
        return result
    }

    mutating func union(_ nodes: [Int32]) -> Int32 { build(nodes.flatMap { texts($0) }) }
}
