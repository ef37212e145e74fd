/// The caches that masks are made from.
struct MaskCaches {
    /// Masks of states.
    var states = MaskCache()
    /// Tokens with which strings go on.
    var inside = InsideMaskCache()
    /// Long tokens of states.
    var long = LongTokenCache()
    /// Tokens that would close an undeclared key as a declared one.
    var declared = DeclaredTokenCache()

    /// A rough size in bytes.
    var byteCount: Int { states.byteCount + inside.byteCount + long.byteCount }
    /// The number of nodes of token trees that were looked at for masks so far.
    private(set) var visitedNodes = 0

    mutating func countVisits(_ nodes: Int) { visitedNodes += nodes }
}

/// The tokens with which strings go on, by the local state inside the string.
struct InsideMaskCache {
    /// Tokens as a mask, and the largest closing cost after one.
    struct CachedMask {
        var words: [UInt64]
        var cost: Int32
    }

    private var entries: [Int32: CachedMask] = [:]
    private static let capacity = 256

    /// A rough size in bytes.
    var byteCount: Int { entries.values.reduce(0) { $0 + $1.words.count * 8 } }

    func find(_ local: Int32) -> CachedMask? { entries[local] }

    /// Keeps an entry, after forgetting all others where there are many.
    mutating func keep(_ local: Int32, _ entry: CachedMask) {
        if entries.count >= Self.capacity { entries.removeAll() }
        entries[local] = entry
    }
}

/// The tokens that would close an undeclared key as a declared one, by the declared keys that may still follow.
struct DeclaredTokenCache {
    /// The declared keys of an object that begin like what was read.
    struct Key: Hashable {
        var object: Int32
        var first: Int32
        var end: Int32
        var depth: Int32
    }

    private var entries: [Key: [Int32]] = [:]
    private static let capacity = 1_000

    func find(_ key: Key) -> [Int32]? { entries[key] }

    /// Keeps a list of tokens, after forgetting all others where there are many.
    mutating func keep(_ key: Key, _ tokens: [Int32]) {
        if entries.count >= Self.capacity { entries.removeAll() }
        entries[key] = tokens
    }
}
