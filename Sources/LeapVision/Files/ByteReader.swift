/// Reads numbers from a file's bytes.
struct ByteReader {
    let bytes: [UInt8]
    var position: Int
    /// The offset at which reading ends.
    let end: Int

    init(_ bytes: [UInt8], from position: Int = 0, to end: Int? = nil) {
        self.bytes = bytes
        self.position = position
        self.end = min(end ?? bytes.count, bytes.count)
    }

    var remaining: Int { max(0, end - position) }

    mutating func byte() throws -> Int {
        guard position < end else { throw ImageFileError(.truncated, "the image file ends too early") }
        defer { position += 1 }
        return Int(bytes[position])
    }

    /// A number whose higher byte comes first.
    mutating func uint16() throws -> Int { try byte() << 8 | byte() }

    mutating func uint32() throws -> Int { try uint16() << 16 | uint16() }

    /// A number whose lowest byte comes first.
    mutating func littleEndian(_ size: Int) throws -> Int {
        var value = 0
        for place in 0..<size { value |= try byte() << (8 * place) }
        return value
    }

    mutating func skip(_ count: Int) throws {
        guard count >= 0, count <= remaining else { throw ImageFileError(.truncated, "the image file ends too early") }
        position += count
    }
}
