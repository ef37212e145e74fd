/// A Huffman code of a JPEG file (ITU-T T.81, annexes C and F.2.2.3).
final class JPEGHuffmanTable {
    static let lookupBits = 9
    /// Bits that a coefficient of ``coefficients`` has at most, its code and its value together.
    static let coefficientBits = 11

    /// For every next nine bits the symbol and, above it, the length of its code; 0 where the code is longer.
    let lookup = JPEGBuffer<UInt16>(count: 1 << lookupBits, repeating: 0)
    /// For every next eleven bits the coefficient, or of a code for differences the difference, that they hold, as
    /// ``entry(length:run:value:)``; 0 where it has more bits.
    let coefficients = JPEGBuffer<Int32>(count: 1 << coefficientBits, repeating: 0)
    /// By length: one more than the largest code, with 16 bits; 0 where there is none.
    let limits: [Int]
    /// By length: what a code's symbol lies behind the code in `symbols`.
    let offsets: [Int]
    let symbols: [UInt8]

    /// - Parameters:
    ///   - counts: how many codes there are of 1 to 16 bits.
    ///   - symbols: as many as all counts together.
    ///   - isForDifferences: a code of DC coefficients, whose symbols have no runs.
    init(counts: [Int], symbols: [UInt8], isForDifferences: Bool) throws {
        self.symbols = symbols
        var (limits, offsets) = ([Int](repeating: 0, count: 18), [Int](repeating: 0, count: 17))
        var code = 0
        var index = 0
        for length in 1...16 {
            let count = counts[length - 1]
            guard code + count <= 1 << length else {
                throw ImageFileError(
                    .damaged, "the JPEG file has a Huffman table with too many codes of \(length) bits")
            }
            offsets[length] = index - code
            if length <= Self.lookupBits {
                for step in 0..<count {
                    let first = (code + step) << (Self.lookupBits - length)
                    for place in first..<first + 1 << (Self.lookupBits - length) {
                        lookup.pointer[place] = UInt16(length) << 8 | UInt16(symbols[index + step])
                    }
                }
            }
            code += count
            index += count
            limits[length] = code << (16 - length)
            code <<= 1
        }
        limits[17] = .max
        (self.limits, self.offsets) = (limits, offsets)
        for bits in 0..<coefficients.count {
            coefficients.pointer[bits] = isForDifferences ? difference(bits) : coefficient(bits)
        }
    }

    /// The run of a coefficient that ends a block.
    static let endRun: Int32 = 64

    /// Bits that belong to a coefficient, zeros in front of it, and its value; 16 zeros are a run of 15 with the value
    /// 0.
    static func entry(length: Int, run: Int32, value: Int) -> Int32 {
        Int32(truncatingIfNeeded: length) | run << 8 | Int32(truncatingIfNeeded: value) << 16
    }

    /// The coefficient at the beginning of some bits; 0 where they do not hold all of it.
    private func coefficient(_ bits: Int) -> Int32 {
        let found = lookup.pointer[bits >> (Self.coefficientBits - Self.lookupBits)]
        let (length, run, size) = (Int(found >> 8), Int32(found >> 4 & 15), Int(found & 15))
        let left = Self.coefficientBits - length - size
        guard found != 0, left >= 0 else { return 0 }
        if size == 0 { return Self.entry(length: length, run: run == 15 ? run : Self.endRun, value: 0) }
        let value = bits >> left & (1 << size - 1)
        return Self.entry(length: length + size, run: run, value: JPEGBitReader.extended(value, size))
    }

    /// The difference at the beginning of some bits; 0 where they do not hold all of it, or where it has none of the
    /// sizes that exist.
    private func difference(_ bits: Int) -> Int32 {
        let found = lookup.pointer[bits >> (Self.coefficientBits - Self.lookupBits)]
        let (length, size) = (Int(found >> 8), Int(found & 0xFF))
        let left = Self.coefficientBits - length - size
        guard found != 0, left >= 0 else { return 0 }
        let value = size == 0 ? 0 : JPEGBitReader.extended(bits >> left & (1 << size - 1), size)
        return Self.entry(length: length + size, run: 0, value: value)
    }

    /// A code without symbols, for scans that need none.
    static func empty() throws -> JPEGHuffmanTable {
        try JPEGHuffmanTable(counts: [Int](repeating: 0, count: 16), symbols: [], isForDifferences: false)
    }
}
