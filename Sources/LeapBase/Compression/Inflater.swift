/// Unpacks DEFLATE data (RFC 1951) piece by piece, in bounded memory.
///
/// Input comes from a closure, output goes to another in blocks of at most 64 KiB. Damaged data ends in an error, never
/// in more output than was allowed.
package struct Inflater {
    /// The error of data that cannot be unpacked.
    package enum Failure: String, CodedError {
        case endOfInput, badBlock, badCode, badDistance, tooMuchOutput

        package var code: Failure { self }
        package var message: String {
            switch self {
            case .endOfInput: "the compressed data ends too early"
            case .badBlock, .badCode, .badDistance: "the compressed data is damaged (\(rawValue))"
            case .tooMuchOutput: "the compressed data expands to more bytes than it declares"
            }
        }
    }

    private static let windowSize = 1 << 15
    private let read: (Int) throws -> [UInt8]
    private let write: (ArraySlice<UInt8>) throws -> Void
    private var input: [UInt8] = []
    private var inputIndex = 0
    private var bits: UInt64 = 0
    private var bitCount = 0
    /// The last 32 KiB written, and what is not written yet after it; `end` is where the next byte goes.
    private var output = [UInt8](repeating: 0, count: 3 * Self.windowSize)
    private var written = 0
    private var end = 0
    private var remaining: Int

    /// Unpacks one stream.
    ///
    /// - Parameters:
    ///   - limit: bytes of output at most.
    ///   - read: gives up to this many more bytes of input; none at its end.
    ///   - write: takes the next bytes of output.
    package static func inflate(
        limit: Int, read: @escaping (Int) throws -> [UInt8], write: @escaping (ArraySlice<UInt8>) throws -> Void
    ) throws {
        var inflater = Inflater(limit: limit, read: read, write: write)
        try inflater.run()
    }

    private init(
        limit: Int, read: @escaping (Int) throws -> [UInt8], write: @escaping (ArraySlice<UInt8>) throws -> Void
    ) {
        remaining = limit
        self.read = read
        self.write = write
    }

    private mutating func run() throws {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try stored()
            case 1:
                let (literals, distances) = try HuffmanCode.fixed()
                try compressed(literals, distances)
            case 2:
                let (literals, distances) = try dynamicCodes()
                try compressed(literals, distances)
            default: throw Failure.badBlock
            }
        }
        try flush(keeping: 0)
    }

    private mutating func fill(_ count: Int) throws {
        while bitCount < count {
            guard try refill() else { throw Failure.endOfInput }
        }
    }

    /// Takes more bytes of input, one at least; false at its end.
    private mutating func refill() throws -> Bool {
        if inputIndex == input.count {
            input = try read(1 << 16)
            inputIndex = 0
            if input.isEmpty { return false }
        }
        repeat {
            bits |= UInt64(input[inputIndex]) << UInt64(bitCount)
            inputIndex += 1
            bitCount += 8
        } while bitCount <= 56 && inputIndex < input.count
        return true
    }

    private mutating func take(_ count: Int) throws -> Int {
        try fill(count)
        let value = Int(bits & (1 << UInt64(count) - 1))
        bits >>= UInt64(count)
        bitCount -= count
        return value
    }

    /// Makes room for more output.
    private mutating func reserve(_ count: Int) throws {
        guard count <= remaining else { throw Failure.tooMuchOutput }
        remaining -= count
        if end + count > output.count { try flush(keeping: Self.windowSize) }
    }

    private mutating func put(_ byte: UInt8) throws {
        try reserve(1)
        output[end] = byte
        end += 1
    }

    /// Repeats earlier output.
    private mutating func copy(_ length: Int, from distance: Int) throws {
        guard distance <= end else { throw Failure.badDistance }
        try reserve(length)
        let stop = end + length
        // Byte by byte, as what is repeated may be what this writes.
        for place in end..<stop { output[place] = output[place - distance] }
        end = stop
    }

    private mutating func flush(keeping: Int) throws {
        try write(output[written..<end])
        let kept = min(keeping, end)
        output.replaceSubrange(0..<kept, with: output[end - kept..<end])
        end = kept
        written = kept
    }

    private mutating func stored() throws {
        _ = try take(bitCount % 8)
        let length = try take(16)
        guard try take(16) == ~length & 0xFFFF else { throw Failure.badBlock }
        for _ in 0..<length { try put(UInt8(try take(8))) }
    }

    private mutating func compressed(_ literals: HuffmanCode, _ distances: HuffmanCode) throws {
        while true {
            runAhead(literals, distances)
            // What is left for here: long codes, the block's end, and the ends of input and room.
            let symbol = try decode(literals)
            if symbol < 256 {
                try put(UInt8(symbol))
            } else if symbol == 256 {
                return
            } else {
                guard symbol < 286 else { throw Failure.badCode }
                let length = Self.lengthBase[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
                let code = try decode(distances)
                guard code < 30 else { throw Failure.badCode }
                try copy(length, from: Self.distanceBase[code] + (try take(Self.distanceBits[code])))
            }
        }
    }

    /// Unpacks symbols while none of them needs a look at the ends of input and output, and none is out of the
    /// ordinary.
    private mutating func runAhead(_ literals: HuffmanCode, _ distances: HuffmanCode) {
        let mask = UInt64(HuffmanCode.tableSize - 1)
        let (lengthBase, lengthBits) = (Self.lengthBase, Self.lengthBits)
        let (distanceBase, distanceBits) = (Self.distanceBase, Self.distanceBits)
        var (bits, bitCount, inputIndex, end) = (bits, bitCount, inputIndex, end)
        let start = end
        // The longest match takes so many bytes.
        let lastStart = min(output.count - end, remaining) - 258 + end
        let lastInput = input.count - 8
        while end <= lastStart, inputIndex <= lastInput {
            while bitCount <= 56 {
                bits |= UInt64(input[inputIndex]) << UInt64(bitCount)
                inputIndex += 1
                bitCount += 8
            }
            let entry = literals.table[Int(bits & mask)]
            let symbol = Int(entry >> 4)
            let taken = Int(entry & 15)
            guard taken > 0 else { break }
            if symbol < 256 {
                output[end] = UInt8(truncatingIfNeeded: symbol)
                end += 1
                bits >>= UInt64(taken)
                bitCount -= taken
                continue
            }
            guard symbol > 256, symbol < 286 else { break }
            // A match takes 48 bits at most, and all of it or none is taken here.
            var rest = bits >> UInt64(taken)
            let extra = lengthBits[symbol - 257]
            let length = lengthBase[symbol - 257] + Int(rest & (1 << UInt64(extra) - 1))
            rest >>= UInt64(extra)
            let distanceEntry = distances.table[Int(rest & mask)]
            let code = Int(distanceEntry >> 4)
            let codeBits = Int(distanceEntry & 15)
            guard codeBits > 0, code < 30 else { break }
            rest >>= UInt64(codeBits)
            let distance = distanceBase[code] + Int(rest & (1 << UInt64(distanceBits[code]) - 1))
            guard distance <= end else { break }
            let all = taken + extra + codeBits + distanceBits[code]
            bits >>= UInt64(all)
            bitCount -= all
            for place in end..<end + length { output[place] = output[place - distance] }
            end += length
        }
        remaining -= end - start
        (self.bits, self.bitCount, self.inputIndex, self.end) = (bits, bitCount, inputIndex, end)
    }

    private mutating func decode(_ code: HuffmanCode) throws -> Int {
        while bitCount < 15, try refill() {}
        let entry = code.table[Int(bits & UInt64(HuffmanCode.tableSize - 1))]
        let length = Int(entry & 15)
        if length > 0, length <= bitCount {
            bits >>= UInt64(length)
            bitCount -= length
            return Int(entry >> 4)
        }
        return try decodeSlowly(code)
    }

    /// Codes that are longer than the table's, bit by bit.
    private mutating func decodeSlowly(_ code: HuffmanCode) throws -> Int {
        var value = 0
        var first = 0
        var index = 0
        for length in 1...15 {
            value |= try take(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Failure.badCode
    }

    private mutating func dynamicCodes() throws -> (literals: HuffmanCode, distances: HuffmanCode) {
        let literalCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        let codeCount = try take(4) + 4
        guard literalCount <= 286, distanceCount <= 30 else { throw Failure.badBlock }
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        var lengths = [Int](repeating: 0, count: 19)
        for index in 0..<codeCount { lengths[order[index]] = try take(3) }
        let code = try HuffmanCode(lengths[...])
        lengths = []
        while lengths.count < literalCount + distanceCount {
            let symbol = try decode(code)
            switch symbol {
            case 0..<16: lengths.append(symbol)
            case 16:
                guard let last = lengths.last else { throw Failure.badBlock }
                lengths += [Int](repeating: last, count: try take(2) + 3)
            case 17: lengths += [Int](repeating: 0, count: try take(3) + 3)
            default: lengths += [Int](repeating: 0, count: try take(7) + 11)
            }
        }
        guard lengths.count == literalCount + distanceCount, lengths[256] > 0 else { throw Failure.badBlock }
        return (try HuffmanCode(lengths[..<literalCount]), try HuffmanCode(lengths[literalCount...]))
    }

    private static let lengthBase = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distanceBase = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12289, 16385, 24577,
    ]
    private static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]
}
