/// English contractions: `'s|'t|'re|'ve|'m|'ll|'d`.
enum Contraction {
    /// Returns the end of the contraction at `start`; nil where there is none.
    ///
    /// The byte at `start` must be an apostrophe.
    ///
    /// Ignoring the case means Unicode's simple case folding, which makes `ſ` (U+017F) an `s`.
    @inline(__always)
    static func end(_ text: ScalarText, _ start: Int, _ limit: Int, ignoringCase: Bool) -> Int? {
        guard start + 1 < limit else { return nil }
        let fold: UInt8 = ignoringCase ? 0x20 : 0
        let first = text[start + 1]
        // Setting bit 5 lowers ASCII letters, and makes nothing else a letter: 'A' to 'Z' are the only bytes that land
        // there.
        switch first | fold {
        case UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "m"), UInt8(ascii: "d"):
            return start + 2
        case UInt8(ascii: "r"), UInt8(ascii: "v"):
            guard start + 2 < limit, text[start + 2] | fold == UInt8(ascii: "e") else { return nil }
            return start + 3
        case UInt8(ascii: "l"):
            guard start + 2 < limit, text[start + 2] | fold == UInt8(ascii: "l") else { return nil }
            return start + 3
        default:
            guard ignoringCase, first == 0xC5, start + 2 < limit, text[start + 2] == 0xBF else { return nil }
            return start + 3
        }
    }
}
