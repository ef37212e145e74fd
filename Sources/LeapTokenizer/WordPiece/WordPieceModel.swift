import LeapBase

/// WordPiece: the `bert` model of GGUF.
///
/// A word is written in the longest tokens from its start on, of which the first is marked with U+2581 in the
/// vocabulary; a word that cannot be, or of more than 100 characters, is one unknown token.
final class WordPieceModel: TokenizerModel {
    private let vocabulary: Vocabulary
    private let index: TokenIndex
    private let normalizer: BertNormalizer
    private let unknownToken: TokenID?
    private static let maximumCharacters = 100
    private static let start: [UInt8] = [0xE2, 0x96, 0x81]

    init(vocabulary: Vocabulary, normalizer: BertNormalizer, unknownToken: TokenID?) {
        self.vocabulary = vocabulary
        index = vocabulary.index
        self.normalizer = normalizer
        self.unknownToken = unknownToken
    }

    func encode(
        _ text: UnsafeBufferPointer<UInt8>, isValid: Bool, startsSegment: Bool, scratch: EncodingScratch,
        into tokens: TokenBuffer
    ) {
        if isValid || UTF8Bytes.isValid(text) {
            encodeValid(text, scratch, tokens)
        } else {
            UTF8Bytes.repaired(text).withUnsafeBufferPointer { encodeValid($0, scratch, tokens) }
        }
    }

    private func encodeValid(_ text: UnsafeBufferPointer<UInt8>, _ scratch: EncodingScratch, _ tokens: TokenBuffer) {
        normalizer.forEachWord(text, markedWith: Self.start) { word in
            guard let base = word.baseAddress else { return encodeWord(word, tokens) }
            scratch.cache.append(base, word.count, to: tokens) { encodeWord(word, tokens) }
        }
    }

    /// Appends the tokens of `word`, which begins with the mark.
    private func encodeWord(_ word: UnsafeBufferPointer<UInt8>, _ tokens: TokenBuffer) {
        let first = tokens.count
        let characters = word.reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) } - 1
        if characters <= Self.maximumCharacters, appendPieces(of: word, tokens) { return }
        tokens.truncate(to: first)
        if let unknownToken { tokens.append(unknownToken) }
    }

    private func appendPieces(of word: UnsafeBufferPointer<UInt8>, _ tokens: TokenBuffer) -> Bool {
        var start = 0
        while start < word.count {
            // The mark alone is no piece: the first one has a character of the word in it.
            let shortest = start == 0 ? Self.start.count + 1 : start + 1
            var end = min(word.count, start + vocabulary.texts.maximumLength)
            var found: TokenID?
            while end >= shortest {
                found = find(UnsafeBufferPointer(rebasing: word[start..<end]))
                if found != nil { break }
                end -= 1
            }
            guard let found else { return false }
            tokens.append(found)
            start = end
        }
        return true
    }

    private func find(_ text: UnsafeBufferPointer<UInt8>) -> TokenID? {
        guard let token = index.find(text), vocabulary.kinds[Int(token)] != .control else { return nil }
        return token
    }
}
