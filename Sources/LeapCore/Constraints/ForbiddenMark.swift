import LeapEngine
import LeapTokenizer

/// Any text without a mark: how a model is kept from calling.
struct ForbiddenMark: TokenConstraint {
    private var scan: MarkScan
    let isComplete = false

    init(_ mark: String, tokenizer: Tokenizer) { scan = MarkScan(mark, tokenizer: tokenizer) }

    mutating func computeMask(into mask: inout TokenMask) {
        mask.setAll(true)
        if let token = scan.token { mask[token] = false }
        for (token, _) in scan.completions { mask[token] = false }
    }

    mutating func accept(_ token: TokenID) { _ = scan.accept(token) }
}
