import LeapGGUF

/// A run of floats as a model's description has it: elements of a tensor of any type.
package struct Vector: Sendable {
    /// The tensor whose elements they are.
    package let source: TensorReference
    /// The first of them.
    package let start: Int
    /// The number of elements.
    package let count: Int

    package init(_ source: TensorReference, start: Int = 0, count: Int) {
        self.source = source
        self.start = start
        self.count = count
    }

    /// Some of the elements.
    package func slice(_ range: Range<Int>) -> Vector {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "elements out of range")
        return Vector(source, start: start + range.lowerBound, count: range.count)
    }
}

extension Vector {
    /// The elements of a tensor of floats; nil for other types.
    ///
    /// For the few numbers that decide how a model is described, such as divisors of frequencies.
    func values() -> [Float]? {
        let bytes = source.tensor.data
        switch source.tensor.type {
        case .f32:
            return (start..<start + count).map {
                Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
            }
        case .f16:
            return (start..<start + count).map {
                Self.float(
                    half: UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self)))
            }
        case .bf16:
            return (start..<start + count).map {
                let word = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self))
                return Float(bitPattern: UInt32(word) << 16)
            }
        default:
            return nil
        }
    }

    /// A number in half precision; `Float16` is not there on every platform.
    package static func float(half: UInt16) -> Float {
        let sign: Float = half >> 15 == 0 ? 1 : -1
        let (exponent, fraction) = (Int(half >> 10) & 31, Float(half & 1023))
        switch exponent {
        case 0: return sign * fraction * 0x1p-24
        case 31: return half & 1023 == 0 ? sign * .infinity : .nan
        default: return sign * Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction * 0x1p-10)
        }
    }
}
