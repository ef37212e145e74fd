/// A set of byte strings with token ids as a prefix tree, flattened depth first: a subtree is a run of nodes.
struct TokenTrie: Sendable {
    struct Node {
        /// Token that ends here; −1: none.
        ///
        /// Further tokens of equal bytes are in `duplicates`.
        var token: Int32
        /// Index after the subtree.
        var end: Int32
        /// The number of tokens before this node in depth-first order.
        var tokenStart: Int32
        /// Index into `signatures`: all bytes below this node; −1 for small subtrees.
        var signature: Int32
        var byte: UInt8
        var depth: UInt16
    }

    struct Child {
        var node: Int32
        var byte: UInt8
    }

    private(set) var nodes: ContiguousArray<Node> = []
    /// The children of all nodes, those of one node side by side: a walk looks at their bytes without touching them.
    private(set) var children: ContiguousArray<Child> = []
    /// The index of each node's first child, and at the end the number of all children.
    private(set) var childStarts: ContiguousArray<Int32> = []
    /// Tokens in depth-first order.
    private(set) var tokens: ContiguousArray<Int32> = []
    private(set) var signatures: ContiguousArray<ByteSet> = []
    /// (token in the tree, other token of the same bytes).
    private(set) var duplicates: [(Int32, Int32)] = []
    private(set) var maximumDepth = 0
    private static let signatureSize = 8

    /// Builds the tree.
    ///
    /// Empty strings become tokens of the root.
    init(_ entries: [(bytes: ArraySlice<UInt8>, token: Int32)]) {
        let order = entries.indices.sorted { a, b in
            let x = entries[a].bytes
            let y = entries[b].bytes
            return x.withUnsafeBufferPointer { x in
                y.withUnsafeBufferPointer { y in
                    let common = min(x.count, y.count)
                    for index in 0..<common where x[index] != y[index] { return x[index] < y[index] }
                    return x.count != y.count ? x.count < y.count : entries[a].token < entries[b].token
                }
            }
        }
        nodes.append(Node(token: -1, end: 0, tokenStart: 0, signature: -1, byte: 0, depth: 0))
        var path: [Int] = [0]
        var previous: ArraySlice<UInt8> = []
        for index in order {
            let (bytes, token) = entries[index]
            var common = 0
            while common < min(bytes.count, previous.count),
                bytes[bytes.startIndex + common] == previous[previous.startIndex + common]
            {
                common += 1
            }
            while path.count > common + 1, let node = path.popLast() { nodes[node].end = Int32(nodes.count) }
            for depth in common..<bytes.count {
                path.append(nodes.count)
                nodes.append(
                    Node(
                        token: -1, end: 0, tokenStart: Int32(tokens.count), signature: -1,
                        byte: bytes[bytes.startIndex + depth], depth: UInt16(depth + 1)))
            }
            maximumDepth = max(maximumDepth, bytes.count)
            let last = path[path.count - 1]
            if nodes[last].token >= 0 {
                duplicates.append((nodes[last].token, token))
            } else {
                nodes[last].token = token
                tokens.append(token)
            }
            previous = bytes
        }
        while let node = path.popLast() { nodes[node].end = Int32(nodes.count) }
        sign()
        listChildren()
    }

    private mutating func listChildren() {
        children.reserveCapacity(nodes.count)
        childStarts.reserveCapacity(nodes.count + 1)
        for index in nodes.indices {
            childStarts.append(Int32(children.count))
            var next = index + 1
            while next < Int(nodes[index].end) {
                children.append(Child(node: Int32(next), byte: nodes[next].byte))
                next = Int(nodes[next].end)
            }
        }
        childStarts.append(Int32(children.count))
    }

    /// Notes, for large subtrees, which bytes occur below their root.
    private mutating func sign() {
        var below = [ByteSet](repeating: ByteSet(), count: maximumDepth + 2)
        for index in nodes.indices.reversed() {
            let node = nodes[index]
            let depth = Int(node.depth)
            if Int(node.end) - index > Self.signatureSize {
                nodes[index].signature = Int32(signatures.count)
                signatures.append(below[depth + 1])
            }
            if depth > 0 {
                below[depth].formUnion(below[depth + 1])
                below[depth].insert(node.byte)
            }
            below[depth + 1] = ByteSet()
        }
    }

    /// Number of tokens below and at a node.
    func tokenRange(_ index: Int) -> Range<Int> {
        let end = Int(nodes[index].end)
        return Int(nodes[index].tokenStart)..<(end < nodes.count ? Int(nodes[end].tokenStart) : tokens.count)
    }

    /// The child of a node by a byte; −1 where there is none.
    func child(_ index: Int, _ byte: UInt8) -> Int {
        var low = Int(childStarts[index])
        let end = Int(childStarts[index + 1])
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if children[middle].byte < byte { low = middle + 1 } else { high = middle }
        }
        return low < end && children[low].byte == byte ? Int(children[low].node) : -1
    }
}
