import LeapJSON

@testable import LeapCore

/// A generator whose numbers follow from its seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension String {
    /// Letters, quotes, escapes, marks of calls, and characters of up to four bytes.
    static func random(_ generator: inout SeededGenerator, count: ClosedRange<Int> = 0...8) -> String {
        let alphabet = [
            "a", "B", "7", " ", "\n", "\"", "'", "\\", "<", ">", "|", "/", ",", "(", ")", "é", "漢", "😀", "\u{301}",
            "\t",
        ]
        return (0..<Int.random(in: count, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? ""
        }.joined()
    }
}

extension JSONValue {
    /// Any value, nested up to three deep.
    static func random(_ generator: inout SeededGenerator, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth < 3 ? 8 : 6), using: &generator) {
        case 0: .null
        case 1: .bool(.random(using: &generator))
        case 2: .integer(.random(in: -1000...1000, using: &generator))
        case 3: .double(Double(Int.random(in: -9999...9999, using: &generator)) / 16 + 1.0 / 64)
        case 4, 5: .string(.random(&generator))
        case 6:
            .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in .random(&generator, depth: depth + 1) })
        default:
            .object(
                JSONObject(
                    (0..<Int.random(in: 0...4, using: &generator)).map { index in
                        ("k\(index)" + String.random(&generator), .random(&generator, depth: depth + 1))
                    }))
        }
    }
}
