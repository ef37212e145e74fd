/// How LFM2-VL's images are sized and cut (transformers, `image_processing_lfm2_vl.py`).
package struct TilingRules: Sendable, Hashable {
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
    /// Whether large images are cut into tiles.
    package var splitsLargeImages = true
    /// Pixels of a tile's side.
    package var tileSize = 512
    package var minTiles = 2
    package var maxTiles = 10
    /// How many times the pixels of `maxTokens` an image may have before it is cut.
    package var tolerance = 2.0
    /// Whether the whole image follows its tiles.
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

    /// The size to which a whole image is brought: multiples of a token's side, with the tokens allowed.
    func wholeSize(width: Int, height: Int) -> (width: Int, height: Int) {
        let size = tokenSize
        let rounded = (width: max(size, multiple(of: width)), height: max(size, multiple(of: height)))
        let area = Double(height) * Double(width)
        if rounded.width * rounded.height > pixels(maxTokens) {
            let ratio = (area / Double(pixels(maxTokens))).squareRoot()
            func reduced(_ side: Int) -> Int {
                max(size, Int((Double(side) / ratio / Double(size)).rounded(.down)) * size)
            }
            return (reduced(width), reduced(height))
        }
        if rounded.width * rounded.height < pixels(minTokens) {
            let ratio = (Double(pixels(minTokens)) / area).squareRoot()
            func enlarged(_ side: Int) -> Int { Int((Double(side) * ratio / Double(size)).rounded(.up)) * size }
            return (enlarged(width), enlarged(height))
        }
        return rounded
    }

    /// The nearest multiple of a token's side; halves go to the even one.
    private func multiple(of side: Int) -> Int {
        Int((Double(side) / Double(tokenSize)).rounded(.toNearestOrEven)) * tokenSize
    }

    /// The grid of tiles for an image; `nil` where it stays whole.
    func grid(width: Int, height: Int) -> (columns: Int, rows: Int)? {
        let area = max(patchSize, multiple(of: width)) * max(patchSize, multiple(of: height))
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

    /// What an image becomes, without looking at its pixels.
    package func layout(width: Int, height: Int) -> ImageLayout {
        let whole = wholeSize(width: width, height: height)
        let grid = grid(width: width, height: height)
        let perSide = tileSize / tokenSize
        return ImageLayout(
            whole: whole, grid: grid, tileSize: tileSize, hasWhole: grid == nil || usesThumbnail,
            tokensOfTile: perSide * perSide, tokensOfWhole: whole.width / tokenSize * (whole.height / tokenSize))
    }
}

/// The parts that an image is encoded in.
package struct ImageLayout: Sendable {
    /// Pixels of the whole image, which comes alone or behind the tiles.
    package let whole: (width: Int, height: Int)
    /// Columns and rows of tiles; `nil` where the image is not cut.
    package let grid: (columns: Int, rows: Int)?
    /// Pixels of a tile's side.
    package let tileSize: Int
    /// Whether the whole image is one of the parts.
    package let hasWhole: Bool
    package let tokensOfTile: Int
    package let tokensOfWhole: Int

    /// Tokens of all parts, without markers.
    package var tokenCount: Int {
        (grid.map { $0.columns * $0.rows * tokensOfTile } ?? 0) + (hasWhole ? tokensOfWhole : 0)
    }

    /// The parts' pixels: the tiles row by row, then the whole image.
    package func parts(of image: RGBImage) -> [RGBImage] {
        var parts: [RGBImage] = []
        if let grid {
            let large = ImageResampler.resize(image, width: grid.columns * tileSize, height: grid.rows * tileSize)
            for row in 0..<grid.rows {
                for column in 0..<grid.columns {
                    parts.append(
                        large.cropped(x: column * tileSize, y: row * tileSize, width: tileSize, height: tileSize))
                }
            }
        }
        if hasWhole { parts.append(ImageResampler.resize(image, width: whole.width, height: whole.height)) }
        return parts
    }
}

extension RGBImage {
    /// A part of the image.
    ///
    /// - Precondition: it lies inside.
    func cropped(x: Int, y: Int, width: Int, height: Int) -> RGBImage {
        var part: [UInt8] = []
        part.reserveCapacity(3 * width * height)
        for row in y..<y + height {
            let start = 3 * (row * self.width + x)
            part += bytes[start..<start + 3 * width]
        }
        return RGBImage(width: width, height: height, bytes: part)
    }
}
