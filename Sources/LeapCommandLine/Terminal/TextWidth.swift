/// The columns that text takes on a terminal.
enum TextWidth {
    static func of(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// 0 for what combines with the character before it, 2 for wide characters and pictures, else 1.
    ///
    /// By Unicode's East Asian Width (UAX #11), blocks as a whole, and the emoji presentation (UTS #51).
    static func of(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.isASCII { return first.value < 0x20 || first.value == 0x7F ? 0 : 1 }
        // A text character with the mark for the presentation as a picture, or a pair that is a flag.
        if character.unicodeScalars.contains("\u{FE0F}") || first.properties.isEmojiPresentation { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return isWide(first.value) ? 2 : 1
        }
    }

    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F,  // Hangul consonants
            0x2E80...0x303E, 0x3041...0x33FF,  // CJK radicals, punctuation, kana
            0x3400...0x4DBF, 0x4E00...0x9FFF,  // ideographs
            0xA000...0xA4CF,  // Yi
            0xA960...0xA97F, 0xAC00...0xD7A3,  // Hangul
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6,  // full-width forms
            0x17000...0x18CFF,  // Tangut
            0x1B000...0x1B2FF,  // kana supplements
            0x20000...0x3FFFD:  // ideographs
            true
        default: false
        }
    }
}
