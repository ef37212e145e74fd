/// The rules by which LFM2-VL's images are sized and cut (transformers, `image_processing_lfm2_vl.py`).
package struct TilingRules: Sendable, Hashable, Codable {
    /// Pixels of a patch's side.
    package var patchSize = 16
    /// Patches of a token's side.
    package var downsampling = 2
    /// Tokens that an image has at least; smaller ones are enlarged.
    ///
    /// Very narrow images may have fewer or more.
    package var minTokens = 64
    /// Tokens that an image has at most where it is not cut.
    package var maxTokens = 256
    /// True if large images are cut into tiles.
    package var splitsLargeImages = true
    /// Pixels of a tile's side.
    package var tileSize = 512
    package var minTiles = 2
    package var maxTiles = 10
    /// The number of times the pixels of `maxTokens` that an image may have before it is cut.
    package var tolerance = 2.0
    /// True if the whole image follows its tiles.
    package var usesThumbnail = true

    package init() {}

    /// The rules for an encoder that cuts pictures into patches of other sizes.
    package func with(patchSize: Int, downsampling: Int) -> TilingRules {
        var rules = self
        rules.patchSize = patchSize
        rules.downsampling = downsampling
        return rules
    }

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

extension TilingRules: PictureRules {
    package func layout(width: Int, height: Int) -> ImageLayout {
        let whole = wholeSize(width: width, height: height)
        let grid = grid(width: width, height: height)
        return ImageLayout(
            whole: whole, grid: grid, tileSize: tileSize, hasWhole: grid == nil || usesThumbnail,
            tokensOfTile: tokensOfTile, tokensOfWhole: whole.width / tokenSize * (whole.height / tokenSize))
    }

    private var tokensOfTile: Int { tileSize / tokenSize * (tileSize / tokenSize) }

    package func pieces(of layout: ImageLayout) -> [PicturePiece] {
        var pieces = [PicturePiece.marker("<|image_start|>")]
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

    package var maxPictureTokens: Int {
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
