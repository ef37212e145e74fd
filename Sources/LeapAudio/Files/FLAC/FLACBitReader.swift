/// Reads numbers of any number of bits, the highest bit first.
///
/// The errors that it throws are the ends of sentences about what the bits are.
struct FLACBitReader {
    private let bytes: [UInt8]
    /// The byte that is read next.
    private var next: Int
    /// Bits that were read of the bytes, at the upper end; zeros after them.
    private var cache: UInt64 = 0
    private var cached = 0

    /// - Parameter start: the byte to begin with.
    init(_ bytes: [UInt8], from start: Int = 0) {
        self.bytes = bytes
        next = start
    }

    /// The byte at which the next bit is.
    var position: Int { next - cached / 8 }

    private mutating func fill() {
        while cached <= 56, next < bytes.count {
            cache |= UInt64(bytes[next]) << (56 - UInt64(cached))
            next += 1
            cached += 8
        }
    }

    /// - Precondition: at most 57.
    mutating func bits(_ count: Int) throws(AudioFileError) -> UInt64 {
        if cached < count {
            fill()
            guard cached >= count else { throw AudioFileError(.truncated, "is cut off") }
        }
        let value = count == 0 ? 0 : cache >> UInt64(64 - count)
        cache <<= UInt64(count)
        cached -= count
        return value
    }

    /// A number in two's complement.
    ///
    /// - Precondition: at most 57.
    mutating func signed(_ count: Int) throws(AudioFileError) -> Int {
        let value = try bits(count)
        return count == 0 ? 0 : Int(Int64(bitPattern: value << UInt64(64 - count)) >> Int64(64 - count))
    }

    /// The number of zeros in front of the next one, which is read too.
    mutating func unary(max: Int) throws(AudioFileError) -> Int {
        var zeros = 0
        while cache == 0 {
            zeros += cached
            cached = 0
            fill()
            guard cached > 0 else { throw AudioFileError(.truncated, "is cut off") }
            guard zeros <= max else { break }
        }
        let more = cache.leadingZeroBitCount
        guard zeros + more <= max else {
            throw AudioFileError(.damaged, "has a number that is larger than any sample")
        }
        cache <<= UInt64(more + 1)
        cached -= more + 1
        return zeros + more
    }

    /// Leaves out the bits up to the next whole byte.
    mutating func alignToByte() {
        let rest = cached % 8
        cache <<= UInt64(rest)
        cached -= rest
    }
}
