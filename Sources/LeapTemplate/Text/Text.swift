import LeapBase

/// A Python `str`: text measured, indexed and compared in code points.
///
/// Kept as UTF-8 because templates mostly join, search and print; Swift's `String` compares by canonical equivalence
/// and counts characters, which Python does not. Lone surrogates, which Python strings may hold, are kept in the
/// three-byte form UTF-8 would give them.
struct Text: Sendable, ExpressibleByStringLiteral {
    let bytes: [UInt8]

    @inline(__always)
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    init(_ string: String) { bytes = Array(string.utf8) }

    init(stringLiteral value: String) { bytes = Array(value.utf8) }

    static let empty = Text([])

    var isEmpty: Bool { bytes.isEmpty }

    /// The text as a Swift string; lone surrogates become U+FFFD.
    var string: String { String(decoding: bytes, as: UTF8.self) }

    var isASCII: Bool { bytes.allASCII(in: 0..<bytes.count) }

    /// The number of code points.
    var count: Int { bytes.codePointCount(in: 0..<bytes.count) }

    static func + (a: Text, b: Text) -> Text {
        var out = [UInt8]()
        out.reserveCapacity(a.bytes.count + b.bytes.count)
        out += a.bytes
        out += b.bytes
        return Text(out)
    }
}

extension Text: Hashable, Comparable {
    static func == (a: Text, b: Text) -> Bool { a.bytes.isSame(as: b.bytes) }

    /// Order by code point, which for UTF-8 is the order of the bytes.
    static func < (a: Text, b: Text) -> Bool {
        a.bytes.withUnsafeBytes { x in
            b.bytes.withUnsafeBytes { y in
                let shared = min(x.count, y.count)
                if shared > 0, let p = x.baseAddress, let q = y.baseAddress {
                    let order = memcmp(p, q, shared)
                    if order != 0 { return order < 0 }
                }
                return x.count < y.count
            }
        }
    }

    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension [UInt8] {
    func isSame(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return withUnsafeBytes { x in
            other.withUnsafeBytes { y in
                guard let p = x.baseAddress, let q = y.baseAddress else { return true }
                return memcmp(p, q, x.count) == 0
            }
        }
    }

    func matches(_ other: [UInt8], at offset: Int) -> Bool {
        guard offset >= 0, offset + other.count <= count else { return false }
        return withUnsafeBytes { x in
            other.withUnsafeBytes { y in
                guard let p = x.baseAddress, let q = y.baseAddress else { return true }
                return memcmp(p + offset, q, y.count) == 0
            }
        }
    }

    func allASCII(in range: Range<Int>) -> Bool {
        withUnsafeBufferPointer { buffer in
            var seen: UInt8 = 0
            for i in range { seen |= buffer[i] }
            return seen < 0x80
        }
    }

    func codePointCount(in range: Range<Int>) -> Int {
        withUnsafeBufferPointer { buffer in
            var count = 0
            for i in range where buffer[i] & 0xC0 != 0x80 { count &+= 1 }
            return count
        }
    }

    /// Decodes the code point that starts at `offset` and moves past it.
    ///
    /// The bytes come from Swift strings, from our own encoder or from slices at code point boundaries, so they are
    /// well formed; a stray byte still decodes to itself rather than reading past the end.
    func codePoint(at offset: inout Int) -> UInt32 {
        let first = UInt32(self[offset])
        offset += 1
        if first < 0x80 { return first }
        let extra = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0
        guard extra > 0, offset + extra <= count else { return first }
        var value = first & (0x7F >> UInt32(extra + 1))
        for _ in 0..<extra {
            value = value << 6 | UInt32(self[offset] & 0x3F)
            offset += 1
        }
        return value
    }

    /// Decodes the code point that ends before `end` and moves `end` to its start.
    func codePoint(before end: inout Int) -> UInt32 {
        var start = end - 1
        while start > 0, self[start] & 0xC0 == 0x80 { start -= 1 }
        var offset = start
        end = start
        return codePoint(at: &offset)
    }

    /// Appends a code point (surrogates included) as UTF-8.
    mutating func append(codePoint c: UInt32) {
        UTF8Bytes.append(c, to: &self)
    }

    mutating func append(ascii text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}

extension Text {
    /// The code points, in order.
    var codePoints: [UInt32] {
        var out = [UInt32]()
        out.reserveCapacity(bytes.count)
        var i = 0
        while i < bytes.count { out.append(bytes.codePoint(at: &i)) }
        return out
    }

    init(codePoints: some Sequence<UInt32>) {
        var out = [UInt8]()
        for c in codePoints { out.append(codePoint: c) }
        self.init(out)
    }

    /// The byte offset of code point `index` (0...count).
    func byteOffset(of index: Int) -> Int {
        if index <= 0 { return 0 }
        if isASCII { return min(index, bytes.count) }
        return bytes.withUnsafeBufferPointer { buffer in
            var remaining = index
            for i in 0..<buffer.count where buffer[i] & 0xC0 != 0x80 {
                if remaining == 0 { return i }
                remaining -= 1
            }
            return buffer.count
        }
    }

    /// The code point index of byte offset `offset`.
    func codePointIndex(ofByte offset: Int) -> Int { bytes.codePointCount(in: 0..<offset) }

    /// True if the text holds a lone surrogate, which no UTF-8 text may.
    var hasSurrogates: Bool {
        bytes.withUnsafeBufferPointer { buffer in
            guard buffer.count >= 3, let base = buffer.baseAddress else { return false }
            var from = 0
            while from < buffer.count - 2, let hit = memchr(base + from, 0xED, buffer.count - 2 - from) {
                let at = base.distance(to: hit.assumingMemoryBound(to: UInt8.self))
                if buffer[at + 1] >= 0xA0 { return true }
                from = at + 1
            }
            return false
        }
    }
}
