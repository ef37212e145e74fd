package import LeapTokenizer

/// A set of token ids, one bit each: bit `id & 63` of word `id >> 6`.
package struct TokenMask: Sendable, Equatable {
    /// The number of ids that the mask speaks about: 0..<count.
    package let count: Int
    /// The bits.
    ///
    /// Those at and above ``count`` are always zero.
    package private(set) var words: [UInt64]

    /// Makes a mask over the ids 0..<count in which all or none are allowed.
    package init(count: Int, allowed: Bool) {
        self.count = count
        words = [UInt64](repeating: allowed ? .max : 0, count: (count + 63) >> 6)
        clearTail()
    }

    private mutating func clearTail() {
        if count & 63 != 0, !words.isEmpty { words[words.count - 1] &= (1 << UInt64(count & 63)) - 1 }
    }

    /// Returns whether an id is allowed; ids outside of the mask are not, and setting them does nothing.
    package subscript(_ token: TokenID) -> Bool {
        get {
            guard token >= 0, Int(token) < count else { return false }
            return words[Int(token) >> 6] >> UInt64(token & 63) & 1 != 0
        }
        set {
            guard token >= 0, Int(token) < count else { return }
            let bit: UInt64 = 1 << UInt64(token & 63)
            if newValue { words[Int(token) >> 6] |= bit } else { words[Int(token) >> 6] &= ~bit }
        }
    }

    /// Allows nothing, or everything.
    package mutating func setAll(_ allowed: Bool) {
        words.withUnsafeMutableBufferPointer { $0.update(repeating: allowed ? .max : 0) }
        clearTail()
    }

    /// Keeps the ids that the other mask allows too.
    ///
    /// Ids that the other mask does not cover are removed.
    package mutating func formIntersection(_ other: TokenMask) {
        for i in words.indices { words[i] &= i < other.words.count ? other.words[i] : 0 }
    }

    /// Allows the ids that the other mask allows too, as far as this one covers them.
    package mutating func formUnion(_ other: TokenMask) {
        for i in words.indices where i < other.words.count { words[i] |= other.words[i] }
        clearTail()
    }

    /// The number of allowed ids.
    package var allowedCount: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// True if nothing is allowed.
    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// Gives the words to fill in place; bits at and above ``count`` are dropped afterwards.
    package mutating func withUnsafeMutableWords<R>(
        _ body: (UnsafeMutableBufferPointer<UInt64>) throws -> R
    ) rethrows -> R {
        defer { clearTail() }
        return try words.withUnsafeMutableBufferPointer { try body($0) }
    }
}
