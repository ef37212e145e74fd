import Testing

@testable import LeapTokenizer

/// The generated tables and UTF-8 repair.
struct UnicodeTests {
    @Test("The classes have as many characters as Unicode 16 says")
    func classCounts() {
        var letters = 0, numbers = 0, spaces = 0, punctuation = 0, symbols = 0, marks = 0, upper = 0, lower = 0
        for code in 0..<0x110000 as Range<UInt32> {
            let flags = CharacterClasses.shared(code)
            letters += flags & CharacterClass.letter != 0 ? 1 : 0
            numbers += flags & CharacterClass.number != 0 ? 1 : 0
            spaces += flags & CharacterClass.whitespace != 0 ? 1 : 0
            punctuation += flags & CharacterClass.punctuation != 0 ? 1 : 0
            symbols += flags & CharacterClass.symbol != 0 ? 1 : 0
            marks += flags & CharacterClass.mark != 0 ? 1 : 0
            upper += flags & CharacterClass.upper != 0 ? 1 : 0
            lower += flags & CharacterClass.lower != 0 ? 1 : 0
        }
        #expect(letters == 141_028)
        #expect(numbers == 1911)
        #expect(spaces == 25)
        #expect(punctuation == 855)
        #expect(symbols == 8514)
        #expect(marks == 2501)
        // Lu + Lt + Lm + Lo + M, and Ll + Lm + Lo + M.
        #expect(upper == 1889 + 136_881 + 2501)
        #expect(lower == 2258 + 136_881 + 2501)
    }

    @Test("The classes agree with the standard library on every letter it has known for years")
    func standardLibrary() {
        for code in 0..<0x3_0000 as Range<UInt32> {
            guard let scalar = Unicode.Scalar(code), let age = scalar.properties.age, age.major <= 13 else { continue }
            // Unicode 17 made this one a letter without case.
            if code == 0x295 { continue }
            let flags = CharacterClasses.shared(code)
            if scalar.properties.isWhitespace {
                #expect(flags == CharacterClass.whitespace, "U+\(String(code, radix: 16))")
                continue
            }
            let expected: UInt8? =
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .titlecaseLetter: CharacterClass.letter | CharacterClass.upper
                case .lowercaseLetter: CharacterClass.letter | CharacterClass.lower
                case .modifierLetter, .otherLetter: CharacterClass.letter | CharacterClass.upper | CharacterClass.lower
                case .decimalNumber, .letterNumber, .otherNumber: CharacterClass.number
                case .nonspacingMark, .spacingMark, .enclosingMark:
                    CharacterClass.mark | CharacterClass.upper | CharacterClass.lower
                case .control, .format, .privateUse: 0
                default: nil
                }
            if let expected, flags != expected {
                Issue.record("U+\(String(code, radix: 16)): \(flags), not \(expected)")
            }
        }
    }

    @Test(
        "Decompositions are canonical",
        arguments: [("é", "e\u{301}"), ("ǖ", "u\u{308}\u{304}"), ("한", "ᄒ\u{1161}\u{11AB}"), ("Ω", "Ω"), ("a", "a")])
    func decompositions(text: String, expected: String) {
        var parts: [UInt32] = []
        for scalar in text.unicodeScalars { Decompositions.shared.forEachPart(of: scalar.value) { parts.append($0) } }
        #expect(parts == expected.unicodeScalars.map(\.value))
    }
}
