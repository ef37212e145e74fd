/// The type of a metadata value, with its id in files.
public enum GGUFValueType: UInt32, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// An unsigned 8-bit integer.
    case uint8 = 0
    /// A signed 8-bit integer.
    case int8 = 1
    /// An unsigned 16-bit integer.
    case uint16 = 2
    /// A signed 16-bit integer.
    case int16 = 3
    /// An unsigned 32-bit integer.
    case uint32 = 4
    /// A signed 32-bit integer.
    case int32 = 5
    /// A 32-bit float.
    case float32 = 6
    /// One byte, 0 or 1.
    case bool = 7
    /// A 64-bit length, followed by that many bytes of UTF-8.
    case string = 8
    /// An element type, a count and the elements.
    case array = 9
    /// An unsigned 64-bit integer.
    case uint64 = 10
    /// A signed 64-bit integer.
    case int64 = 11
    /// A 64-bit float.
    case float64 = 12

    /// The name, as in error messages.
    public var description: String {
        switch self {
        case .uint8: "uint8"
        case .int8: "int8"
        case .uint16: "uint16"
        case .int16: "int16"
        case .uint32: "uint32"
        case .int32: "int32"
        case .float32: "float32"
        case .bool: "bool"
        case .string: "string"
        case .array: "array"
        case .uint64: "uint64"
        case .int64: "int64"
        case .float64: "float64"
        }
    }

    /// Bytes of one value, or nil for strings and arrays.
    var fixedByteCount: Int? {
        switch self {
        case .uint8, .int8, .bool: 1
        case .uint16, .int16: 2
        case .uint32, .int32, .float32: 4
        case .uint64, .int64, .float64: 8
        case .string, .array: nil
        }
    }

    /// Bytes a value takes at least: the fixed size, the length of an empty string, type and count of an empty array.
    var minimumByteCount: Int {
        switch self {
        case .string: 8
        case .array: 12
        default: fixedByteCount ?? 1
        }
    }
}
