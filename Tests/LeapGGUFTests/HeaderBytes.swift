import LeapGGUF

/// Builds header bytes one field at a time, with whatever lies a test wants in them.
struct HeaderBytes {
    var bytes: [UInt8] = []

    init(magic: String = "GGUF", version: UInt32 = 3, tensors: UInt64 = 0, keys: UInt64 = 0) {
        bytes = Array(magic.utf8)
        append(version)
        append(tensors)
        append(keys)
    }

    mutating func append<T: FixedWidthInteger>(_ value: T) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// A string with its true length, or a false one.
    mutating func append(string: String, length: UInt64? = nil) {
        append(length ?? UInt64(string.utf8.count))
        bytes.append(contentsOf: string.utf8)
    }

    /// A metadata entry; `value` appends what follows the type.
    mutating func key(_ name: String, type: UInt32, _ value: (inout HeaderBytes) -> Void) {
        append(string: name)
        append(type)
        value(&self)
    }

    mutating func uint32(_ name: String, _ value: UInt32) {
        key(name, type: 4) { $0.append(value) }
    }

    mutating func tensor(_ name: String, _ shape: [UInt64], type: UInt32 = 0, offset: UInt64 = 0) {
        append(string: name)
        append(UInt32(shape.count))
        for size in shape { append(size) }
        append(type)
        append(offset)
    }

    /// Zeros up to the data section and `count` bytes of data.
    mutating func data(_ count: Int, alignment: Int = 32) {
        while bytes.count % alignment != 0 { bytes.append(0) }
        bytes.append(contentsOf: repeatElement(0xAB, count: count))
    }

    static func with(
        version: UInt32 = 3, tensors: UInt64 = 0, keys: UInt64 = 0, _ body: (inout HeaderBytes) -> Void
    ) -> [UInt8] {
        var header = HeaderBytes(version: version, tensors: tensors, keys: keys)
        body(&header)
        return header.bytes
    }
}
