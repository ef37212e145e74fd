import NIOCore

/// A model file of any length that needs little memory: a GGUF header, then a block of pseudo-random bytes over and over, each time with
/// another first byte.
///
/// The header names one tensor that fills the rest of the file. Files that are shorter than the header have none.
public struct Content: Sendable {
    /// Bytes in the file.
    public let count: Int
    private let block: ByteBuffer
    private let header: ByteBuffer
    private static let headerSize = 64
    private static let blockSize = 1 << 20

    /// Makes a file that depends on nothing but its length and seed.
    public init(count: Int, seed: UInt64 = 1) {
        self.count = count
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.blockSize)
        for _ in 0..<Self.blockSize / 8 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            withUnsafeBytes(of: state) { bytes.append(contentsOf: $0) }
        }
        block = ByteBuffer(bytes: bytes)
        header = count >= Self.headerSize ? Self.makeHeader(count) : ByteBuffer()
    }

    /// GGUF version 3, no metadata, and one tensor of 8-bit integers.
    private static func makeHeader(_ count: Int) -> ByteBuffer {
        var buffer = ByteBuffer(string: "GGUF")
        buffer.writeInteger(UInt32(3), endianness: .little)
        for number in [1, 0, 1] as [UInt64] { buffer.writeInteger(number, endianness: .little) }
        buffer.writeString("t")
        buffer.writeInteger(UInt32(1), endianness: .little)
        buffer.writeInteger(UInt64(count - headerSize), endianness: .little)
        buffer.writeInteger(UInt32(24), endianness: .little)
        buffer.writeInteger(UInt64(0), endianness: .little)
        buffer.writeRepeatingByte(0, count: headerSize - buffer.readableBytes)
        return buffer
    }

    /// A part of the file.
    public func read(_ range: Range<Int>) -> ByteBuffer {
        guard range.lowerBound >= header.readableBytes else {
            let end = min(range.upperBound, header.readableBytes)
            var buffer = header.getSlice(at: range.lowerBound, length: end - range.lowerBound) ?? ByteBuffer()
            if end < range.upperBound { buffer.writeImmutableBuffer(read(end..<range.upperBound)) }
            return buffer
        }
        let size = Self.blockSize
        var position = range.lowerBound
        let first = position / size
        // Most reads lie within a block and need no copy.
        if position % size != 0, (range.upperBound - 1) / size == first || range.isEmpty {
            return block.getSlice(at: position % size, length: range.count) ?? ByteBuffer()
        }
        var buffer = ByteBuffer()
        buffer.reserveCapacity(range.count)
        while position < range.upperBound {
            let offset = position % size
            let length = min(size - offset, range.upperBound - position)
            if offset == 0 {
                buffer.writeInteger(UInt8(truncatingIfNeeded: position / size))
                if length > 1, let rest = block.getSlice(at: 1, length: length - 1) {
                    buffer.writeImmutableBuffer(rest)
                }
            } else if let rest = block.getSlice(at: offset, length: length) {
                buffer.writeImmutableBuffer(rest)
            }
            position += length
        }
        return buffer
    }

    /// All of it, for small files.
    public var bytes: [UInt8] { Array(read(0..<count).readableBytesView) }
}
