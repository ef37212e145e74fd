/// Long texts that were pasted, each of which one character stands for while a line is edited.
struct FoldedTexts: Equatable {
    /// A paste with more lines or characters is folded.
    static let maxLines = 8
    static let maxCharacters = 800
    /// The characters that stand for texts: of a private plane, and taken out of what comes from outside.
    private static let marks = 0x10_FF00...0x10_FFF0

    private var texts: [Character: String] = [:]

    /// Returns the character that stands for a paste from now on; nil for one that is short.
    mutating func fold(_ text: String) -> Character? {
        let lines = text.reduce(1) { $0 + ($1.isNewline ? 1 : 0) }
        guard lines > Self.maxLines || text.count > Self.maxCharacters,
            let scalar = UnicodeScalar(UInt32(Self.marks.lowerBound + texts.count)),
            Self.marks.contains(Int(scalar.value))
        else { return nil }
        let mark = Character(scalar)
        texts[mark] = text
        return mark
    }

    /// The characters with the texts in the places of those that stand for them.
    func unfolded(_ characters: [Character]) -> String {
        guard !texts.isEmpty else { return String(characters) }
        return characters.reduce(into: "") { text, character in
            if let folded = texts[character] { text += folded } else { text.append(character) }
        }
    }

    /// Returns what is shown in the place of a character that stands for a text.
    func label(_ character: Character) -> String? {
        guard let text = texts[character] else { return nil }
        let lines = text.reduce(1) { $0 + ($1.isNewline ? 1 : 0) }
        return lines > 1 ? "[pasted \(lines) lines]" : "[pasted \(text.count) characters]"
    }

    /// A text from outside, which has none of these characters then.
    static func readable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { marks.contains(Int($0.value)) }) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(marks.contains(Int(scalar.value)) ? "\u{FFFD}" : scalar) }
        return String(result)
    }
}
