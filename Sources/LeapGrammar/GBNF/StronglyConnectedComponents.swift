/// Groups of a graph's nodes that reach one another.
enum StronglyConnectedComponents {
    /// The groups, each after those that it leads to (Tarjan's algorithm, without recursion).
    static func groups(_ edges: [[Int]]) -> [[Int]] {
        var order = [Int](repeating: -1, count: edges.count)
        var low = order
        var isOpen = [Bool](repeating: false, count: edges.count)
        var open: [Int] = []
        var found: [[Int]] = []
        var next = 0
        for first in edges.indices where order[first] < 0 {
            var path: [(node: Int, edge: Int)] = [(first, 0)]
            while let (node, edge) = path.last {
                if order[node] < 0 {
                    order[node] = next
                    low[node] = next
                    next += 1
                    open.append(node)
                    isOpen[node] = true
                }
                if edge < edges[node].count {
                    path[path.count - 1].edge += 1
                    let other = edges[node][edge]
                    if order[other] < 0 {
                        path.append((other, 0))
                    } else if isOpen[other] {
                        low[node] = min(low[node], order[other])
                    }
                    continue
                }
                path.removeLast()
                if let above = path.last { low[above.node] = min(low[above.node], low[node]) }
                guard low[node] == order[node] else { continue }
                var group: [Int] = []
                while let last = open.popLast() {
                    isOpen[last] = false
                    group.append(last)
                    if last == node { break }
                }
                found.append(group)
            }
        }
        return found
    }
}
