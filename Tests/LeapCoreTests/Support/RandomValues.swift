import LeapJSON
import LeapTestSupport

@testable import LeapCore

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
