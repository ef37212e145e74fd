import LeapModel
import LeapTokenizer

/// Any text without some marks: how a model is kept from calling.
struct ForbiddenMarks: TokenConstraint, Sendable {
    private var scans: [MarkScan]
    let isComplete = false

    init(_ marks: [String], tokenizer: Tokenizer) {
        scans = marks.map { MarkScan($0, tokenizer: tokenizer) }
    }

    mutating func computeMask(into mask: inout TokenMask) {
        mask.setAll(true)
        for scan in scans {
            if let token = scan.token { mask[token] = false }
            for (token, _) in scan.completions { mask[token] = false }
        }
    }

    mutating func accept(_ token: TokenID) {
        for index in scans.indices { _ = scans[index].accept(token) }
    }
}
