/// The pairs of symbols that merge, with their priorities and results: an open-addressing hash table.
final class MergeTable: @unchecked Sendable {
    // Sendable: after the filling in `BytePairModel.init` the table never changes.
    private struct Slot {
        var pair: UInt64
        var value: UInt64
    }
    private let slots: UnsafeMutablePointer<Slot>
    private let shift: UInt64

    /// The value that is found where there is no merge: later than any.
    static let none = UInt64.max

    /// A table with room for `count` merges.
    init(capacity count: Int) {
        var bits: UInt64 = 4
        while 1 << bits < count * 2 { bits += 1 }
        shift = 64 - bits
        slots = .allocate(capacity: 1 << bits)
        slots.initialize(repeating: Slot(pair: .max, value: Self.none), count: 1 << bits)
    }

    deinit { slots.deallocate() }

    @inline(__always)
    private func place(_ pair: UInt64) -> Int {
        Int(truncatingIfNeeded: ((pair ^ (pair >> 29)) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    /// Adds the merge of `left` and `right` into `result`, unless the pair has an earlier one.
    func insert(_ left: TokenID, _ right: TokenID, rank: Int, result: TokenID) {
        let pair = UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
        let mask = Int(truncatingIfNeeded: UInt64.max >> shift)
        var position = place(pair)
        while slots[position].pair != .max {
            if slots[position].pair == pair { return }
            position = (position + 1) & mask
        }
        slots[position] = Slot(pair: pair, value: UInt64(rank) << 32 | UInt64(UInt32(bitPattern: result)))
    }

    /// The rank of the merge of `left` and `right` in the upper half and the resulting symbol in the lower one, or
    /// ``none``.
    @inline(__always)
    func find(_ left: TokenID, _ right: TokenID) -> UInt64 {
        let pair = UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
        let mask = Int(truncatingIfNeeded: UInt64.max >> shift)
        var position = place(pair)
        while true {
            let slot = slots[position]
            if slot.pair == pair { return slot.value }
            if slot.pair == .max { return Self.none }
            position = (position + 1) & mask
        }
    }
}
