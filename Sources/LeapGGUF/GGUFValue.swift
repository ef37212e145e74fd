import LeapBase

/// A metadata value.
public enum GGUFValue: Sendable, Hashable {
    /// An unsigned 8-bit integer.
    case uint8(UInt8)
    /// A signed 8-bit integer.
    case int8(Int8)
    /// An unsigned 16-bit integer.
    case uint16(UInt16)
    /// A signed 16-bit integer.
    case int16(Int16)
    /// An unsigned 32-bit integer.
    case uint32(UInt32)
    /// A signed 32-bit integer.
    case int32(Int32)
    /// A 32-bit float.
    case float32(Float)
    /// A Boolean value.
    case bool(Bool)
    /// Text.
    case string(GGUFString)
    /// A list of values of one type.
    case array(GGUFArray)
    /// An unsigned 64-bit integer.
    case uint64(UInt64)
    /// A signed 64-bit integer.
    case int64(Int64)
    /// A 64-bit float.
    case float64(Double)

    /// The type in which the file stores the value.
    public var type: GGUFValueType {
        switch self {
        case .uint8: .uint8
        case .int8: .int8
        case .uint16: .uint16
        case .int16: .int16
        case .uint32: .uint32
        case .int32: .int32
        case .float32: .float32
        case .bool: .bool
        case .string: .string
        case .array: .array
        case .uint64: .uint64
        case .int64: .int64
        case .float64: .float64
        }
    }

    /// The value, if it is a non-negative integer of any width.
    public var unsignedInteger: UInt64? {
        switch self {
        case .uint8(let value): UInt64(value)
        case .uint16(let value): UInt64(value)
        case .uint32(let value): UInt64(value)
        case .uint64(let value): value
        default: signedInteger.flatMap { UInt64(exactly: $0) }
        }
    }

    /// The value, if it is an integer that fits into a signed 64-bit integer.
    public var signedInteger: Int64? {
        switch self {
        case .uint8(let value): Int64(value)
        case .int8(let value): Int64(value)
        case .uint16(let value): Int64(value)
        case .int16(let value): Int64(value)
        case .uint32(let value): Int64(value)
        case .int32(let value): Int64(value)
        case .uint64(let value): Int64(exactly: value)
        case .int64(let value): value
        default: nil
        }
    }

    /// The value, if it is a float or an integer, rounded to a double if necessary.
    public var number: Double? {
        switch self {
        case .float32(let value): Double(value)
        case .float64(let value): value
        case .uint64(let value): Double(value)
        default: signedInteger.map { Double($0) }
        }
    }

    /// The value as an error names it: the type, and the value itself if it is short.
    var found: String {
        switch self {
        case .array(let array): "an array of \(array.count) × \(array.elementType)"
        case .string(let value):
            value.withUnsafeBytes { "the string \"\(ShownText.of(UnsafeRawBufferPointer($0)))\"" }
        case .bool(let value): "the bool \(value)"
        default: "the \(type) \(numberText)"
        }
    }

    private var numberText: String {
        switch self {
        case .float32(let value): "\(value)"
        case .float64(let value): "\(value)"
        default: signedInteger.map { "\($0)" } ?? unsignedInteger.map { "\($0)" } ?? ""
        }
    }
}

extension GGUFValue: CustomStringConvertible {
    /// The value as text; for arrays, the element type and count.
    public var description: String {
        switch self {
        case .string(let value): value.string
        case .array(let array): "[\(array.count) × \(array.elementType)]"
        case .bool(let value): "\(value)"
        default: numberText
        }
    }
}

extension GGUFValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    /// A string value.
    public init(stringLiteral value: String) { self = .string(GGUFString(value)) }

    /// A bool value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
