import LeapTokenizer

/// Reasoning while it is written: anything, up to its end mark.
///
/// After the mark may come line ends and nothing else, so that what follows it begins with a token of its own.
struct ReasoningScan: Sendable {
    /// The tokens that close reasoning.
    let closing: [TokenID]
    private var scan: MarkScan
    private let tokenizer: Tokenizer
    /// Tokens of `closing` that were written because no others fit any more.
    private var closed = 0

    init(tokenizer: Tokenizer, mark: String = ReasoningMarks.think.end) {
        self.tokenizer = tokenizer
        scan = MarkScan(mark, tokenizer: tokenizer)
        closing = scan.token.map { [$0] } ?? tokenizer.encode(mark, addSpecial: false)
    }

    /// The token that must come next if reasoning has to end now.
    var nextClosing: TokenID? { closed < closing.count ? closing[closed] : nil }

    /// True if a part of the mark was written, where no token is all of it.
    var isBegun: Bool { scan.token == nil && scan.rest.count < scan.mark.count }

    /// The tokens that close reasoning from here on: those of the mark, or of what is missing of it.
    var remaining: [TokenID] {
        guard isBegun else { return closing }
        return closed > 0 ? Array(closing[closed...]) : tokenizer.encode(utf8: Array(scan.rest), addSpecial: false)
    }

    /// The tokens that would complete the mark now: the mark's own, where there is one.
    var completing: [TokenID] { scan.token.map { [$0] } ?? scan.completions.map(\.token) }

    /// Tokens that may not come here, as they would put text right behind the mark.
    var forbidden: [TokenID] {
        scan.completions.filter { !$0.rest.allSatisfy { $0 == 0x0A } }.map(\.token)
    }

    /// Takes a token.
    ///
    /// - Returns: whether reasoning ended with it.
    mutating func accept(_ token: TokenID) -> Bool {
        if token == nextClosing { closed += 1 } else { closed = 0 }
        return scan.accept(token)
    }
}
