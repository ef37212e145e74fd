import LeapBase
import LeapEngine
import LeapTokenizer
import LeapVision

/// The tokens that stand for pictures in prompts.
///
/// A picture's vectors have no tokens of the vocabulary. In their places are negative numbers that follow from its content, how it is cut
/// and its encoder, so that kept state and caches find a picture again and never take one for another: two that are not the same differ
/// in each place but one in 2³¹. Around them are the markers of the model's family.
struct PictureTokens: Sendable {
    private let tokenizer: Tokenizer
    private let rules: any PictureRules
    private let seed: StableHash

    init(tokenizer: Tokenizer, encoder: StableHash, rules: any PictureRules) {
        self.tokenizer = tokenizer
        self.rules = rules
        var seed = encoder
        for value in rules.fingerprint { seed.combine(UInt64(bitPattern: Int64(value))) }
        self.seed = seed
    }

    /// The tokens of a picture, and its parts in their order.
    func tokens(
        for layout: ImageLayout, digest: [UInt8],
        patches: @escaping @Sendable (_ part: Int) throws -> VisionPass.Patches
    ) -> (tokens: [TokenID], parts: [PicturePart]) {
        var tokens: [TokenID] = []
        var parts: [PicturePart] = []
        let counts = layout.tokensOfParts
        for piece in rules.pieces(of: layout) {
            switch piece {
            case .marker(let text): tokens += tokenizer.token(for: text).map { [$0] } ?? []
            case .text(let text): tokens += tokenizer.encode(text, addSpecial: false, parseSpecial: true)
            case .part(let index):
                tokens += places(counts[index], part: index, digest)
                parts.append(PicturePart(tokenCount: counts[index]) { try patches(index) })
            }
        }
        return (tokens, parts)
    }

    private func places(_ count: Int, part: Int, _ digest: [UInt8]) -> [TokenID] {
        var hash = seed
        digest.withUnsafeBytes { hash.combine($0) }
        hash.combine(UInt64(part))
        // SplitMix64 (Steele, Lea and Flood 2014), from a state that is the picture's own.
        var state = hash.low ^ hash.high
        return (0..<count).map { _ in
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return TokenID(bitPattern: UInt32(truncatingIfNeeded: value >> 33) | 0x8000_0000)
        }
    }
}
