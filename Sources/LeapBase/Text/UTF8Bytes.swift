/// UTF-8 as bytes: which are characters, which are not, and where one is cut off.
package enum UTF8Bytes {
    /// The length of the valid character at `position` (1 to 4), 0 where there is none, or a negative number where the
    /// bytes end inside what could become one: minus how many bytes of it are there.
    @inlinable @inline(__always)
    package static func characterLength(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> Int {
        let lead = bytes[position]
        if lead < 0x80 { return 1 }
        // Table 3-7 of the Unicode Standard: which second bytes each lead allows.
        let length: Int
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, low) = (3, 0xA0)
        case 0xED: (length, high) = (3, 0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, low) = (4, 0x90)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, high) = (4, 0x8F)
        default: return 0
        }
        let available = min(length, bytes.count - position)
        var index = 1
        while index < available {
            let byte = bytes[position + index]
            if byte < low || byte > high { return 0 }
            (low, high) = (0x80, 0xBF)
            index += 1
        }
        return available == length ? length : -available
    }

    /// The offset of the first byte that belongs to no character, or nil where all of `bytes` is UTF-8.
    @inlinable
    package static func firstInvalid(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return nil }
        var position = 0
        while position < bytes.count {
            if position + 8 <= bytes.count,
                base.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                position += 8
                continue
            }
            let length = characterLength(bytes, at: position)
            if length <= 0 { return position }
            position += length
        }
        return nil
    }

    /// Returns whether all of `bytes` is UTF-8.
    @inlinable
    package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { firstInvalid(bytes) == nil }

    /// `bytes` with U+FFFD for every byte that belongs to no character: what llama.cpp makes of them.
    package static func repaired(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 8)
        var position = 0
        while position < bytes.count {
            let length = characterLength(bytes, at: position)
            if length > 0 {
                result.append(contentsOf: bytes[position..<position + length])
                position += length
            } else {
                result.append(contentsOf: [0xEF, 0xBF, 0xBD])
                position += 1
            }
        }
        return result
    }

    /// Returns the number of bytes at the end of `bytes` that are the start of a character which more bytes may
    /// complete: 0 to 3.
    package static func incompleteTail(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
        let tail = Array(bytes.suffix(3))
        return tail.withUnsafeBufferPointer { tail in
            for position in tail.indices.reversed() {
                if tail[position] < 0x80 { return 0 }
                guard tail[position] >= 0xC0 else { continue }
                let count = tail.count - position
                return characterLength(tail, at: position) == -count ? count : 0
            }
            return 0
        }
    }

    /// Appends the UTF-8 of the code point `code`, which must be at most U+10FFFF.
    @inlinable
    package static func append(_ code: UInt32, to bytes: inout [UInt8]) {
        switch code {
        case 0..<0x80:
            bytes.append(UInt8(code))
        case 0x80..<0x800:
            bytes.append(0xC0 | UInt8(code >> 6))
            bytes.append(0x80 | UInt8(code & 0x3F))
        case 0x800..<0x10000:
            bytes.append(0xE0 | UInt8(code >> 12))
            bytes.append(0x80 | UInt8(code >> 6 & 0x3F))
            bytes.append(0x80 | UInt8(code & 0x3F))
        default:
            bytes.append(0xF0 | UInt8(code >> 18 & 0x07))
            bytes.append(0x80 | UInt8(code >> 12 & 0x3F))
            bytes.append(0x80 | UInt8(code >> 6 & 0x3F))
            bytes.append(0x80 | UInt8(code & 0x3F))
        }
    }
}
