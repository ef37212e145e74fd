import CLeapTensorTypes

/// The storage of a tensor's elements: a ggml type id with its block layout.
///
/// A type stores a row as blocks of ``blockSize`` elements in ``blockByteCount`` bytes each. It is a struct, not an
/// enum, because files can contain ids of newer versions. Such a file still opens, so that you can inspect it;
/// ``isKnown`` is then false. The layouts are those of `ggml-common.h` in llama.cpp.
public struct GGUFTensorType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// ggml's id of the type, as the file stores it.
    public let rawValue: UInt32

    /// Creates the type with this ggml id, known or not.
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// 32-bit float.
    @inlinable public static var f32: Self { Self(rawValue: 0) }
    /// IEEE half.
    @inlinable public static var f16: Self { Self(rawValue: 1) }
    /// 4 bits, one half scale per 32.
    @inlinable public static var q4_0: Self { Self(rawValue: 2) }
    /// 4 bits, half scale and minimum per 32.
    @inlinable public static var q4_1: Self { Self(rawValue: 3) }
    /// 5 bits, one half scale per 32.
    @inlinable public static var q5_0: Self { Self(rawValue: 6) }
    /// 5 bits, half scale and minimum per 32.
    @inlinable public static var q5_1: Self { Self(rawValue: 7) }
    /// 8 bits, one half scale per 32.
    @inlinable public static var q8_0: Self { Self(rawValue: 8) }
    /// 2.6 bits in super-blocks of 256.
    @inlinable public static var q2_K: Self { Self(rawValue: 10) }
    /// 3.4 bits in super-blocks of 256.
    @inlinable public static var q3_K: Self { Self(rawValue: 11) }
    /// 4.5 bits in super-blocks of 256.
    @inlinable public static var q4_K: Self { Self(rawValue: 12) }
    /// 5.5 bits in super-blocks of 256.
    @inlinable public static var q5_K: Self { Self(rawValue: 13) }
    /// 6.6 bits in super-blocks of 256.
    @inlinable public static var q6_K: Self { Self(rawValue: 14) }
    /// 4 bits on a non-linear scale, per 32.
    @inlinable public static var iq4_nl: Self { Self(rawValue: 20) }
    /// 4.25 bits on a non-linear scale, in super-blocks of 256.
    @inlinable public static var iq4_xs: Self { Self(rawValue: 23) }
    /// bfloat16.
    @inlinable public static var bf16: Self { Self(rawValue: 30) }

    /// A Boolean value that indicates whether the block layout of this type is known.
    ///
    /// Without it, the size of tensors of this type is unknown.
    public var isKnown: Bool { layout != nil }

    /// True if this project's kernels compute with the type.
    package var isComputable: Bool { layout?.has_kernels == 1 }

    /// The number of elements per block; 0 if the type is not known.
    public var blockSize: Int { Int(layout?.elements ?? 0) }

    /// The number of bytes per block; 0 if the type is not known.
    public var blockByteCount: Int { Int(layout?.bytes ?? 0) }

    /// The number of bits per element, with scales; 0 if the type is not known.
    public var bitsPerElement: Double {
        guard let layout else { return 0 }
        return Double(layout.bytes) * 8 / Double(layout.elements)
    }

    /// The type's name as in model files (`Q4_K`), or `type 99` for an id without a name.
    public var name: String {
        if let layout { return String(cString: layout.name) }
        // Ids that ggml has retired; their layouts are gone, but a user who meets one should learn its name.
        switch rawValue {
        case 4: return "Q4_2 (retired)"
        case 5: return "Q4_3 (retired)"
        case 31: return "Q4_0_4_4 (retired)"
        case 32: return "Q4_0_4_8 (retired)"
        case 33: return "Q4_0_8_8 (retired)"
        case 36: return "IQ4_NL_4_4 (retired)"
        case 37: return "IQ4_NL_4_8 (retired)"
        case 38: return "IQ4_NL_8_8 (retired)"
        default: return "type \(rawValue)"
        }
    }

    /// The name.
    public var description: String { name }

    /// Names and block layouts are those of the kernels' table, which files may go beyond.
    private var layout: leap_tensor_type? { leap_tensor_type_find(Int64(rawValue))?.pointee }
}

extension GGUFTensorType {
    /// Returns the number of bytes in a row of `elementCount` elements.
    ///
    /// - Returns: nil if the type is not known, or the count is negative, not a multiple of ``blockSize`` or too large.
    public func byteCount(elementCount: Int) -> Int? {
        guard let layout, elementCount >= 0, elementCount % Int(layout.elements) == 0 else { return nil }
        let (bytes, overflow) = (elementCount / Int(layout.elements))
            .multipliedReportingOverflow(by: Int(layout.bytes))
        return overflow ? nil : bytes
    }
}
