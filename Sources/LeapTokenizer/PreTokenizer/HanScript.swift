/// The characters whose script is Han (Unicode 16, Scripts.txt).
enum HanScript {
    private static let ranges: [ClosedRange<UInt32>] = [
        0x2E80...0x2E99, 0x2E9B...0x2EF3, 0x2F00...0x2FD5, 0x3005...0x3005, 0x3007...0x3007, 0x3021...0x3029,
        0x3038...0x303B, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFA6D, 0xFA70...0xFAD9, 0x16FE2...0x16FE3,
        0x16FF0...0x16FF1, 0x20000...0x2A6DF, 0x2A700...0x2B739, 0x2B740...0x2B81D, 0x2B820...0x2CEA1,
        0x2CEB0...0x2EBE0, 0x2EBF0...0x2EE5D, 0x2F800...0x2FA1D, 0x30000...0x3134A, 0x31350...0x323AF,
    ]

    /// Returns whether `code` is a Han character.
    @inline(__always)
    static func contains(_ code: UInt32) -> Bool {
        code >= 0x2E80 && ScalarRanges.contains(code, in: ranges)
    }

    /// Returns the end of the run of Han characters at `start`; nil where there is none.
    @inline(__always)
    static func runEnd(_ text: ScalarText, _ start: Int, _ limit: Int) -> Int? {
        var position = start
        while position < limit {
            let (code, next) = text.scalar(position)
            if !contains(code) { break }
            position = next
        }
        return position > start ? position : nil
    }
}

/// Membership in sorted, disjoint ranges.
enum ScalarRanges {
    /// Returns whether one of `ranges` holds `code`.
    static func contains(_ code: UInt32, in ranges: [ClosedRange<UInt32>]) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < code { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= code
    }
}
