/// A 128-bit hash that is the same in every run and on every machine, for names of files and for noticing damage.
///
/// Two multiply-and-fold lanes over 64-bit words. It is not cryptographic: whoever looks something up by it compares
/// the contents too.
package struct StableHash: Hashable, Sendable {
    package private(set) var low: UInt64
    package private(set) var high: UInt64

    /// A hash of nothing, of one of many families.
    package init(seed: UInt64 = 0) {
        low = 0x243F_6A88_85A3_08D3 ^ seed
        high = 0x1319_8A2E_0370_7344 &+ seed
    }

    /// A hash of known bits.
    package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The hash that ``text`` spells, or nil.
    package init?(text: some StringProtocol) {
        guard text.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.high = high
        self.low = low
    }

    /// 32 hexadecimal digits.
    package var text: String { HexDigit.text(of: high) + HexDigit.text(of: low) }

    /// Takes a word in.
    package mutating func combine(_ word: UInt64) {
        low = Self.fold(low ^ word, 0xA076_1D64_78BD_642F)
        high = Self.fold(high ^ (word &+ low), 0xE703_7ED1_A0B4_28DB)
    }

    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = (a | 1).multipliedFullWidth(by: b)
        return product.high ^ product.low ^ a
    }

    /// Takes bytes in, and how many they are.
    package mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 8 <= bytes.count {
            combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        var last: UInt64 = 0
        for index in offset..<bytes.count { last = last << 8 | UInt64(bytes[index]) }
        combine(last)
        combine(UInt64(bytes.count))
    }

    /// Takes a text in.
    package mutating func combine(_ text: String) {
        Array(text.utf8).withUnsafeBytes { combine($0) }
    }
}
