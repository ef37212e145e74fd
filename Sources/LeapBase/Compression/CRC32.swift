/// The checksum of ZIP and PNG files (ISO 3309, reflected polynomial EDB88320).
package struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private var state: UInt32 = .max

    /// The checksum of no bytes.
    package init() {}

    /// The checksum of what was added.
    package var value: UInt32 { ~state }

    /// Adds bytes.
    package mutating func add(_ bytes: some Sequence<UInt8>) { addEach(bytes) }

    /// Adds bytes; made for this type, as what callers in other modules pass to the form for all of them is read
    /// through witnesses.
    package mutating func add(_ bytes: ArraySlice<UInt8>) { addEach(bytes) }

    private mutating func addEach(_ bytes: some Sequence<UInt8>) {
        var state = state
        Self.table.withUnsafeBufferPointer { table in
            for byte in bytes { state = table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8 }
        }
        self.state = state
    }
}
