import LeapBase

/// The rules by which the pictures of Qwen3-VL, Qwen3.5 and LFM3-VL are sized: each stays whole, with as many tokens as
/// it has pixels for (transformers, `image_processing_qwen2_vl.py`).
package struct WholePictureRules: Sendable, Hashable, Codable {
    /// Pixels of a patch's side.
    package var patchSize: Int
    /// Patches of a token's side.
    package var downsampling: Int
    /// Pixels that a picture has at least; smaller ones are enlarged.
    package var minPixels: Int
    /// Pixels that a picture has at most; very narrow ones may have more.
    package var maxPixels: Int

    /// The references refuse pictures whose longer side is more times the shorter one; here it is brought to so many times.
    private static let maxProportion = 200

    package init(patchSize: Int, downsampling: Int, minPixels: Int, maxPixels: Int) {
        self.patchSize = patchSize
        self.downsampling = downsampling
        self.minPixels = minPixels
        self.maxPixels = maxPixels
    }

    /// Pixels of a token's side.
    private var tokenSize: Int { patchSize * downsampling }
    /// Pixels of a token.
    package var pixelsOfToken: Int { tokenSize * tokenSize }
}

extension WholePictureRules: PictureRules {
    package func layout(width: Int, height: Int) -> ImageLayout {
        let shorter = min(width, height)
        let longest = shorter.multipliedReportingOverflow(by: Self.maxProportion).partialValue
        let bounds = PixelBounds(unit: tokenSize, smallest: minPixels, largest: maxPixels, countsSlivers: false)
        let whole = bounds.size(width: min(width, longest), height: min(height, longest))
        let columns = whole.width / tokenSize
        var layout = ImageLayout(
            whole: whole, grid: nil, tileSize: tokenSize, hasWhole: true, tokensOfTile: 1,
            tokensOfWhole: columns * (whole.height / tokenSize))
        layout.filter = .cubic
        layout.columnsOfWhole = columns
        return layout
    }

    package func pieces(of layout: ImageLayout) -> [PicturePiece] {
        [.marker("<|vision_start|>"), .part(0), .marker("<|vision_end|>")]
    }

    package var maxPictureTokens: Int { max(1, maxPixels / pixelsOfToken) }

    package var summary: String {
        "\(max(1, minPixels / pixelsOfToken)) to \(maxPictureTokens) tokens of \(tokenSize) × \(tokenSize) pixels"
    }

    package var fingerprint: [Int] { [patchSize, downsampling, minPixels, maxPixels] }
}
