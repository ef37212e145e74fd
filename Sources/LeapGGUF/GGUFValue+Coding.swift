extension GGUFValue {
    /// Reads the value of `type` at `position`, whose bytes were validated when the file was opened.
    ///
    /// - Parameters:
    ///   - depth: how many arrays the value is in.
    ///   - offsets: the element table of an array, if it is kept.
    /// - Returns: nil when the bytes are no longer what they were, because someone changed the file.
    init?(type: GGUFValueType, at position: Int, depth: Int, in storage: GGUFStorage, offsets: [UInt32]? = nil) {
        var reader = GGUFByteReader(storage, path: nil, offset: position)
        do {
            switch type {
            case .uint8: self = .uint8(try reader.read(UInt8.self, ""))
            case .int8: self = .int8(try reader.read(Int8.self, ""))
            case .uint16: self = .uint16(try reader.read(UInt16.self, ""))
            case .int16: self = .int16(try reader.read(Int16.self, ""))
            case .uint32: self = .uint32(try reader.read(UInt32.self, ""))
            case .int32: self = .int32(try reader.read(Int32.self, ""))
            case .float32: self = .float32(Float(bitPattern: try reader.read(UInt32.self, "")))
            case .bool: self = .bool(try reader.read(UInt8.self, "") != 0)
            case .uint64: self = .uint64(try reader.read(UInt64.self, ""))
            case .int64: self = .int64(try reader.read(Int64.self, ""))
            case .float64: self = .float64(Double(bitPattern: try reader.read(UInt64.self, "")))
            case .string:
                let range = try reader.readString("")
                self = .string(GGUFString(storage: storage, offset: range.lowerBound, count: range.count))
            case .array:
                let elementType = try reader.readValueType("")
                let count = try reader.read(UInt64.self, "")
                let start = reader.offset
                let table: [UInt32]?
                if let offsets, offsets.count == Int(count) + 1, let end = offsets.last {
                    table = offsets
                    reader.offset = start + Int(end)
                } else {
                    table = try reader.skipElements(
                        elementType, count: count, depth: depth + 1, recordsOffsets: true, "")
                }
                self = .array(
                    GGUFArray(
                        storage: storage, elementType: elementType, count: Int(count),
                        payload: start..<reader.offset, offsets: table, depth: depth + 1))
            }
        } catch {
            return nil
        }
    }

    /// Appends the value as files store it, without its type.
    func encode(into bytes: inout [UInt8]) {
        switch self {
        case .uint8(let value): bytes.append(value)
        case .int8(let value): bytes.append(littleEndian: value)
        case .uint16(let value): bytes.append(littleEndian: value)
        case .int16(let value): bytes.append(littleEndian: value)
        case .uint32(let value): bytes.append(littleEndian: value)
        case .int32(let value): bytes.append(littleEndian: value)
        case .float32(let value): bytes.append(littleEndian: value.bitPattern)
        case .bool(let value): bytes.append(value ? 1 : 0)
        case .string(let value): value.withUnsafeBytes { bytes.append(string: $0) }
        case .array(let value): value.encode(into: &bytes)
        case .uint64(let value): bytes.append(littleEndian: value)
        case .int64(let value): bytes.append(littleEndian: value)
        case .float64(let value): bytes.append(littleEndian: value.bitPattern)
        }
    }
}

extension [UInt8] {
    /// Appends an integer, least significant byte first.
    mutating func append<T: FixedWidthInteger>(littleEndian value: T) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends a length in 64 bits and the bytes.
    mutating func append(string bytes: UnsafeBufferPointer<UInt8>) {
        append(littleEndian: UInt64(bytes.count))
        append(contentsOf: bytes)
    }

    /// Appends a length in 64 bits and the UTF-8.
    mutating func append(string: String) {
        append(littleEndian: UInt64(string.utf8.count))
        append(contentsOf: string.utf8)
    }
}
