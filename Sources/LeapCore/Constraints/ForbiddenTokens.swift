import LeapEngine
import LeapTokenizer

/// Any text without some tokens: how a model is kept from calling.
struct ForbiddenTokens: TokenConstraint {
    let tokens: [TokenID]
    let isComplete = false

    mutating func computeMask(into mask: inout TokenMask) {
        mask.setAll(true)
        for token in tokens { mask[token] = false }
    }

    mutating func accept(_ token: TokenID) {}
}
