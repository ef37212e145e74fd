import LeapBase
import LeapModel
import LeapTokenizer
import LeapVision

/// The tokens that stand for pictures in prompts: places of their vectors, and around them the markers of the model's
/// family.
struct ImagePlaceTokens: Sendable {
    private let tokenizer: Tokenizer
    private let tiling: ImageTiling
    private let places: MediaPlaces

    init(tokenizer: Tokenizer, encoder: StableHash, tiling: ImageTiling) {
        self.tokenizer = tokenizer
        self.tiling = tiling
        places = MediaPlaces(encoder: encoder, fingerprint: tiling.fingerprint)
    }

    /// The tokens of a picture, and its parts in their order.
    func tokens(
        for layout: ImageLayout, digest: [UInt8],
        patches: @escaping @Sendable (_ part: Int) throws -> ImagePatches
    ) -> (tokens: [TokenID], parts: [MediaPart]) {
        var tokens: [TokenID] = []
        var parts: [MediaPart] = []
        let counts = layout.tokensOfParts
        for piece in tiling.pieces(of: layout) {
            switch piece {
            case .marker(let text): tokens += tokenizer.token(for: text).map { [$0] } ?? []
            case .text(let text): tokens += tokenizer.encode(text, addSpecial: false, parseSpecial: true)
            case .part(let index):
                let isWhole = layout.hasWhole && index == counts.count - 1
                tokens += places.places(
                    counts[index], part: index, digest: digest, columns: isWhole ? layout.columnsOfWhole : nil)
                parts.append(
                    MediaPart(tokenCount: counts[index], medium: .image) { .image(try patches(index)) })
            }
        }
        return (tokens, parts)
    }
}
