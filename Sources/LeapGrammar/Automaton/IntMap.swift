/// A hash map from 64-bit keys to 32-bit values with open addressing: the memo tables of the engine.
struct IntMap: Sendable {
    private var keys: ContiguousArray<UInt64>
    private var values: ContiguousArray<Int32>
    private(set) var count = 0
    private var mask: Int
    private static let empty = UInt64.max

    init(capacity: Int = 16) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        keys = ContiguousArray(repeating: Self.empty, count: size)
        values = ContiguousArray(repeating: 0, count: size)
        mask = size - 1
    }

    var byteCount: Int { keys.count * 12 }

    @inline(__always)
    private static func hash(_ key: UInt64) -> Int {
        let mixed = key &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed ^ mixed >> 29)
    }

    /// The value of a key.
    ///
    /// `UInt64.max` is not a key.
    @inline(__always)
    subscript(key: UInt64) -> Int32? {
        keys.withUnsafeBufferPointer { keys in
            var slot = Self.hash(key) & mask
            while true {
                let found = keys[slot]
                if found == key { return values.withUnsafeBufferPointer { $0[slot] } }
                if found == Self.empty { return nil }
                slot = (slot + 1) & mask
            }
        }
    }

    mutating func set(_ key: UInt64, _ value: Int32) {
        if count * 10 >= keys.count * 6 { grow() }
        insert(key, value)
    }

    private mutating func insert(_ key: UInt64, _ value: Int32) {
        var slot = Self.hash(key) & mask
        while keys[slot] != Self.empty && keys[slot] != key { slot = (slot + 1) & mask }
        if keys[slot] == Self.empty { count += 1 }
        keys[slot] = key
        values[slot] = value
    }

    private mutating func grow() {
        let oldKeys = keys
        let oldValues = values
        keys = ContiguousArray(repeating: Self.empty, count: oldKeys.count * 2)
        values = ContiguousArray(repeating: 0, count: oldKeys.count * 2)
        mask = keys.count - 1
        count = 0
        for index in oldKeys.indices where oldKeys[index] != Self.empty { insert(oldKeys[index], oldValues[index]) }
    }
}
