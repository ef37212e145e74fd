import LeapBase
import LeapEngine
import LeapTokenizer
import LeapVision

/// The tokens that stand for pictures in prompts.
///
/// A picture's vectors have no tokens of the vocabulary. In their places are negative numbers that follow from its content, how it is cut
/// and its encoder, so that kept state and caches find a picture again and never take one for another: two that are not the same differ
/// in each place but one in 2³¹. Around them are the vocabulary's markers, where it has them.
struct PictureTokens: Sendable {
    private let begin: [TokenID]
    private let end: [TokenID]
    private let thumbnail: [TokenID]
    /// By row and column.
    private let tiles: [[[TokenID]]]
    private let seed: StableHash

    init(tokenizer: Tokenizer, encoder: StableHash, rules: TilingRules) {
        func marker(_ text: String) -> [TokenID] { tokenizer.token(for: text).map { [$0] } ?? [] }
        begin = marker("<|image_start|>")
        end = marker("<|image_end|>")
        thumbnail = marker("<|img_thumbnail|>")
        let most = max(1, rules.maxTiles)
        tiles = (1...most).map { row in (1...most).map { marker("<|img_row_\(row)_col_\($0)|>") } }
        var seed = encoder
        for value in [
            rules.patchSize, rules.downsampling, rules.minTokens, rules.maxTokens, rules.tileSize, rules.minTiles,
            rules.maxTiles, rules.splitsLargeImages ? 1 : 0, rules.usesThumbnail ? 1 : 0,
        ] {
            seed.combine(UInt64(bitPattern: Int64(value)))
        }
        self.seed = seed
    }

    /// The tokens of a picture, and its parts in their order.
    func tokens(
        for layout: ImageLayout, digest: [UInt8],
        patches: @escaping @Sendable (_ part: Int) throws -> VisionPass.Patches
    ) -> (tokens: [TokenID], parts: [PicturePart]) {
        var tokens = begin
        var parts: [PicturePart] = []
        func add(_ count: Int) {
            let index = parts.count
            tokens += places(count, part: index, digest)
            parts.append(PicturePart(tokenCount: count) { try patches(index) })
        }
        if let grid = layout.grid {
            for row in 0..<grid.rows {
                for column in 0..<grid.columns {
                    tokens += tiles[row][column]
                    add(layout.tokensOfTile)
                }
            }
            if layout.hasWhole { tokens += thumbnail }
        }
        if layout.hasWhole { add(layout.tokensOfWhole) }
        return (tokens + end, parts)
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
