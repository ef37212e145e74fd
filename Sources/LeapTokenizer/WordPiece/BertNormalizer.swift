import LeapBase

/// BERT's text clean-up and splitting into words: controls removed, Chinese characters and punctuation alone, accents
/// stripped, letters lowered.
struct BertNormalizer: Sendable {
    let lowercases: Bool
    let stripsAccents: Bool
    private let classes = CharacterClasses.shared

    init(lowercases: Bool, stripsAccents: Bool) {
        self.lowercases = lowercases
        self.stripsAccents = stripsAccents
    }

    /// Calls `body` with the UTF-8 of `mark` and each word of `text`, which must be valid UTF-8.
    func forEachWord(
        _ text: UnsafeBufferPointer<UInt8>, markedWith mark: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        guard let base = text.baseAddress else { return }
        let scalars = ScalarText(base)
        var word = mark

        func finish() {
            guard word.count > mark.count else { return }
            word.withUnsafeBufferPointer { body($0) }
            word.removeLast(word.count - mark.count)
        }
        func append(_ code: UInt32) {
            let flags = classes(code)
            if flags & CharacterClass.whitespace != 0 { return finish() }
            if flags & CharacterClass.punctuation != 0 || code < 0x80 && flags & CharacterClass.symbol != 0 {
                finish()
                UTF8Bytes.append(code, to: &word)
                return finish()
            }
            UTF8Bytes.append(code, to: &word)
        }
        func lower(_ code: UInt32) {
            guard lowercases else { return append(code) }
            if code < 0x80 { return append(code &- 0x41 < 26 ? code + 0x20 : code) }
            guard let scalar = Unicode.Scalar(code), scalar.properties.changesWhenLowercased else {
                return append(code)
            }
            for scalar in scalar.properties.lowercaseMapping.unicodeScalars { append(scalar.value) }
        }
        func strip(_ code: UInt32) {
            guard stripsAccents, code >= 0x80 else { return lower(code) }
            Decompositions.shared.forEachPart(of: code) { part in
                if !isNonspacingMark(part) { lower(part) }
            }
        }
        var position = 0
        while position < text.count {
            let (code, next) = scalars.scalar(position)
            position = next
            if isRemoved(code) { continue }
            if Self.isChinese(code) {
                finish()
                strip(code)
                finish()
            } else {
                strip(code)
            }
        }
        finish()
    }

    /// Returns whether clean-up removes the character: controls but tab and line breaks, formats, private use, NUL and
    /// U+FFFD.
    private func isRemoved(_ code: UInt32) -> Bool {
        if code < 0x80 { return code < 0x20 && code != 0x09 && code != 0x0A && code != 0x0D || code == 0x7F }
        if code == 0xFFFD || code == 0x85 { return true }
        guard classes(code) == 0 else { return false }
        switch Unicode.Scalar(code)?.properties.generalCategory {
        case .control, .format, .privateUse: return true
        default: return false
        }
    }

    private func isNonspacingMark(_ code: UInt32) -> Bool {
        classes(code) & CharacterClass.mark != 0
            && Unicode.Scalar(code)?.properties.generalCategory == .nonspacingMark
    }

    /// The ranges that BERT's implementations call Chinese, one of them with the typing error all of them share.
    private static func isChinese(_ code: UInt32) -> Bool {
        switch code {
        case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0xF900...0xFAFF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F,
            0x2B920...0x2CEAF, 0x2F800...0x2FA1F:
            true
        default: false
        }
    }
}
