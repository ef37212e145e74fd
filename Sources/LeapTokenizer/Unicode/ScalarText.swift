/// Valid UTF-8 read one character at a time, with the class of each.
///
/// The scanners of the pre-tokenizers work on byte positions; every position they pass is that of a character's first
/// byte. The pointer stays valid for as long as the closure that made the value runs.
struct ScalarText {
    let base: UnsafePointer<UInt8>
    private let classes: CharacterClasses

    init(_ base: UnsafePointer<UInt8>) {
        self.base = base
        classes = .shared
    }

    /// The byte at `position`.
    @inline(__always)
    subscript(position: Int) -> UInt8 { base[position] }

    /// The class bits of the character at `position`, and where the next one starts.
    @inline(__always)
    func read(_ position: Int) -> (flags: UInt8, next: Int) {
        let lead = base[position]
        if lead < 0x80 { return (classes.flags[Int(lead)], position + 1) }
        let (code, next) = decode(position, lead)
        return (classes(code), next)
    }

    /// The class bits of the character at `position`.
    @inline(__always)
    func flags(_ position: Int) -> UInt8 { read(position).flags }

    /// The character at `position`, and where the next one starts.
    @inline(__always)
    func scalar(_ position: Int) -> (code: UInt32, next: Int) {
        let lead = base[position]
        if lead < 0x80 { return (UInt32(lead), position + 1) }
        return decode(position, lead)
    }

    /// Returns the position of the character after the one at `position`.
    @inline(__always)
    func next(_ position: Int) -> Int { position + UTF8Length.of(lead: base[position]) }

    @inline(__always)
    private func decode(_ position: Int, _ lead: UInt8) -> (code: UInt32, next: Int) {
        let second = UInt32(base[position + 1] & 0x3F)
        if lead < 0xE0 { return (UInt32(lead & 0x1F) << 6 | second, position + 2) }
        let third = UInt32(base[position + 2] & 0x3F)
        if lead < 0xF0 { return (UInt32(lead & 0x0F) << 12 | second << 6 | third, position + 3) }
        let fourth = UInt32(base[position + 3] & 0x3F)
        return (UInt32(lead & 0x07) << 18 | second << 12 | third << 6 | fourth, position + 4)
    }
}

/// The length of a character in bytes, by its first byte.
enum UTF8Length {
    /// 1 to 4; 1 for a continuation byte.
    @inline(__always)
    static func of(lead: UInt8) -> Int {
        lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    }
}
