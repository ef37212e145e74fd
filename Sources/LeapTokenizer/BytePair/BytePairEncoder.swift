import LeapBase
import LeapGGUF

/// Byte-level byte-pair encoding with its tables: what ``BytePairModel`` makes for its first text.
final class BytePairEncoder: Sendable {
    private let vocabulary: Vocabulary
    private let index: TokenIndex
    private let preTokenizer: PreTokenizer
    private let ignoresMerges: Bool
    private let merges: MergeTable
    /// The symbol of each byte.
    private let byteSymbols: [TokenID]
    /// The bytes of each symbol that is not a token, in the vocabulary's alphabet; the first has the id
    /// ``Vocabulary/count``.
    private let virtualSymbols: [[UInt8]]

    /// Numbers the texts of `merges`: two look-ups in the vocabulary for each of them.
    init(merges strings: GGUFStringArray, vocabulary: Vocabulary, name: PreTokenizerName) {
        self.vocabulary = vocabulary
        index = vocabulary.index
        preTokenizer = name.preTokenizer
        ignoresMerges = name.ignoresMerges
        var symbols = SymbolTable(vocabulary)
        byteSymbols = (0..<256).map { byte in
            var text: [UInt8] = []
            UTF8Bytes.append(UInt32(ByteLevelAlphabet.characters[byte]), to: &text)
            return text.withUnsafeBufferPointer { symbols.symbol(of: $0) ?? 0 }
        }
        merges = MergeTable(capacity: strings.count)
        symbols.read(strings, into: merges)
        virtualSymbols = symbols.virtualSymbols
    }

    /// Appends the tokens of `text`; see ``TokenizerModel``.
    func encode(
        _ text: UnsafeBufferPointer<UInt8>, isValid: Bool, scratch: EncodingScratch, into tokens: TokenBuffer
    ) {
        if isValid || UTF8Bytes.isValid(text) {
            encodeValid(text, scratch, tokens)
        } else {
            UTF8Bytes.repaired(text).withUnsafeBufferPointer { encodeValid($0, scratch, tokens) }
        }
    }

    private func encodeValid(
        _ text: UnsafeBufferPointer<UInt8>, _ scratch: EncodingScratch, _ tokens: TokenBuffer
    ) {
        guard let base = text.baseAddress else { return }
        let pieces = scratch.pieces
        var start = 0
        while start < text.count {
            let end = preTokenizer.cut(ScalarText(base), start, text.count, into: pieces, using: scratch.sparePieces)
            for index in 0..<pieces.count {
                let pieceEnd = pieces.pointer[index]
                encodePiece(base + start, pieceEnd - start, scratch, tokens)
                start = pieceEnd
            }
            start = end
        }
    }

    @inline(__always)
    private func encodePiece(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, _ scratch: EncodingScratch, _ tokens: TokenBuffer
    ) {
        if count == 1 { return emit(byteSymbols[Int(bytes[0])], tokens) }
        scratch.cache.append(bytes, count, to: tokens) { merge(bytes, count, scratch, tokens) }
    }

    @inline(never)
    private func merge(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, _ scratch: EncodingScratch, _ tokens: TokenBuffer
    ) {
        if ignoresMerges, let token = wholeToken(bytes, count) { return tokens.append(token) }
        // One more than the symbols: merging keeps the end of the last one.
        scratch.merger.reserve(count + 1)
        byteSymbols.withUnsafeBufferPointer { symbols in
            for index in 0..<count { scratch.merger.ids[index] = symbols[Int(bytes[index])] }
        }
        let left = scratch.merger.merge(count, by: RankRule(merges: merges))
        for index in 0..<left { emit(scratch.merger.ids[index], tokens) }
    }

    /// The token that the piece is as a whole.
    ///
    /// Control tokens are not looked for here: text never makes one.
    private func wholeToken(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> TokenID? {
        guard count <= vocabulary.texts.maximumLength else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count * 2) { text in
            var length = 0
            for index in 0..<count {
                let character = ByteLevelAlphabet.characters[Int(bytes[index])]
                if character < 0x80 {
                    text[length] = UInt8(truncatingIfNeeded: character)
                    length += 1
                } else {
                    text[length] = 0xC0 | UInt8(truncatingIfNeeded: character >> 6)
                    text[length + 1] = 0x80 | UInt8(truncatingIfNeeded: character & 0x3F)
                    length += 2
                }
            }
            guard let token = index.find(UnsafeBufferPointer(rebasing: text[..<length])),
                vocabulary.kinds[Int(token)] != .control
            else { return nil }
            return token
        }
    }

    /// Appends a symbol, or the bytes of one that is not a token, as far as the vocabulary has them.
    @inline(__always)
    private func emit(_ symbol: TokenID, _ tokens: TokenBuffer) {
        if symbol < vocabulary.count { tokens.append(symbol) } else { emitBytes(symbol, tokens) }
    }

    @inline(never)
    private func emitBytes(_ symbol: TokenID, _ tokens: TokenBuffer) {
        var bytes: [UInt8] = []
        virtualSymbols[Int(symbol) - vocabulary.count].withUnsafeBufferPointer {
            ByteLevelAlphabet.decode($0, into: &bytes)
        }
        for byte in bytes where byteSymbols[Int(byte)] < vocabulary.count { tokens.append(byteSymbols[Int(byte)]) }
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
