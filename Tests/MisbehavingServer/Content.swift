/// A model file of any length that needs little memory: a GGUF header, then a block of pseudo-random bytes over and
/// over, each time with another first byte.
///
/// The header names one tensor that fills the rest of the file. Files that are shorter than the header have none.
public struct Content: Sendable {
    /// Bytes in the file.
    public let count: Int
    private let block: [UInt8]
    private let header: [UInt8]
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
        block = bytes
        header = count >= Self.headerSize ? Self.makeHeader(count) : []
    }

    /// GGUF version 3, no metadata, and one tensor of 8-bit integers.
    private static func makeHeader(_ count: Int) -> [UInt8] {
        var bytes = Array("GGUF".utf8)
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        append(UInt32(3))
        for number in [1, 0, 1] as [UInt64] { append(number) }
        bytes += Array("t".utf8)
        append(UInt32(1))
        append(UInt64(count - headerSize))
        append(UInt32(24))
        append(UInt64(0))
        return bytes + [UInt8](repeating: 0, count: headerSize - bytes.count)
    }

    /// A part of the file.
    public func read(_ range: Range<Int>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        bytes += header[min(range.lowerBound, header.count)..<min(range.upperBound, header.count)]
        var position = max(range.lowerBound, min(header.count, range.upperBound))
        while position < range.upperBound {
            let offset = position % Self.blockSize
            let length = min(Self.blockSize - offset, range.upperBound - position)
            let start = bytes.count
            bytes += block[offset..<offset + length]
            if offset == 0 { bytes[start] = UInt8(truncatingIfNeeded: position / Self.blockSize) }
            position += length
        }
        return bytes
    }

    /// All of it, for small files.
    public var bytes: [UInt8] { read(0..<count) }
}
