/// A parser position without its surroundings: what may come next until the value at hand ends.
///
/// Together with a continuation (where to go on after the value) it makes a configuration; several configurations at
/// once make a state of the ``GrammarAutomaton``.
struct LocalState {
    enum Kind: Int32 {
        /// Nothing more: the value has ended.
        case done
        /// Before a value. a: node.
        case value
        /// In a literal. a: node of the byte trie.
        case literal
        /// In a number. a: automaton, b: its state.
        case number
        /// In a JSON string. a: term, b: escape or UTF-8 position.
        case string
        /// In plain text. a: term, b: UTF-8 position.
        case text
        /// After `{`. a: object state, b: white space.
        case objectOpen
        /// After a comma in an object. a: object state, b: white space.
        case objectComma
        /// In a declared key. a: object state; b, c: range of spellings; d: bytes read.
        case declaredKey
        /// In an undeclared key. a: object state, b: class (or ``textOnly``), c: term, d: escape, e: exclusion (first,
        /// end, depth).
        case freeKey
        /// Before the colon. a: object state after the key, b: node of the value.
        case colon
        /// Before a property's value. a, b as `colon`, c: white space.
        case propertyValue
        /// After a property's value. a: object state, b: white space.
        case objectNext
        /// After `[`. a: array state, b: white space.
        case arrayOpen
        /// After a comma in an array. a: array state, b: white space.
        case arrayComma
        /// In an item of an array of unique values. a: array state; b, c: range of spellings; d: bytes read.
        case uniqueItem
        /// After an item. a: array state, b: white space.
        case arrayNext
        /// At a symbol of a rule. a: rule, b: alternative, c: symbol, d: progress inside the symbol.
        case rule
        /// In free text before a trigger. a: trigger set, b: its automaton's state; c…e: as `rule`, what follows.
        case free
    }

    /// In place of a class of undeclared keys: the text of a key, with nothing after it.
    static let textOnly: Int32 = -1

    private var code: Int32
    var a: Int32 = 0
    var b: Int32 = 0
    var c: Int32 = 0
    var d: Int32 = 0
    var e: Int32 = 0
    var f: Int32 = 0
    var g: Int32 = 0

    var kind: Kind { Kind(rawValue: code) ?? .done }

    init(
        kind: Kind, a: Int32 = 0, b: Int32 = 0, c: Int32 = 0, d: Int32 = 0, e: Int32 = 0, f: Int32 = 0, g: Int32 = 0
    ) {
        code = kind.rawValue
        (self.a, self.b, self.c, self.d, self.e, self.f, self.g) = (a, b, c, d, e, f, g)
    }

    /// The state as eight integers.
    func withIntegers<R>(_ body: (UnsafeBufferPointer<Int32>) -> R) -> R {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 8) { buffer in
            buffer[0] = code
            buffer[1] = a
            buffer[2] = b
            buffer[3] = c
            buffer[4] = d
            buffer[5] = e
            buffer[6] = f
            buffer[7] = g
            return body(UnsafeBufferPointer(buffer))
        }
    }
}

/// 256 bits: which bytes may come.
struct ByteSet: Sendable, Equatable {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    static func == (a: ByteSet, b: ByteSet) -> Bool { a.words == b.words }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let bit = UInt64(1) << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: return words.0 & bit != 0
        case 1: return words.1 & bit != 0
        case 2: return words.2 & bit != 0
        default: return words.3 & bit != 0
        }
    }

    @inline(__always)
    mutating func insert(_ byte: UInt8) {
        let bit = UInt64(1) << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    func intersection(_ other: ByteSet) -> ByteSet {
        var result = ByteSet()
        result.words = (
            words.0 & other.words.0, words.1 & other.words.1, words.2 & other.words.2, words.3 & other.words.3
        )
        return result
    }

    func subtracting(_ other: ByteSet) -> ByteSet {
        var result = ByteSet()
        result.words = (
            words.0 & ~other.words.0, words.1 & ~other.words.1, words.2 & ~other.words.2, words.3 & ~other.words.3
        )
        return result
    }

    /// Takes the least member out.
    @inline(__always)
    mutating func popFirst() -> UInt8? {
        if words.0 != 0 {
            defer { words.0 &= words.0 - 1 }
            return UInt8(words.0.trailingZeroBitCount)
        }
        if words.1 != 0 {
            defer { words.1 &= words.1 - 1 }
            return UInt8(64 + words.1.trailingZeroBitCount)
        }
        if words.2 != 0 {
            defer { words.2 &= words.2 - 1 }
            return UInt8(128 + words.2.trailingZeroBitCount)
        }
        guard words.3 != 0 else { return nil }
        defer { words.3 &= words.3 - 1 }
        return UInt8(192 + words.3.trailingZeroBitCount)
    }

    mutating func formUnion(_ other: ByteSet) {
        words.0 |= other.words.0
        words.1 |= other.words.1
        words.2 |= other.words.2
        words.3 |= other.words.3
    }

    @inline(__always)
    func isSubset(of other: ByteSet) -> Bool {
        words.0 & ~other.words.0 | words.1 & ~other.words.1 | words.2 & ~other.words.2 | words.3 & ~other.words.3 == 0
    }

    var isEmpty: Bool { words.0 | words.1 | words.2 | words.3 == 0 }

    var count: Int {
        words.0.nonzeroBitCount + words.1.nonzeroBitCount + words.2.nonzeroBitCount + words.3.nonzeroBitCount
    }

    /// The only member of a set of one.
    var single: UInt8? {
        guard count == 1 else { return nil }
        for (index, word) in [words.0, words.1, words.2, words.3].enumerated() where word != 0 {
            return UInt8(index * 64 + word.trailingZeroBitCount)
        }
        return nil
    }

    func forEach(_ body: (UInt8) -> Void) {
        for (index, word) in [words.0, words.1, words.2, words.3].enumerated() {
            var rest = word
            while rest != 0 {
                body(UInt8(index * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
    }
}
