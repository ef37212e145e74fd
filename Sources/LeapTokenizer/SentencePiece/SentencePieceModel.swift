/// SentencePiece's byte-pair encoding: the `llama` model of GGUF.
///
/// Neighbouring symbols whose joint text is a token merge, the highest score first; what is then no token is written in
/// bytes. As in SentencePiece, and unlike in llama.cpp, text never becomes a control, unknown or byte token by spelling
/// its name.
final class SentencePieceModel: TokenizerModel {
    private let vocabulary: Vocabulary
    private let index: TokenIndex
    private let filter: PairFilter
    private let byteTokens: [TokenID]
    private let unknownToken: TokenID?
    private let addsSpacePrefix: Bool

    init(vocabulary: Vocabulary, unknownToken: TokenID?, addsSpacePrefix: Bool) {
        self.vocabulary = vocabulary
        index = vocabulary.index
        self.unknownToken = unknownToken
        self.addsSpacePrefix = addsSpacePrefix
        let kinds = vocabulary.kinds
        var filter = PairFilter(tokenCount: vocabulary.count)
        for token in 0..<vocabulary.count where Self.isText(kinds[token]) { filter.insert(vocabulary.texts[token]) }
        self.filter = filter
        byteTokens = (0..<256).map { Self.token(of: UInt8($0), vocabulary) ?? -1 }
    }

    private static func isText(_ kind: TokenKind) -> Bool {
        kind == .normal || kind == .userDefined || kind == .unused
    }

    /// The token that text can become whose text is the `count` bytes at `bytes`, or -1.
    @inline(__always)
    private func find(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> TokenID {
        let token = index.find(bytes, count)
        return token < 0 || Self.isText(vocabulary.kinds[Int(token)]) ? token : -1
    }

    /// The token that stands for `byte`: `<0xXX>`, or the character itself where a vocabulary has no byte tokens.
    static func token(of byte: UInt8, _ vocabulary: Vocabulary) -> TokenID? {
        let digits = Array("0123456789ABCDEF".utf8)
        let name = Array("<0x".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)], UInt8(ascii: ">")]
        return name.withUnsafeBufferPointer { vocabulary.index.find($0) }
            ?? [byte].withUnsafeBufferPointer { vocabulary.index.find($0) }
    }

    func encode(
        _ text: UnsafeBufferPointer<UInt8>, isValid: Bool, startsSegment: Bool, scratch: EncodingScratch,
        into tokens: TokenBuffer
    ) {
        scratch.text.removeAll(keepingCapacity: true)
        scratch.text.reserveCapacity(text.count + text.count / 2 + 3)
        if addsSpacePrefix, startsSegment { Self.appendSpace(to: &scratch.text) }
        var copied = 0
        for position in 0..<text.count where text[position] == UInt8(ascii: " ") {
            scratch.text.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied..<position]))
            Self.appendSpace(to: &scratch.text)
            copied = position + 1
        }
        scratch.text.append(contentsOf: UnsafeBufferPointer(rebasing: text[copied...]))
        let escaped = scratch.text
        escaped.withUnsafeBufferPointer { encodeParts(of: $0, scratch, tokens) }
    }

    private static func appendSpace(to text: inout [UInt8]) {
        text.append(0xE2)
        text.append(0x96)
        text.append(0x81)
    }

    /// Cuts the text where no merge can cross, and encodes the parts.
    private func encodeParts(
        of text: UnsafeBufferPointer<UInt8>, _ scratch: EncodingScratch, _ tokens: TokenBuffer
    ) {
        guard let base = text.baseAddress else { return }
        var start = 0
        while start < text.count {
            var (previous, position) = PairFilter.symbol(text, start)
            while position < text.count {
                let (symbol, next) = PairFilter.symbol(text, position)
                if !filter.mayJoin(previous, symbol) { break }
                previous = symbol
                position = next
            }
            encodePart(base + start, position - start, scratch, tokens)
            start = position
        }
    }

    @inline(__always)
    private func encodePart(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, _ scratch: EncodingScratch, _ tokens: TokenBuffer
    ) {
        scratch.cache.append(bytes, count, to: tokens) { merge(bytes, count, scratch, tokens) }
    }

    @inline(never)
    private func merge(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, _ scratch: EncodingScratch, _ tokens: TokenBuffer
    ) {
        scratch.starts.removeAll(keepingCapacity: true)
        var position = 0
        while position < count {
            scratch.starts.append(Int32(truncatingIfNeeded: position))
            position += UTF8Length.of(lead: bytes[position])
        }
        let symbols = scratch.starts.count
        // The last character may be cut short: the text ends where it ends.
        scratch.starts.append(Int32(truncatingIfNeeded: count))
        let merger = scratch.merger
        merger.reserve(symbols + 1)
        scratch.starts.withUnsafeBufferPointer { starts in
            for symbol in 0..<symbols { merger.ids[symbol] = -1 }
            let rule = ScoreRule(model: self, bytes: bytes, starts: starts)
            let left = merger.merge(symbols, by: rule)
            for index in 0..<left {
                let start = Int(starts[Int(merger.places[index])])
                let end = index + 1 < left ? Int(starts[Int(merger.places[index + 1])]) : count
                emit(merger.ids[index], bytes + start, end - start, tokens)
            }
        }
    }

    /// Appends the token of a symbol, which is -1 for a single character that has not merged.
    private func emit(_ id: TokenID, _ bytes: UnsafePointer<UInt8>, _ count: Int, _ tokens: TokenBuffer) {
        let token = id >= 0 ? id : find(bytes, count)
        if token >= 0 { return tokens.append(token) }
        for position in 0..<count {
            let token = byteTokens[Int(bytes[position])]
            if token >= 0 { tokens.append(token) } else if let unknownToken { tokens.append(unknownToken) }
        }
    }

    /// Symbols merge by the score of the token their joint text is.
    private struct ScoreRule: PairRule {
        static var usesPlaces: Bool { true }

        let model: SentencePieceModel
        let bytes: UnsafePointer<UInt8>
        let starts: UnsafeBufferPointer<Int32>

        @inline(__always)
        func pair(_ left: Int, _ leftID: TokenID, _ right: Int, _ rightID: TokenID, _ end: Int) -> UInt64 {
            let start = Int(starts[left])
            let token = model.find(bytes + start, Int(starts[end]) - start)
            if token < 0 { return MergeTable.none }
            return UInt64(Self.priority(model.vocabulary.score(Int(token)))) << 32 | UInt64(UInt32(bitPattern: token))
        }

        /// A number that is lower the higher the score is.
        @inline(__always)
        private static func priority(_ score: Float) -> UInt32 {
            // Adding zero makes -0 equal to 0.
            let bits = (score + 0).bitPattern
            let ascending = bits & 0x8000_0000 != 0 ? ~bits : bits | 0x8000_0000
            return min(~ascending, UInt32.max - 1)
        }
    }
}
