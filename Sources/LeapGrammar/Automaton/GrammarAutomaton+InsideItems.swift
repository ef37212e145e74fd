/// Inside an item that must differ from others, most tokens neither end it nor leave few values for it: the state alone
/// tells that, and only the others are read with the ledger.
extension GrammarAutomaton {
    /// Takes out of a mask the tokens that would end an item like an earlier one, or leave no other, where containers
    /// have to end before the item does.
    mutating func removeInside(
        _ position: Position, _ depth: Int, _ vocabulary: VocabularyIndex, isSet: (Int32) -> Bool,
        remove: (Int32) -> Void
    ) {
        let trie = vocabulary.trie
        guard let ledger = position.ledger else { return }
        let used = ledger.usedCount
        var stack: [(node: Int, state: Int32, content: ItemContent)] = [
            (0, position.state, ItemContent(isInKey: ledger.place == .key))
        ]
        while let (node, state, content) = stack.popLast() {
            let bytes = bytes(ofState: state)
            for index in Int(trie.childStarts[node])..<Int(trie.childStarts[node + 1]) {
                let child = trie.children[index]
                guard bytes.contains(child.byte) else { continue }
                let next = step(state, Int(child.byte))
                if next < 0 { continue }
                let below = Int(child.node)
                var content = content
                content.read(child.byte)
                let token = trie.nodes[below].token
                if token >= 0, isSet(token), content.mayRepeat(depth) || Int(room(next)) <= used + content.count,
                    !isAlive(after: token, position, vocabulary)
                {
                    remove(token)
                }
                if trie.childStarts[below] < trie.childStarts[below + 1] { stack.append((below, next, content)) }
            }
        }
    }

    /// True if the state alone tells that a token can come in conflict with nothing that was written.
    mutating func isHarmless(_ token: Int32, _ position: Position, _ vocabulary: VocabularyIndex) -> Bool {
        guard let ledger = position.ledger, let depth = ledger.itemDepth, depth > 0 else { return false }
        var content = ItemContent(isInKey: ledger.place == .key)
        var state = position.state
        for byte in vocabulary.vocabulary.bytes(of: token) {
            content.read(byte)
            if content.mayRepeat(depth) { return false }
            state = step(state, Int(byte))
            if state < 0 { return false }
        }
        return Int(room(state)) > ledger.usedCount + content.count
    }
}

/// The part of a token's content that matters to the values around it.
struct ItemContent {
    private(set) var count = 0
    private var closers = 0
    private var quotes: Int
    private var opensList = false
    private var separates = false

    /// Creates the content of no bytes; a key that is open already needs one quotation mark less.
    init(isInKey: Bool) { quotes = isInKey ? 1 : 0 }

    mutating func read(_ byte: UInt8) {
        count += 1
        switch byte {
        case UInt8(ascii: "}"), UInt8(ascii: "]"): closers += 1
        case UInt8(ascii: "\""): quotes += 1
        case UInt8(ascii: "["): opensList = true
        case UInt8(ascii: ","): separates = true
        default: break
        }
    }

    /// True if the bytes may end an item in so many containers, or hold a whole key or several items of their own.
    func mayRepeat(_ depth: Int) -> Bool { closers >= depth || quotes >= 2 || opensList && separates }
}
