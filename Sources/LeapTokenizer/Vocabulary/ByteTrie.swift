import LeapBase

/// A trie of byte strings with a number for each, its edges in one hash table.
struct ByteTrie: Sendable {
    /// The root, where every walk starts.
    static let root: UInt32 = 0

    /// Edges, two words each: the node and byte it leaves by, plus one (0 where free), and the node it leads to.
    private var slots: [UInt64]
    private var mask: Int
    private var edgeCount = 0
    /// The number of the string that ends at each node, or -1.
    private var values: [Int32] = [-1]
    /// The length of the longest string in bytes.
    private(set) var maximumLength = 0
    /// The bytes that strings start with, a bit each.
    private var firstBytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init() {
        slots = Array(repeating: 0, count: 128)
        mask = 63
    }

    /// True if there is no string.
    var isEmpty: Bool { maximumLength == 0 }

    /// Adds `text`, which must not be empty, with `value`, which must not be negative; the first of equal ones stays.
    mutating func insert(_ text: UnsafeBufferPointer<UInt8>, _ value: Int32) {
        guard let first = text.first else { return }
        switch first >> 6 {
        case 0: firstBytes.0 |= 1 << UInt64(first & 63)
        case 1: firstBytes.1 |= 1 << UInt64(first & 63)
        case 2: firstBytes.2 |= 1 << UInt64(first & 63)
        default: firstBytes.3 |= 1 << UInt64(first & 63)
        }
        maximumLength = max(maximumLength, text.count)
        var node = Self.root
        for byte in text {
            if let child = child(of: node, byte) {
                node = child
            } else {
                let child = UInt32(values.count)
                values.append(-1)
                addEdge(node, byte, child)
                node = child
            }
        }
        if values[Int(node)] < 0 { values[Int(node)] = value }
    }

    private static func key(_ node: UInt32, _ byte: UInt8) -> UInt64 { (UInt64(node) << 8 | UInt64(byte)) + 1 }

    private mutating func addEdge(_ node: UInt32, _ byte: UInt8, _ child: UInt32) {
        if (edgeCount + 1) * 2 > slots.count / 2 { grow() }
        place(Self.key(node, byte), child)
        edgeCount += 1
    }

    private mutating func place(_ key: UInt64, _ child: UInt32) {
        var position = Self.hash(key) & mask
        while slots[position * 2] != 0 { position = (position + 1) & mask }
        slots[position * 2] = key
        slots[position * 2 + 1] = UInt64(child)
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: 0, count: old.count * 2)
        mask = slots.count / 2 - 1
        for index in stride(from: 0, to: old.count, by: 2) where old[index] != 0 {
            place(old[index], UInt32(old[index + 1]))
        }
    }

    @inline(__always)
    private static func hash(_ key: UInt64) -> Int { Int(truncatingIfNeeded: ByteHash.mix(key) & 0x7FFF_FFFF) }

    /// The node that `byte` leads to from `node`, or nil.
    @inline(__always)
    func child(of node: UInt32, _ byte: UInt8) -> UInt32? {
        let key = Self.key(node, byte)
        var position = Self.hash(key) & mask
        while true {
            let found = slots[position * 2]
            if found == key { return UInt32(truncatingIfNeeded: slots[position * 2 + 1]) }
            if found == 0 { return nil }
            position = (position + 1) & mask
        }
    }

    /// The number of the string that ends at `node`, or -1.
    @inline(__always)
    func value(at node: UInt32) -> Int32 { values[Int(node)] }

    /// Returns whether a string starts with `byte`.
    @inline(__always)
    func mayStart(with byte: UInt8) -> Bool {
        let word =
            switch byte >> 6 {
            case 0: firstBytes.0
            case 1: firstBytes.1
            case 2: firstBytes.2
            default: firstBytes.3
            }
        return word >> UInt64(byte & 63) & 1 != 0
    }

    /// The longest string that `text` has at `position`: its length and number; a length of 0 if there is none.
    @inline(__always)
    func longestMatch(_ text: UnsafeBufferPointer<UInt8>, at position: Int) -> (length: Int, value: Int32) {
        guard mayStart(with: text[position]) else { return (0, -1) }
        var best = (length: 0, value: Int32(-1))
        var node = Self.root
        var index = position
        while index < text.count, let next = child(of: node, text[index]) {
            node = next
            index += 1
            if values[Int(node)] >= 0 { best = (index - position, values[Int(node)]) }
        }
        return best
    }
}
