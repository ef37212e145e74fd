package import LeapBase

extension ImageTiling.Filled {
    /// Pixels of a token's side.
    private var tokenSize: Int { patchSize * downsampling }

    /// Tokens of the sides.
    private func grid(_ width: Int, _ height: Int) -> (columns: Int, rows: Int) {
        let patches = tokens * downsampling * downsampling
        let factor = (Double(patches * patchSize * patchSize) / Double(height * width)).squareRoot()
        func fitting(_ side: Int) -> Int { Int((factor * Double(side) / Double(tokenSize)).rounded(.down)) }
        let (columns, rows) = (fitting(width), fitting(height))
        // The references refuse a picture for which there is less than a token; here it gets one.
        if rows == 0 { return (max(1, min(width / height, tokens)), 1) }
        return columns == 0 ? (1, max(1, min(height / width, tokens))) : (columns, rows)
    }
}

extension ImageTiling.Filled: ImageLayouts {
    package func layout(width: Int, height: Int) -> ImageLayout {
        let grid = grid(width, height)
        var layout = ImageLayout(
            whole: (grid.columns * tokenSize, grid.rows * tokenSize), grid: nil, tileSize: tokenSize, hasWhole: true,
            tokensOfTile: 1, tokensOfWhole: grid.columns * grid.rows)
        layout.filter = .cubic
        return layout
    }

    package func pieces(of layout: ImageLayout) -> [ImagePiece] {
        [.marker("<|image>"), .part(0), .marker("<image|>")]
    }

    package var maxImageTokens: Int { tokens }

    package var summary: String { "up to \(tokens) tokens of \(tokenSize) × \(tokenSize) pixels" }

    package var fingerprint: [Int] { [patchSize, downsampling, tokens] }
}
