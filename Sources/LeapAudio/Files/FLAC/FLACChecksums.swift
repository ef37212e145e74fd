/// The checksums of frames (RFC 9639, sections 9.1.8 and 9.3).
enum FLACChecksums {
    private static let table8: [UInt8] = (0..<256).map { byte in
        (0..<8).reduce(UInt8(byte)) { value, _ in value & 0x80 == 0 ? value << 1 : value << 1 ^ 0x07 }
    }
    private static let table16: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { value, _ in value & 0x8000 == 0 ? value << 1 : value << 1 ^ 0x8005 }
    }

    /// Returns the checksum of a header.
    static func crc8(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        bytes.reduce(0) { table8[Int($0 ^ $1)] }
    }

    /// Returns the checksum of a whole frame.
    static func crc16(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        bytes.reduce(0) { $0 << 8 ^ table16[Int($0 >> 8) ^ Int($1)] }
    }
}
