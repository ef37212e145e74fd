/// Writes numbers of any number of bits, the highest bit first.
struct FLACBitWriter {
    private(set) var bytes: [UInt8] = []
    private var cache: UInt64 = 0
    private var cached = 0

    /// - Precondition: at most 56 bits; those above are left out.
    mutating func put(_ value: UInt64, _ count: Int) {
        guard count > 0 else { return }
        cache = cache << UInt64(count) | value & (1 << UInt64(count) - 1)
        cached += count
        while cached >= 8 {
            cached -= 8
            bytes.append(UInt8(truncatingIfNeeded: cache >> UInt64(cached)))
        }
    }

    /// A number in two's complement.
    mutating func put(signed value: Int, _ count: Int) { put(UInt64(bitPattern: Int64(value)), count) }

    /// Appends as many zeros as a number says, and a one.
    mutating func put(unary zeros: Int) {
        var zeros = zeros
        while zeros >= 32 {
            put(0, 32)
            zeros -= 32
        }
        put(1, zeros + 1)
    }

    /// Fills up the last byte with zeros.
    mutating func alignToByte() {
        if cached > 0 { put(0, 8 - cached) }
    }
}
