import NIOCore

/// A file of any length that needs little memory: a block of pseudo-random bytes over and over, each time with another first byte.
public struct Content: Sendable {
    /// Bytes in the file.
    public let count: Int
    private let block: ByteBuffer
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
    }

    /// A part of the file.
    public func read(_ range: Range<Int>) -> ByteBuffer {
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
