package import LeapBase

extension ImageTiling.Native {
    /// Pixels of a token's side.
    var tokenSize: Int { patchSize * downsampling }

    private func pixels(_ tokens: Int) -> Int { tokens * tokenSize * tokenSize }

    private var bounds: PixelBounds {
        PixelBounds(unit: tokenSize, smallest: pixels(minTokens), largest: pixels(maxTokens), countsSlivers: true)
    }

    /// The size to which a whole image is brought: multiples of a token's side, with the tokens allowed.
    func wholeSize(width: Int, height: Int) -> (width: Int, height: Int) { bounds.size(width: width, height: height) }

    /// The grid of tiles for an image; `nil` where it stays whole.
    func grid(width: Int, height: Int) -> (columns: Int, rows: Int)? {
        let area = max(patchSize, bounds.multiple(of: width)) * max(patchSize, bounds.multiple(of: height))
        guard splitsLargeImages, maxTiles > 1, Double(area) > Double(pixels(maxTokens)) * tolerance else { return nil }
        let shape = Double(width) / Double(height)
        var best = (columns: 1, rows: 1)
        var smallest = Double.infinity
        for tiles in max(1, minTiles)...max(1, minTiles, maxTiles) {
            for columns in 1...tiles where tiles % columns == 0 {
                let rows = tiles / columns
                let difference = abs(shape - Double(columns) / Double(rows))
                // Of grids that fit equally well, a larger one where the image is large enough for it.
                let fills = Double(width) * Double(height) > 0.5 * Double(tileSize * tileSize * tiles)
                if difference < smallest || difference == smallest && fills {
                    (best, smallest) = ((columns, rows), difference)
                }
            }
        }
        return best == (1, 1) ? nil : best
    }
}

extension ImageTiling.Native: ImageLayouts {
    package func layout(width: Int, height: Int) -> ImageLayout {
        let whole = wholeSize(width: width, height: height)
        let grid = grid(width: width, height: height)
        return ImageLayout(
            whole: whole, grid: grid, tileSize: tileSize, hasWhole: grid == nil || usesThumbnail,
            tokensOfTile: tokensOfTile, tokensOfWhole: whole.width / tokenSize * (whole.height / tokenSize))
    }

    private var tokensOfTile: Int { tileSize / tokenSize * (tileSize / tokenSize) }

    package func pieces(of layout: ImageLayout) -> [ImagePiece] {
        var pieces = [ImagePiece.marker("<|image_start|>")]
        var part = 0
        if let grid = layout.grid {
            for row in 1...grid.rows {
                for column in 1...grid.columns {
                    pieces += [.marker("<|img_row_\(row)_col_\(column)|>"), .part(part)]
                    part += 1
                }
            }
            if layout.hasWhole { pieces.append(.marker("<|img_thumbnail|>")) }
        }
        if layout.hasWhole { pieces.append(.part(part)) }
        return pieces + [.marker("<|image_end|>")]
    }

    package var maxImageTokens: Int {
        splitsLargeImages && maxTiles > 1 ? maxTiles * tokensOfTile + (usesThumbnail ? maxTokens : 0) : maxTokens
    }

    package var summary: String {
        let whole = "\(minTokens) to \(maxTokens) tokens of \(tokenSize) × \(tokenSize) pixels"
        guard splitsLargeImages, maxTiles > 1 else { return whole }
        return
            "\(whole); larger ones \(minTiles) to \(maxTiles) tiles of \(tileSize) × \(tileSize) pixels with \(tokensOfTile) tokens"
            + (usesThumbnail ? " each, and the whole" : " each")
    }

    package var fingerprint: [Int] {
        [
            patchSize, downsampling, minTokens, maxTokens, tileSize, minTiles, maxTiles, splitsLargeImages ? 1 : 0,
            usesThumbnail ? 1 : 0,
        ]
    }
}
