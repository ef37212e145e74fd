import LeapJSON
import LeapTestSupport

extension JSONValue {
    /// Any value, nested up to four deep, with every way of spelling a number.
    static func random(_ generator: inout SeededGenerator, depth: Int = 0) -> JSONValue {
        switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &generator) {
        case 0: .null
        case 1: .bool(.random(using: &generator))
        case 2: .integer(Int64.random(in: .min ... .max, using: &generator))
        case 3: .double(Double(bitPattern: .random(in: 0 ... .max, using: &generator)))
        case 4: (try? JSONParser.parse(spelledNumber(&generator))) ?? .null
        case 5: .string(text(&generator))
        case 6, 7:
            .array((0..<Int.random(in: 0...4, using: &generator)).map { _ in random(&generator, depth: depth + 1) })
        default:
            .object(
                JSONObject(
                    (0..<Int.random(in: 0...12, using: &generator)).map { index in
                        (text(&generator) + "\(index)", random(&generator, depth: depth + 1))
                    }))
        }
    }

    private static func spelledNumber(_ generator: inout SeededGenerator) -> String {
        func digits(_ range: ClosedRange<Int>) -> String {
            (0..<Int.random(in: range, using: &generator)).map { _ in "\(Int.random(in: 0...9, using: &generator))" }
                .joined()
        }
        let sign = Bool.random(using: &generator) ? "-" : ""
        let whole =
            Bool.random(using: &generator) ? "0" : "\(Int.random(in: 1...9, using: &generator))" + digits(0...25)
        let fraction = Bool.random(using: &generator) ? "." + digits(1...25) : ""
        let mark = ["e", "E", "e+", "e-"].randomElement(using: &generator) ?? "e"
        let exponent = Bool.random(using: &generator) ? mark + digits(1...3) : ""
        return sign + whole + fraction + exponent
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let alphabet = [
            "a", "B", "7", " ", "\n", "\"", "\\", "/", "{", "[", ":", ",", "é", "e\u{301}", "漢", "😀", "\u{0}", "\u{1F}",
            "\u{7F}", "\u{2028}", "\u{FEFF}", "\u{FFFD}", "\t", "\u{8}",
        ]
        return (0..<Int.random(in: 0...8, using: &generator)).map { _ in
            alphabet.randomElement(using: &generator) ?? ""
        }.joined()
    }
}
