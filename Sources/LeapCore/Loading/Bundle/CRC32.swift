/// The checksum of ZIP files (ISO 3309, reflected polynomial EDB88320).
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private var state: UInt32 = .max

    /// The checksum of what was added.
    var value: UInt32 { ~state }

    /// Adds bytes.
    mutating func add(_ bytes: some Sequence<UInt8>) {
        var state = state
        Self.table.withUnsafeBufferPointer { table in
            for byte in bytes { state = table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8 }
        }
        self.state = state
    }
}
