/// Finds a character that is cut off at the end of bytes of UTF-8 (The Unicode Standard, table 3-7).
enum UTF8Tail {
    /// The number of bytes at the end that are the beginning of a character and not yet all of it; 0 to 3.
    static func length(of bytes: ArraySlice<UInt8>) -> Int {
        for length in 1...3 where length <= bytes.count {
            let tail = bytes.suffix(length)
            guard let lead = tail.first else { return 0 }
            if lead & 0xC0 == 0x80 { continue }
            return needed(lead) > length && isBeginning(tail) ? length : 0
        }
        return 0
    }

    private static func needed(_ lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    /// Whether the second byte, where there is one, may follow the first.
    private static func isBeginning(_ tail: ArraySlice<UInt8>) -> Bool {
        guard tail.count > 1 else { return true }
        let second = tail[tail.startIndex + 1]
        switch tail[tail.startIndex] {
        case 0xE0: return (0xA0...0xBF).contains(second)
        case 0xED: return (0x80...0x9F).contains(second)
        case 0xF0: return (0x90...0xBF).contains(second)
        case 0xF4: return (0x80...0x8F).contains(second)
        default: return (0x80...0xBF).contains(second)
        }
    }
}
