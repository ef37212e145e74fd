import Testing

@testable import LeapGrammar

/// The record of what later items and keys must differ from, alone.
@Suite("Record of items and keys")
struct LedgerTests {
    /// A value in one spelling of many, and a text that equal values share.
    private struct Spelled {
        var spelling: [UInt8]
        var meaning: String
    }

    private static func space(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<max(0, random.below(6) - 3)).map { _ in [0x20, 0x0A, 0x0D, 0x09][random.below(4)] }
    }

    private static func text(_ random: inout SeededGenerator) -> Spelled {
        var spelling: [UInt8] = [UInt8(ascii: "\"")]
        let characters = (0..<random.below(3)).map { _ in
            Array("ab/\u{e4}\u{1F600}\u{8}".unicodeScalars)[random.below(6)]
        }
        for character in characters {
            if character.value == 8 || random.below(3) == 0 {
                for unit in String(character).utf16 {
                    let digits = String(unit, radix: 16, uppercase: random.below(2) == 0)
                    spelling += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
                }
            } else {
                if character == "/", random.below(2) == 0 { spelling.append(UInt8(ascii: "\\")) }
                spelling += Array(String(character).utf8)
            }
        }
        return Spelled(
            spelling: spelling + [UInt8(ascii: "\"")],
            meaning: "'" + characters.map { "\($0.value)" }.joined(separator: ",") + "'")
    }

    /// A number as it is, or with its point moved and zeros added.
    private static func number(_ random: inout SeededGenerator) -> Spelled {
        let value = random.below(4) * [1, 10, 100][random.below(3)]
        let isNegative = value > 0 && random.below(4) == 0
        var text = "\(value)"
        switch random.below(5) {
        case 0: text += ".0" + String(repeating: "0", count: random.below(3))
        case 1: text = "\(value)000e-3"
        case 2: text = value % 10 == 0 ? "\(value / 10)E+1" : "\(value)e0"
        case 3: text = "0.\(value < 10 ? "0" : "")\(value)e2"
        default: break
        }
        // The last kind has two digits behind the point, or three.
        let meaning = text.hasPrefix("0.") && value >= 100 ? Double(value) / 10 : Double(value)
        return Spelled(
            spelling: Array(((isNegative ? "-" : "") + text).utf8), meaning: "\(isNegative ? -meaning : meaning)")
    }

    private static func value(_ random: inout SeededGenerator, depth: Int = 2) -> Spelled {
        switch random.below(depth == 0 ? 3 : 5) {
        case 0: return text(&random)
        case 1: return number(&random)
        case 2:
            let name = ["true", "false", "null"][random.below(3)]
            return Spelled(spelling: Array(name.utf8), meaning: name)
        case 3:
            let items = (0..<random.below(3)).map { _ in value(&random, depth: depth - 1) }
            return Spelled(
                spelling: list(items.map(\.spelling), "[", "]", &random),
                meaning: "[" + items.map(\.meaning).joined(separator: ";") + "]")
        default:
            var members: [String: (name: [UInt8], value: Spelled)] = [:]
            for _ in 0..<random.below(3) {
                let name = text(&random)
                members[name.meaning] = (name.spelling, value(&random, depth: depth - 1))
            }
            let parts = members.values.shuffled(using: &random).map {
                $0.name + space(&random) + [UInt8(ascii: ":")] + space(&random) + $0.value.spelling
            }
            let meanings = members.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value.value.meaning)" }
            return Spelled(
                spelling: list(parts, "{", "}", &random), meaning: "{" + meanings.joined(separator: ";") + "}")
        }
    }

    private static func list(
        _ parts: [[UInt8]], _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ random: inout SeededGenerator
    ) -> [UInt8] {
        var bytes = [UInt8(ascii: open)]
        for (index, part) in parts.enumerated() {
            bytes += (index > 0 ? [UInt8(ascii: ",")] : []) + space(&random) + part + space(&random)
        }
        return bytes + [UInt8(ascii: close)]
    }

    /// Reads bytes; only what opens the outermost container has items or keys that must differ.
    private static func read(_ bytes: [UInt8], into ledger: inout Ledger) {
        for byte in bytes { ledger.read(byte, isTracked: ledger.byteCount == 0) }
    }

    @Test("An item is like an earlier one where their values are, however they are spelled", arguments: 0..<30)
    func items(seed: Int) {
        var random = SeededGenerator(seed)
        var repeated = 0
        for _ in 0..<40 {
            var ledger = Ledger()
            Self.read([UInt8(ascii: "[")], into: &ledger)
            var meanings: Set<String> = []
            for index in 0..<(2 + random.below(6)) {
                let item = Self.value(&random, depth: random.below(3))
                if index > 0 { Self.read([UInt8(ascii: ",")], into: &ledger) }
                #expect(ledger.usedCount == meanings.count)
                Self.read(Self.space(&random) + item.spelling, into: &ledger)
                let isRepeated = meanings.contains(item.meaning)
                #expect(ledger.repeatsItem == isRepeated, "\(String(decoding: item.spelling, as: UTF8.self))")
                repeated += isRepeated ? 1 : 0
                Self.read(Self.space(&random), into: &ledger)
                #expect(ledger.repeatsItem == isRepeated)
                meanings.insert(item.meaning)
            }
            Self.read([UInt8(ascii: "]")], into: &ledger)
            #expect(ledger.isFinished && ledger.usedCount == 0)
        }
        #expect(repeated > 0)
    }

    @Test("A key is like an earlier one where their texts are, and those of objects inside do not count")
    func keys() {
        var ledger = Ledger()
        Self.read(Array(#"{"a\u0062": {"x": 1, "ab": 2}, "x""#.utf8), into: &ledger)
        #expect(!ledger.repeatsKey && ledger.usedCount == 1)
        Self.read(Array(#": [], "ab""#.utf8), into: &ledger)
        #expect(ledger.repeatsKey && ledger.usedCount == 2)
    }

    @Test(
        "The bytes with which a text can still be like an earlier one are those of the earlier ones, an escape and the end"
    )
    func bytes() {
        func bytes(_ text: String) -> Set<UInt8>? {
            var ledger = Ledger()
            Self.read(Array(text.utf8), into: &ledger)
            return ledger.isDirect ? ledger.repeatingBytes.map { Set((0...255).filter($0.contains)) } : nil
        }
        func set(_ text: String) -> Set<UInt8> { Set(text.utf8) }
        #expect(bytes(#"["ab", "a\u0063", "a", ""#) == set("a\\"))
        #expect(bytes(#"["ab", "a\u0063", "a", "a"#) == set("bc\\\""))
        #expect(bytes(#"["ab", "a\u0063", "a", "\u0061"#) == set("bc\\\""))
        #expect(bytes(#"["ab", "a\u0063", "ab"#) == set("\\\""))
        // It can be like none any more.
        #expect(bytes(#"["ab", "x"#) == set("\\"))
        #expect(bytes(#"{"ab": 1, "a"#) == set("b\\"))
        // Inside of an escape any may follow, and a text inside of an item is no item.
        #expect(bytes(#"["ab", "\u00"#) == nil)
        #expect(bytes(#"["ab", ["a"#) == nil)
    }

    @Test("Numbers are told apart by their values")
    func numbers() {
        func mark(_ text: String) -> ValueMark { ValueMark.number(Array(text.utf8)) }
        for same in [["1", "1.0", "10e-1", "0.1e1", "1E+0", "100e-2"], ["0", "0.0", "-0", "0e7"], ["-25", "-2.5e1"]] {
            for text in same { #expect(mark(text) == mark(same[0]), "\(text)") }
        }
        let different = ["0", "1", "-1", "10", "0.1", "11", "101", "1e2", "1e-2"].map(mark)
        #expect(Set(different).count == different.count)
    }
}
