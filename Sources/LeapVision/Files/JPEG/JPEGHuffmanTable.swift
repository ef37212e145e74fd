/// A Huffman code of a JPEG file (ITU-T T.81, annexes C and F.2.2.3).
struct JPEGHuffmanTable {
    static let lookupBits = 9

    /// For every next nine bits the symbol and, above it, the length of its code; 0 where the code is longer.
    private(set) var lookup = [UInt16](repeating: 0, count: 1 << lookupBits)
    /// By length: one more than the largest code, with 16 bits; 0 where there is none.
    private(set) var limits = [Int](repeating: 0, count: 18)
    /// By length: what a code's symbol lies behind the code in `symbols`.
    private(set) var offsets = [Int](repeating: 0, count: 17)
    private(set) var symbols: [UInt8]

    /// - Parameters:
    ///   - counts: how many codes there are of 1 to 16 bits.
    ///   - symbols: as many as all counts together.
    init(counts: [Int], symbols: [UInt8]) throws {
        self.symbols = symbols
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
                        lookup[place] = UInt16(length) << 8 | UInt16(symbols[index + step])
                    }
                }
            }
            code += count
            index += count
            limits[length] = code << (16 - length)
            code <<= 1
        }
        limits[17] = .max
    }
}
