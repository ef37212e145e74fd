package import LeapBase

extension ImageTiling.Whole {
    /// The references refuse pictures whose longer side is more times the shorter one; here it is brought to so many
    /// times.
    static let maxProportion = 200

    /// Pixels of a token's side.
    private var tokenSize: Int { patchSize * downsampling }
    /// Pixels of a token.
    package var pixelsOfToken: Int { tokenSize * tokenSize }
}

extension ImageTiling.Whole: ImageLayouts {
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

    package func pieces(of layout: ImageLayout) -> [ImagePiece] {
        [.marker("<|vision_start|>"), .part(0), .marker("<|vision_end|>")]
    }

    package var maxImageTokens: Int { max(1, maxPixels / pixelsOfToken) }

    package var summary: String {
        "\(max(1, minPixels / pixelsOfToken)) to \(maxImageTokens) tokens of \(tokenSize) × \(tokenSize) pixels"
    }

    /// The limits of videos are left out: `VideoReader` makes the places of a video by the size of its frames, which
    /// follows from them.
    package var fingerprint: [Int] { [patchSize, downsampling, minPixels, maxPixels] }
}
