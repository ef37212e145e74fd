import LeapTokenizer

/// Reasoning while it is written: anything, up to its end mark.
///
/// After the mark may come line ends and nothing else, so that what follows it begins with a token of its own.
struct ReasoningScan: Sendable {
    static let mark = ResponseParser.thinkEnd

    /// The tokens that close reasoning.
    let closing: [TokenID]
    private let tokenizer: Tokenizer
    private let markToken: TokenID?
    /// Tokens that may hold the end of the mark and something behind it.
    private let risky: [(token: TokenID, bytes: [UInt8])]
    /// Bytes of the mark that were written last.
    private var matched = 0
    /// Tokens of `closing` that were written because no others fit any more.
    private var closed = 0

    init(tokenizer: Tokenizer) {
        self.tokenizer = tokenizer
        let name = String(decoding: Self.mark, as: UTF8.self)
        markToken = tokenizer.token(for: name)
        closing = markToken.map { [$0] } ?? tokenizer.encode(name, addSpecial: false)
        let last = Self.mark[Self.mark.count - 1]
        risky = (0..<TokenID(tokenizer.vocabularySize)).compactMap { token in
            let bytes = tokenizer.bytes(of: token)
            return bytes.dropLast().contains(last) ? (token, bytes) : nil
        }
    }

    /// The token that must come next if reasoning has to end now.
    var nextClosing: TokenID? { closed < closing.count ? closing[closed] : nil }

    /// Tokens that may not come here, as they would put text right behind the mark.
    var forbidden: [TokenID] {
        risky.filter { item in
            guard let end = end(in: item.bytes) else { return false }
            return !item.bytes[end...].allSatisfy { $0 == 0x0A }
        }.map(\.token)
    }

    /// Takes a token.
    ///
    /// - Returns: whether reasoning ended with it.
    mutating func accept(_ token: TokenID) -> Bool {
        if token == nextClosing { closed += 1 } else { closed = 0 }
        if token == markToken { return true }
        let bytes = tokenizer.bytes(of: token)
        if end(in: bytes) != nil { return true }
        matched = advanced(bytes)
        return false
    }

    /// Where in the bytes the mark ends.
    private func end(in bytes: [UInt8]) -> Int? {
        let text = Self.mark[..<matched] + bytes
        guard let start = Array(text).firstIndex(of: Self.mark) else { return nil }
        return start + Self.mark.count - matched
    }

    private func advanced(_ bytes: [UInt8]) -> Int {
        Array(Self.mark[..<matched] + bytes).suffixLength(thatBegins: Self.mark)
    }
}
