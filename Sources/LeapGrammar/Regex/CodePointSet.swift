/// A set of Unicode scalar values as sorted, disjoint, closed ranges.
struct CodePointSet: Hashable, Sendable {
    private(set) var ranges: [ClosedRange<UInt32>]

    /// Every scalar value (no surrogates).
    static let all = CodePointSet(sorted: [0...0xD7FF, 0xE000...0x10FFFF])
    static let none = CodePointSet(sorted: [])

    init(sorted ranges: [ClosedRange<UInt32>]) { self.ranges = ranges }

    init(_ unsorted: [ClosedRange<UInt32>]) {
        var merged: [ClosedRange<UInt32>] = []
        for range in unsorted.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound || range.lowerBound == last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        ranges = merged
    }

    init(_ codePoint: UInt32) { ranges = [codePoint...codePoint] }

    var isEmpty: Bool { ranges.isEmpty }

    func contains(_ codePoint: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < codePoint { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= codePoint
    }

    /// True if any member lies in the range.
    func intersects(_ range: ClosedRange<UInt32>) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < range.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= range.upperBound
    }

    /// The least member in a range.
    func first(in range: ClosedRange<UInt32>) -> UInt32? {
        for own in ranges where own.upperBound >= range.lowerBound {
            let low = max(own.lowerBound, range.lowerBound)
            return low <= range.upperBound && low <= own.upperBound ? low : nil
        }
        return nil
    }

    func union(_ other: CodePointSet) -> CodePointSet { CodePointSet(ranges + other.ranges) }

    func intersection(_ other: CodePointSet) -> CodePointSet {
        var result: [ClosedRange<UInt32>] = []
        var i = 0
        var j = 0
        while i < ranges.count, j < other.ranges.count {
            let a = ranges[i]
            let b = other.ranges[j]
            let low = max(a.lowerBound, b.lowerBound)
            let high = min(a.upperBound, b.upperBound)
            if low <= high { result.append(low...high) }
            if a.upperBound < b.upperBound { i += 1 } else { j += 1 }
        }
        return CodePointSet(sorted: result)
    }

    /// All scalar values that are not members.
    var complement: CodePointSet {
        var result: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { result.append(next...0x10FFFF) }
        return CodePointSet(sorted: result).intersection(.all)
    }
}

extension CodePointSet {
    static let digits = CodePointSet([0x30...0x39])
    static let word = CodePointSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    /// ECMAScript white space and line terminators.
    static let space = CodePointSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    /// The characters that ECMAScript's `.` does not match.
    static let lineTerminators = CodePointSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
    /// The characters that a string with constrained text may write as escapes: those that must be, and all but ASCII.
    static let restrictedEscapes = CodePointSet([
        0...0x1F, 0x22...0x22, 0x5C...0x5C, 0x7F...0xD7FF, 0xE000...0x10FFFF,
    ])

    /// The least number of bytes that spell a member inside a JSON string.
    var spellingCost: Int {
        var best = Int.max
        for range in ranges {
            if range.upperBound < 0x80 || range.lowerBound < 0x80 {
                for codePoint in range.lowerBound...min(range.upperBound, 0x7F) {
                    best = min(best, Self.spellingCost(of: codePoint))
                    if best == 1 { return 1 }
                }
            }
            if range.upperBound >= 0x80 {
                let low = max(range.lowerBound, 0x80)
                best = min(best, low < 0x800 ? 2 : low < 0x10000 ? 3 : 4)
            }
        }
        return best
    }

    /// Bytes of the shortest JSON spelling of one code point.
    static func spellingCost(of codePoint: UInt32) -> Int {
        switch codePoint {
        case 0x22, 0x5C, 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
        case 0..<0x20: 6
        case 0x20..<0x80: 1
        case 0x80..<0x800: 2
        case 0x800..<0x10000: 3
        default: 4
        }
    }
}
