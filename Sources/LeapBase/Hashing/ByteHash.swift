/// A fast hash of short byte strings.
///
/// Not resistant to crafted collisions: the tables built on it are as large as the file that filled them, and their
/// probes are bounded by it.
package enum ByteHash {
    @usableFromInline static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The hash of `count` bytes from `bytes` on; every bit of it depends on every byte.
    @inlinable @inline(__always)
    package static func of(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        let raw = UnsafeRawPointer(bytes)
        var hash = UInt64(truncatingIfNeeded: count) &* multiplier
        if count >= 8 {
            var position = 0
            while position + 8 < count {
                hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                position += 8
            }
            return mix(hash ^ raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
        }
        var tail: UInt64 = 0
        if count >= 4 {
            tail = UInt64(raw.loadUnaligned(as: UInt32.self))
            tail |= UInt64(raw.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)) << 32
        } else if count > 0 {
            tail = UInt64(bytes[0]) | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1]) << 16
        }
        return mix(hash ^ tail)
    }

    /// The two halves of the product, folded.
    @inlinable @inline(__always)
    package static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: multiplier)
        return product.high ^ product.low
    }

    /// Returns whether the `count` bytes at both places are the same.
    @inlinable @inline(__always)
    package static func equal(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let (left, right) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
        var position = 0
        while position + 8 <= count {
            if left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                != right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            {
                return false
            }
            position += 8
        }
        while position < count {
            if left.load(fromByteOffset: position, as: UInt8.self)
                != right.load(fromByteOffset: position, as: UInt8.self)
            {
                return false
            }
            position += 1
        }
        return true
    }
}
