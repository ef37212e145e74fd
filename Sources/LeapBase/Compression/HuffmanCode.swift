/// A canonical Huffman code.
struct HuffmanCode {
    static let tableBits = 12
    static let tableSize = 1 << tableBits

    /// The number of codes of each length.
    private(set) var counts = [Int](repeating: 0, count: 16)
    /// The symbols in the order of their codes.
    private(set) var symbols: [Int]
    /// For every next twelve bits the symbol (above four bits) and the length of its code, 0 where the code is longer.
    private(set) var table = [UInt16](repeating: 0, count: tableSize)

    /// Makes the code with these lengths of codes, 0 for symbols without one.
    ///
    /// - Throws: ``Inflater/Failure`` for lengths that more codes would need than there are.
    init(_ lengths: some Collection<Int>) throws {
        symbols = [Int](repeating: 0, count: lengths.count)
        for length in lengths { counts[length] += 1 }
        counts[0] = 0
        var left = 1
        var code = 0
        var nextCode = [Int](repeating: 0, count: 16)
        var offsets = [Int](repeating: 0, count: 17)
        for length in 1...15 {
            left = left << 1 - counts[length]
            guard left >= 0 else { throw Inflater.Failure.badBlock }
            offsets[length + 1] = offsets[length] + counts[length]
            code = (code + counts[length - 1]) << 1
            nextCode[length] = code
        }
        for (symbol, length) in lengths.enumerated() where length > 0 {
            symbols[offsets[length]] = symbol
            offsets[length] += 1
            fillTable(symbol, code: nextCode[length], length: length)
            nextCode[length] += 1
        }
    }

    /// Codes come with their first bit lowest.
    private mutating func fillTable(_ symbol: Int, code: Int, length: Int) {
        guard length <= Self.tableBits else { return }
        var reversed = 0
        for bit in 0..<length where code >> bit & 1 == 1 { reversed |= 1 << (length - 1 - bit) }
        for index in stride(from: reversed, to: Self.tableSize, by: 1 << length) {
            table[index] = UInt16(symbol << 4 | length)
        }
    }

    /// The codes of blocks that bring none (RFC 1951, 3.2.6).
    static func fixed() throws -> (literals: HuffmanCode, distances: HuffmanCode) {
        let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
        return (try HuffmanCode(lengths), try HuffmanCode([Int](repeating: 5, count: 30)))
    }
}
