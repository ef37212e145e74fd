import LeapTokenizer

/// Looks for a mark in text that is written token by token.
struct MarkScan: Sendable {
    let mark: [UInt8]
    private let tokenizer: Tokenizer
    /// The token that is the mark, if the vocabulary has one.
    let token: TokenID?
    /// Tokens with the last byte of the mark, and their bytes.
    private let candidates: [(token: TokenID, bytes: [UInt8])]
    /// Bytes of the mark that were written last.
    private var matched = 0

    init(_ mark: String, tokenizer: Tokenizer) {
        self.mark = Array(mark.utf8)
        self.tokenizer = tokenizer
        token = tokenizer.token(for: mark)
        let last = self.mark.last
        candidates = (0..<TokenID(tokenizer.vocabularySize)).compactMap { token in
            let bytes = tokenizer.bytes(of: token)
            return bytes.contains { $0 == last } ? (token, bytes) : nil
        }
    }

    /// The tokens that would complete the mark now, each with what it has behind it.
    var completions: [(token: TokenID, rest: ArraySlice<UInt8>)] {
        candidates.compactMap { item in end(in: item.bytes).map { (item.token, item.bytes[$0...]) } }
    }

    /// The part of the mark that is missing behind what was written last; the whole mark where none of it was.
    var rest: ArraySlice<UInt8> { mark[matched...] }

    /// Takes a token.
    ///
    /// - Returns: whether it completes the mark.
    mutating func accept(_ token: TokenID) -> Bool {
        if token == self.token { return true }
        let bytes = tokenizer.bytes(of: token)
        if end(in: bytes) != nil { return true }
        matched = Array(mark[..<matched] + bytes).suffixLength(thatBegins: mark)
        return false
    }

    /// Returns the offset behind the mark in the bytes that come next; nil where the mark does not end in them.
    private func end(in bytes: [UInt8]) -> Int? {
        guard let start = Array(mark[..<matched] + bytes).firstIndex(of: mark) else { return nil }
        return start + mark.count - matched
    }
}
