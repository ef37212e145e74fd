/// The properties of a character that a pre-tokenizer's rule may ask for, as bits.
///
/// The upper and lower sets overlap: they are the classes `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]` and
/// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]` of the rules that split words where the case changes. A character with no bit set is a
/// control, format, private-use or unassigned one.
enum CharacterClass {
    /// Matches `\p{L}`.
    static let letter: UInt8 = 1
    /// Matches `\p{N}`.
    static let number: UInt8 = 2
    /// Matches `\s`.
    static let whitespace: UInt8 = 4
    /// Matches `\p{P}`.
    static let punctuation: UInt8 = 8
    /// Matches `\p{S}`.
    static let symbol: UInt8 = 16
    /// Matches `\p{M}`.
    static let mark: UInt8 = 32
    /// The characters that the upper part of a word may hold.
    static let upper: UInt8 = 64
    /// The characters that the lower part of a word may hold.
    static let lower: UInt8 = 128

    /// The bits of a letter of ``CharacterClassData``.
    fileprivate static func bits(_ symbol: UInt8) -> UInt8 {
        switch symbol {
        case UInt8(ascii: "u"): letter | upper
        case UInt8(ascii: "l"): letter | lower
        case UInt8(ascii: "o"): letter | upper | lower
        case UInt8(ascii: "n"): number
        case UInt8(ascii: "w"): whitespace
        case UInt8(ascii: "p"): punctuation
        case UInt8(ascii: "s"): self.symbol
        case UInt8(ascii: "m"): mark | upper | lower
        default: 0
        }
    }
}

/// The class of every code point: a two-stage table, expanded once a process from ``CharacterClassData``.
struct CharacterClasses: @unchecked Sendable {
    // Sendable: the tables are written before `shared` is first returned and never freed.

    /// The one table.
    static let shared = CharacterClasses()

    /// The block of each 256 code points, `blocks[code >> 8]`, as an offset into ``flags``.
    let blocks: UnsafePointer<UInt32>
    /// The classes of each distinct block; the first block is U+0000 to U+00FF.
    let flags: UnsafePointer<UInt8>

    private static let blockCount = 0x1100

    private init() {
        var expansion = Expansion()
        var length = 0
        var current: UInt8 = 0
        let data = CharacterClassData.runs
        for byte in UnsafeBufferPointer(start: data.utf8Start, count: data.utf8CodeUnitCount) {
            if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                length = length * 10 + Int(byte - UInt8(ascii: "0"))
            } else {
                if current != 0 { expansion.append(CharacterClass.bits(current), count: max(length, 1)) }
                current = byte
                length = 0
            }
        }
        expansion.append(CharacterClass.bits(current), count: max(length, 1))
        precondition(expansion.blocks.count == Self.blockCount, "the generated table does not cover Unicode")

        let blocks = UnsafeMutablePointer<UInt32>.allocate(capacity: expansion.blocks.count)
        blocks.initialize(from: expansion.blocks, count: expansion.blocks.count)
        let flags = UnsafeMutablePointer<UInt8>.allocate(capacity: expansion.flags.count)
        flags.initialize(from: expansion.flags, count: expansion.flags.count)
        self.blocks = UnsafePointer(blocks)
        self.flags = UnsafePointer(flags)
    }

    /// The class bits of `code`, which must be below 0x110000.
    @inline(__always)
    func callAsFunction(_ code: UInt32) -> UInt8 {
        flags[Int(blocks[Int(code >> 8)]) + Int(code & 0xFF)]
    }

    /// The two stages while they grow; blocks of one class are stored once.
    private struct Expansion {
        var blocks: [UInt32] = []
        var flags: [UInt8] = []
        private var pending: [UInt8] = []
        private var uniform: [UInt8: UInt32] = [:]

        mutating func append(_ value: UInt8, count: Int) {
            var remaining = count
            while remaining > 0 {
                if pending.isEmpty, remaining >= 256 {
                    blocks.append(block(of: value))
                    remaining -= 256
                } else {
                    let part = min(remaining, 256 - pending.count)
                    pending.append(contentsOf: repeatElement(value, count: part))
                    remaining -= part
                    if pending.count == 256 {
                        blocks.append(UInt32(flags.count))
                        flags.append(contentsOf: pending)
                        pending.removeAll(keepingCapacity: true)
                    }
                }
            }
        }

        private mutating func block(of value: UInt8) -> UInt32 {
            if let known = uniform[value] { return known }
            let offset = UInt32(flags.count)
            flags.append(contentsOf: repeatElement(value, count: 256))
            uniform[value] = offset
            return offset
        }
    }
}
