/// Reads the bits between two markers of a JPEG file.
struct JPEGBitReader {
    private let data: [UInt8]
    /// Where the next byte is.
    private(set) var position: Int
    private var bits: UInt64 = 0
    private var count = 0
    /// Bits that were made up behind the last byte.
    ///
    /// They are read ahead; consuming one of them is an error.
    private var padding = 0

    init(_ data: [UInt8], at position: Int) {
        self.data = data
        self.position = position
    }

    /// Has 32 bits or more in `bits`.
    private mutating func refill() {
        while count <= 56 {
            var byte: UInt8 = 0
            if position < data.count, data[position] != 0xFF {
                byte = data[position]
                position += 1
            } else if position + 1 < data.count, data[position + 1] == 0 {
                byte = 0xFF
                position += 2
            } else {
                padding += 8
            }
            bits |= UInt64(byte) << UInt64(56 - count)
            count += 8
        }
    }

    private mutating func drop(_ length: Int) throws {
        bits <<= UInt64(length)
        count -= length
        guard count >= padding else {
            throw ImageFileError(.truncated, "the JPEG file ends, or has a marker, inside its pixels")
        }
    }

    /// The next bits as a number.
    mutating func take(_ length: Int) throws -> Int {
        guard length > 0 else { return 0 }
        if count < length { refill() }
        let value = Int(truncatingIfNeeded: bits >> UInt64(64 - length))
        try drop(length)
        return value
    }

    /// The next bits as a difference or a coefficient of that many bits (F.2.2.1, EXTEND).
    mutating func takeSigned(_ length: Int) throws -> Int {
        guard length > 0 else { return 0 }
        let value = try take(length)
        return value < 1 << (length - 1) ? value - 1 << length + 1 : value
    }

    /// The next symbol of a code.
    mutating func symbol(_ table: borrowing JPEGHuffmanTable) throws -> Int {
        if count < 16 { refill() }
        let entry = table.lookup[Int(truncatingIfNeeded: bits >> UInt64(64 - JPEGHuffmanTable.lookupBits))]
        if entry != 0 {
            try drop(Int(entry >> 8))
            return Int(entry & 0xFF)
        }
        let next = Int(truncatingIfNeeded: bits >> 48)
        var length = JPEGHuffmanTable.lookupBits + 1
        while next >= table.limits[length] { length += 1 }
        guard length <= 16 else {
            throw ImageFileError(.damaged, "the JPEG file has bits that are no code of its table")
        }
        let index = next >> (16 - length) + table.offsets[length]
        guard index >= 0, index < table.symbols.count else {
            throw ImageFileError(.damaged, "the JPEG file has bits that are no code of its table")
        }
        try drop(length)
        return Int(table.symbols[index])
    }

    /// Goes behind the restart marker that comes next.
    mutating func restart(_ index: Int) throws {
        bits = 0
        count = 0
        padding = 0
        while position + 1 < data.count, data[position] == 0xFF, data[position + 1] == 0xFF { position += 1 }
        guard position + 1 < data.count, data[position] == 0xFF, data[position + 1] == UInt8(0xD0 + index % 8) else {
            throw ImageFileError(.damaged, "the JPEG file lacks a restart marker where one has to be")
        }
        position += 2
    }
}
