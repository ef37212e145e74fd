/// Prefix trees of finite sets of texts, shared by all terms of a store.
struct LiteralTries: Sendable {
    struct Node: Sendable {
        var isTerminal: Bool
        /// Shortest JSON spelling from here to the end of a text, in bytes.
        var cost: Int32
        var firstChild: Int32
        var childCount: Int32
        /// Points of the longest text from here on.
        var height: Int32
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
        // In order, each text shares a path with the one before it: what is left of that path is complete then.
        var open = [Open()]
        var previous: [UInt32] = []
        for text in texts.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            var common = 0
            while common < previous.count, common < text.count, previous[common] == text[common] { common += 1 }
            close(&open, downTo: common, previous)
            for _ in common..<text.count { open.append(Open()) }
            open[text.count].isTerminal = true
            previous = text
        }
        close(&open, downTo: 0, previous)
        return add(isTerminal: open[0].isTerminal, points: open[0].points, children: open[0].children)
    }

    /// A node whose children are not all known yet.
    private struct Open {
        var isTerminal = false
        var points: [UInt32] = []
        var children: [Int32] = []
    }

    /// Makes the nodes deeper than `depth` on the path of a text.
    private mutating func close(_ open: inout [Open], downTo depth: Int, _ text: [UInt32]) {
        while open.count > depth + 1, let last = open.popLast() {
            let node = add(isTerminal: last.isTerminal, points: last.points, children: last.children)
            open[open.count - 1].points.append(text[open.count - 1])
            open[open.count - 1].children.append(node)
        }
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
                childCount: Int32(points.count), height: 1 + (children.map { nodes[Int($0)].height }.max() ?? -1)))
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

    /// The node of the texts of both; what only one of them has is kept as it is.
    mutating func union(_ a: Int32, _ b: Int32, _ work: inout WorkBudget) -> Int32 {
        if a == b || b < 0 { return a }
        if a < 0 { return b }
        if min(self[a].height, self[b].height) > Self.greatestDepth {
            let both = texts(a) + texts(b)
            work.spend(both.reduce(both.count >> 3) { $0 + $1.count >> 2 })
            return work.isExhausted ? -1 : build(both)
        }
        var children: [Int32] = []
        var points: [UInt32] = []
        var (i, j) = (Int(self[a].firstChild), Int(self[b].firstChild))
        let (mine, theirs) = (i + Int(self[a].childCount), j + Int(self[b].childCount))
        work.spend(1 + (mine - i + theirs - j) >> 4)
        while i < mine || j < theirs {
            let takesMine = j >= theirs || i < mine && childPoints[i] <= childPoints[j]
            let takesTheirs = i >= mine || j < theirs && childPoints[j] <= childPoints[i]
            points.append(childPoints[takesMine ? i : j])
            children.append(
                union(takesMine ? childNodes[i] : -1, takesTheirs ? childNodes[j] : -1, &work))
            if takesMine { i += 1 }
            if takesTheirs { j += 1 }
        }
        return add(isTerminal: self[a].isTerminal || self[b].isTerminal, points: points, children: children)
    }

    /// Deeper trees are joined text by text.
    private static let greatestDepth: Int32 = 400

    /// Rough size in bytes.
    var byteCount: Int { nodes.count * 150 + childPoints.count * 24 }
}
