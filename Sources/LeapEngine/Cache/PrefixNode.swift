import LeapCompute
import LeapTokenizer

/// A page in the tree of prefixes: at most 64 tokens, and the state of their positions.
final class PrefixNode {
    /// A length at which a sequence can leave the page although it holds more: what convolutions need to go on from
    /// there, or what recurrent layers need at any place.
    struct Checkpoint {
        /// Tokens of the page before it.
        let length: Int
        let inputs: StateTail
        var lastUse: Int64
    }

    /// The maximum number of checkpoints of a page; those that were not used for longest make way.
    static let maxCheckpoints = 4

    let tokens: ArraySlice<TokenID>
    /// The state; nil at the root.
    let page: StatePage?
    /// The page before; nil at the root, and for a node that was taken out of the tree.
    private(set) weak var parent: PrefixNode?
    private(set) var children: [ArraySlice<TokenID>: PrefixNode] = [:]
    private(set) var checkpoints: [Checkpoint] = []
    var lastUse: Int64 = 0
    /// True if the node waits in the queue of those that may be taken out.
    var isQueued = false

    /// A root.
    init() {
        tokens = []
        page = nil
    }

    /// A page that belongs to no tree yet.
    init(_ tokens: ArraySlice<TokenID>, _ page: StatePage) {
        // Copied: a slice would keep the whole sequence alive.
        self.tokens = ArraySlice(Array(tokens))
        self.page = page
    }

    /// Bytes of the page and of what is kept with it.
    var byteCount: Int { checkpoints.reduce(page?.byteCount ?? 0) { $0 + $1.inputs.byteCount } }

    /// True if the prefix that ends here is no prefix of another one.
    var isEntry: Bool { children.isEmpty && parent != nil }

    /// True if prefixes begin behind it.
    var isRoot: Bool { page == nil }

    // MARK: Finding

    /// Returns the number of its first tokens that are those of a sequence.
    func sharedLength(_ sequence: ArraySlice<TokenID>) -> Int {
        var length = 0
        for (own, other) in zip(tokens, sequence) {
            guard own == other else { break }
            length += 1
        }
        return length
    }

    /// The last checkpoint of at most `length` tokens.
    func checkpoint(atMost length: Int) -> Int? {
        checkpoints.indices.filter { checkpoints[$0].length <= length }.max {
            checkpoints[$0].length < checkpoints[$1].length
        }
    }

    /// Notes that a checkpoint is used, and gives its inputs.
    func use(checkpoint index: Int, at time: Int64) -> StateTail {
        checkpoints[index].lastUse = time
        return checkpoints[index].inputs
    }

    // MARK: Changing

    /// Adds a page behind this one.
    func add(_ child: PrefixNode) {
        children[child.tokens] = child
        child.parent = self
    }

    /// Takes the node out of the tree.
    func remove() {
        parent?.children[tokens] = nil
        parent = nil
    }

    /// Takes every node below out, without recursion: a long sequence is a deep tree.
    func removeDescendants() {
        var pending = Array(children.values)
        children.removeAll()
        while let node = pending.popLast() {
            pending += node.children.values
            node.children.removeAll()
            node.parent = nil
        }
    }

    /// Keeps checkpoints; of those at one length the one that is there stays.
    func keep(_ added: [Checkpoint]) {
        for checkpoint in added where !checkpoints.contains(where: { $0.length == checkpoint.length }) {
            checkpoints.append(checkpoint)
        }
        while checkpoints.count > Self.maxCheckpoints {
            // Without the one at its end a page that is not full could not be continued at all.
            let candidates = checkpoints.indices.filter { checkpoints[$0].length < tokens.count }
            guard let oldest = candidates.min(by: { checkpoints[$0].lastUse < checkpoints[$1].lastUse }) else { return }
            checkpoints.remove(at: oldest)
        }
    }
}
