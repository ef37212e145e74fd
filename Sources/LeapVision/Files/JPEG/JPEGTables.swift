/// The tables that a JPEG file brings before its scans.
struct JPEGTables {
    /// By number: the factors row by row, not along the diagonals.
    private(set) var quantisation = [JPEGBuffer<Int16>?](repeating: nil, count: 4)
    private(set) var dc = [JPEGHuffmanTable?](repeating: nil, count: 4)
    private(set) var ac = [JPEGHuffmanTable?](repeating: nil, count: 4)
    /// Units between restart markers; 0 where there are none.
    private(set) var restartInterval = 0

    /// Reads a segment of quantisation tables (B.2.4.1).
    mutating func readQuantisation(_ reader: inout ByteReader) throws {
        while reader.remaining > 0 {
            let head = try reader.byte()
            guard head >> 4 <= 1, head & 15 < 4 else {
                throw ImageFileError(.damaged, "the JPEG file has a quantisation table \(head); 0 to 3 are valid")
            }
            let table = JPEGBuffer<Int16>(count: 64, repeating: 0)
            for index in 0..<64 {
                table.pointer[JPEGTransform.zigzag[index]] = Int16(
                    truncatingIfNeeded: head >> 4 == 0 ? try reader.byte() : try reader.uint16())
            }
            quantisation[head & 15] = table
        }
    }

    /// Reads a segment of Huffman tables (B.2.4.2).
    mutating func readCodes(_ reader: inout ByteReader) throws {
        while reader.remaining > 0 {
            let head = try reader.byte()
            var counts: [Int] = []
            for _ in 0..<16 { counts.append(try reader.byte()) }
            let total = counts.reduce(0, +)
            guard head >> 4 <= 1, head & 15 < 4, total <= 256, total <= reader.remaining else {
                throw ImageFileError(.damaged, "the JPEG file has a Huffman table \(head) with \(total) codes")
            }
            let symbols = Array(reader.bytes[reader.position..<reader.position + total])
            try reader.skip(total)
            let table = try JPEGHuffmanTable(counts: counts, symbols: symbols, isForDifferences: head >> 4 == 0)
            if head >> 4 == 0 { dc[head & 15] = table } else { ac[head & 15] = table }
        }
    }

    /// Reads the distance of restart markers (B.2.4.4).
    mutating func readRestartInterval(_ reader: inout ByteReader) throws {
        restartInterval = try reader.uint16()
    }

    /// A table of this number.
    func code(_ tables: [JPEGHuffmanTable?], _ number: Int) throws -> JPEGHuffmanTable {
        guard let table = tables[number] else {
            throw ImageFileError(.damaged, "the JPEG file uses Huffman table \(number) but does not contain it")
        }
        return table
    }
}
