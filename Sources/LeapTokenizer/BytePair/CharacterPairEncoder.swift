import LeapBase
import LeapGGUF

/// Byte-pair encoding of characters with its tables: what ``CharacterPairModel`` makes for its first text.
final class CharacterPairEncoder: Sendable {
    private let vocabulary: Vocabulary
    private let index: TokenIndex
    private let merges: MergeTable
    /// The token of each byte, -1 where there is none.
    private let byteTokens: [TokenID]
    private let unknownToken: TokenID?
    /// The texts of symbols that are not tokens; the first has the id ``Vocabulary/count``.
    private let virtualSymbols: [[UInt8]]

    private static let space: [UInt8] = [0xE2, 0x96, 0x81]
    /// The symbol for a byte that has no token, where the vocabulary has none for the unknown either.
    private static let unknownSymbol = TokenID.max

    /// Numbers the texts of `merges`.
    init(merges strings: GGUFStringArray, vocabulary: Vocabulary, unknownToken: TokenID?) {
        self.vocabulary = vocabulary
        self.unknownToken = unknownToken
        index = vocabulary.index
        byteTokens = (0..<256).map { SentencePieceModel.token(of: UInt8($0), vocabulary) ?? -1 }
        var symbols = SymbolTable(vocabulary)
        merges = MergeTable(capacity: strings.count)
        symbols.read(strings, into: merges)
        virtualSymbols = symbols.virtualSymbols
    }

    /// Appends the tokens of `text`; see ``TokenizerModel``.
    ///
    /// Bytes that are not UTF-8 have tokens of their own.
    func encode(_ text: UnsafeBufferPointer<UInt8>, scratch: EncodingScratch, into tokens: TokenBuffer) {
        var start = 0
        while start < text.count {
            let isBreak = text[start] == UInt8(ascii: "\n")
            var end = start + 1
            while end < text.count, (text[end] == UInt8(ascii: "\n")) == isBreak { end += 1 }
            encodeLine(UnsafeBufferPointer(rebasing: text[start..<end]), scratch, tokens)
            start = end
        }
    }

    private func encodeLine(
        _ line: UnsafeBufferPointer<UInt8>, _ scratch: EncodingScratch, _ tokens: TokenBuffer
    ) {
        // One more than the symbols: merging keeps the end of the last one.
        scratch.merger.reserve(line.count + 1)
        let ids = scratch.merger.ids
        var (position, count) = (0, 0)
        while position < line.count {
            let length = max(UTF8Bytes.characterLength(line, at: position), 1)
            let character = UnsafeBufferPointer(rebasing: line[position..<position + length])
            position += length
            if let token = token(of: character) {
                ids[count] = token
                count += 1
                continue
            }
            for byte in character {
                ids[count] = byteTokens[Int(byte)] >= 0 ? byteTokens[Int(byte)] : unknownToken ?? Self.unknownSymbol
                count += 1
            }
        }
        let left = scratch.merger.merge(count, by: RankRule(merges: merges))
        for place in 0..<left { emit(scratch.merger.ids[place], tokens) }
    }

    /// The token of a character; text makes no control tokens.
    private func token(of character: UnsafeBufferPointer<UInt8>) -> TokenID? {
        let token =
            character.count == 1 && character[0] == UInt8(ascii: " ")
            ? Self.space.withUnsafeBufferPointer { index.find($0) } : index.find(character)
        guard let token, vocabulary.kinds[Int(token)] != .control else { return nil }
        return token
    }

    /// Appends a symbol, or the tokens of the characters of one that is none.
    private func emit(_ symbol: TokenID, _ tokens: TokenBuffer) {
        if symbol < vocabulary.count { return tokens.append(symbol) }
        let number = Int(symbol) - vocabulary.count
        guard number < virtualSymbols.count else { return }
        virtualSymbols[number].withUnsafeBufferPointer { text in
            var position = 0
            while position < text.count {
                let length = max(UTF8Bytes.characterLength(text, at: position), 1)
                let character = UnsafeBufferPointer(rebasing: text[position..<position + length])
                position += length
                if let token = token(of: character) {
                    tokens.append(token)
                } else {
                    for byte in character where byteTokens[Int(byte)] >= 0 { tokens.append(byteTokens[Int(byte)]) }
                }
            }
        }
    }

    /// Pairs merge by their rank in the file.
    private struct RankRule: PairRule {
        static var usesPlaces: Bool { false }
        let merges: MergeTable

        @inline(__always)
        func pair(_ left: Int, _ leftID: TokenID, _ right: Int, _ rightID: TokenID, _ end: Int) -> UInt64 {
            merges.find(leftID, rightID)
        }
    }
}
