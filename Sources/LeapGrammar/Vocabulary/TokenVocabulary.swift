/// The bytes of each token of a model.
public struct TokenVocabulary: Sendable {
    /// All tokens' bytes, one after the other.
    let bytes: [UInt8]
    /// Start of each token's bytes; one more than there are tokens.
    let offsets: [Int32]
    /// Tokens without text (control tokens).
    ///
    /// They are allowed only where a grammar names them.
    public let specialTokens: Set<Int32>
    /// Tokens that end generation; allowed exactly where the text can end.
    public let endTokens: Set<Int32>

    /// The number of token ids.
    public var count: Int { offsets.count - 1 }

    /// Creates a vocabulary from `tokens[id]`.
    ///
    /// The bytes of special and end tokens are ignored.
    public init(tokens: [[UInt8]], specialTokens: Set<Int32>, endTokens: Set<Int32>) {
        var bytes: [UInt8] = []
        var offsets: [Int32] = [0]
        for token in tokens {
            bytes += token
            offsets.append(Int32(bytes.count))
        }
        self.bytes = bytes
        self.offsets = offsets
        self.specialTokens = specialTokens.union(endTokens)
        self.endTokens = endTokens
    }

    /// Returns the bytes of a token; empty for ids out of range.
    public func bytes(of token: Int32) -> ArraySlice<UInt8> {
        guard token >= 0, Int(token) < count else { return [] }
        return bytes[Int(offsets[Int(token)])..<Int(offsets[Int(token) + 1])]
    }

    func isText(_ token: Int32) -> Bool { !specialTokens.contains(token) && !bytes(of: token).isEmpty }
}
