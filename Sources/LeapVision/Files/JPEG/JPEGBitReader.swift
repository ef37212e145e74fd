/// Reads the bits between two markers of a JPEG file.
///
/// Reading past them gives zeros; ``isExhausted`` says so, and is asked once for a block, whose bits are bounded. Bytes
/// are taken out of the file in portions, without the zeros that follow each 0xFF, so that any eight of them can be
/// read at once.
struct JPEGBitReader {
    /// More bytes than the bits of one block fill.
    private static let blockBytes = 512
    private static let portionBytes = 32_768

    /// Room for a portion, and for what is read ahead of its end.
    static func portion() -> JPEGBuffer<UInt8> {
        JPEGBuffer(count: portionBytes + 2 * blockBytes, repeating: 0)
    }

    /// The bytes of the file, which outlive the reader.
    private let data: UnsafeRawPointer
    private let end: Int
    /// The offset of the first byte of the file that is in no portion yet.
    private(set) var position: Int
    /// The portion, which outlives the reader too.
    private let bytes: UnsafeMutableRawPointer
    /// The index of the portion's first byte that `bits` does not hold.
    private var next = 0
    /// Its bytes; zeros follow, where the file has a marker.
    private var limit = 0
    /// The value of `next` at which the next portion has to come: behind all where there is none.
    private var portionEnd = 0
    private var bits: UInt64 = 0
    private var count = 0

    /// - Parameter portion: what ``portion()`` makes.
    init(_ data: UnsafeRawBufferPointer, at position: Int, portion: JPEGBuffer<UInt8>) {
        // Of an empty file no byte is read.
        self.data = data.baseAddress ?? UnsafeRawPointer(portion.pointer)
        end = data.count
        self.position = position
        bytes = UnsafeMutableRawPointer(portion.pointer)
    }

    /// True if bits were taken that are not there.
    var isExhausted: Bool { 8 &* next &- count > 8 &* limit }

    /// Has the bytes of a block ready; to be called before each.
    @inline(__always)
    mutating func prepare() {
        if next >= portionEnd { self = reloaded() }
    }

    /// The reader with another portion.
    ///
    /// Rare operations give a new reader: one whose address is taken is not kept in registers.
    @inline(never)
    private func reloaded() -> JPEGBitReader {
        var reader = self
        bytes.copyMemory(from: bytes + next, byteCount: limit - next)
        (reader.next, reader.limit) = (0, limit - next)
        reader.appendPortion()
        return reader
    }

    private mutating func appendPortion() {
        while limit < Self.portionBytes {
            if end - position >= 8 {
                let word = data.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                // As long as no byte is 0xFF, with which markers begin.
                if (~word &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 == 0 {
                    bytes.storeBytes(of: word, toByteOffset: limit, as: UInt64.self)
                    limit += 8
                    position += 8
                    continue
                }
            }
            let isZeroNext = position + 1 < end && self[position + 1] == 0
            guard position < end, self[position] != 0xFF || isZeroNext else {
                let zeros = UnsafeMutableRawBufferPointer(start: bytes + limit, count: Self.blockBytes)
                zeros.initializeMemory(as: UInt8.self, repeating: 0)
                portionEnd = .max
                return
            }
            bytes.storeBytes(of: self[position], toByteOffset: limit, as: UInt8.self)
            limit += 1
            position += self[position] == 0xFF ? 2 : 1
        }
        portionEnd = limit - Self.blockBytes
    }

    private subscript(_ place: Int) -> UInt8 { data.load(fromByteOffset: place, as: UInt8.self) }

    /// Has 56 bits or more ready: one coefficient's and a short one's more.
    @inline(__always)
    mutating func fill() {
        // Of the last byte there may be a part already, with the same bits.
        bits |=
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self))
            &>> UInt64(truncatingIfNeeded: count)
        next &+= (63 &- count) &>> 3
        count |= 56
    }

    /// The next bits, 1 to 32, which stay there.
    @inline(__always)
    func peek(_ length: Int) -> Int { Int(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: 64 &- length)) }

    @inline(__always)
    mutating func skip(_ length: Int) {
        bits = bits &<< UInt64(truncatingIfNeeded: length)
        count &-= length
    }

    /// The next bits as a number, 16 at most.
    @inline(__always)
    mutating func take(_ length: Int) -> Int {
        guard length > 0 else { return 0 }
        fill()
        let value = peek(length)
        skip(length)
        return value
    }

    /// The next bits as a difference or a coefficient of that many bits (F.2.2.1, EXTEND).
    @inline(__always)
    mutating func takeSigned(_ length: Int) -> Int {
        guard length > 0 else { return 0 }
        return Self.extended(take(length), length)
    }

    /// Returns the signed value that the bits of a difference or a coefficient stand for.
    @inline(__always)
    static func extended(_ value: Int, _ length: Int) -> Int {
        value < 1 &<< (length &- 1) ? value &- 1 &<< length &+ 1 : value
    }

    /// The next symbol of a code; -1 for bits that are none.
    @inline(__always)
    mutating func symbol(_ table: JPEGHuffmanTable) -> Int {
        fill()
        let entry = table.lookup.pointer[peek(JPEGHuffmanTable.lookupBits)]
        guard entry != 0 else { return longSymbol(table) }
        skip(Int(entry >> 8))
        return Int(entry & 0xFF)
    }

    private mutating func longSymbol(_ table: JPEGHuffmanTable) -> Int {
        let next = peek(16)
        var length = JPEGHuffmanTable.lookupBits + 1
        while next >= table.limits[length] { length += 1 }
        guard length <= 16 else { return -1 }
        let index = next >> (16 - length) + table.offsets[length]
        guard index >= 0, index < table.symbols.count else { return -1 }
        skip(length)
        return Int(table.symbols[index])
    }

    /// Skips the restart marker that comes next.
    mutating func restart(_ index: Int) throws {
        prepare()
        // What is left of the bits before belongs to the last byte, or to the few that were read ahead.
        let isAtMarker = portionEnd == .max && 8 * (limit - next) + count < 64
        while position + 1 < end, self[position] == 0xFF, self[position + 1] == 0xFF { position += 1 }
        guard isAtMarker, position + 1 < end, self[position] == 0xFF, self[position + 1] == UInt8(0xD0 + index % 8)
        else {
            throw ImageFileError(.damaged, "the JPEG file lacks a required restart marker")
        }
        position += 2
        (bits, count, next, limit, portionEnd) = (0, 0, 0, 0, 0)
    }
}
