package import LeapBase

extension ImageTiling.Squares {
    /// No image is larger on its way.
    private static let maxEdge = 4096

    /// Tokens of a tile, and of the whole image.
    package var tokensOfTile: Int {
        let side = tileSize / patchSize / downsampling
        return side * side
    }

    /// The image with its proportions and the longer side as it has to be; the shorter one is even.
    private func firstSize(_ width: Int, _ height: Int, longest: Int) -> (width: Int, height: Int) {
        let shape = Double(width) / Double(height)
        func even(_ side: Double) -> Int { Int(side) + Int(side) % 2 }
        var size =
            width >= height
            ? (width: longest, height: even(Double(longest) / shape))
            : (width: even(Double(longest) * shape), height: longest)
        size = (max(1, size.width), max(1, size.height))
        guard max(size.width, size.height) > Self.maxEdge else { return size }
        let rounded = Double(size.width) / Double(size.height)
        size =
            size.width >= size.height
            ? (Self.maxEdge, Int(Double(Self.maxEdge) / rounded)) : (Int(Double(Self.maxEdge) * rounded), Self.maxEdge)
        return (max(1, size.width), max(1, size.height))
    }

    /// Tiles that an image of this size is made to fill.
    private func grid(_ size: (width: Int, height: Int)) -> (columns: Int, rows: Int) {
        let shape = Double(size.width) / Double(size.height)
        func tiles(_ side: Int) -> Int { (side + tileSize - 1) / tileSize }
        guard size.width >= size.height else {
            let rows = tiles(size.height)
            return (tiles(Int(Double(rows * tileSize) * shape)), rows)
        }
        let columns = tiles(size.width)
        return (columns, tiles(Int(Double(columns * tileSize) / shape)))
    }
}

extension ImageTiling.Squares: ImageLayouts {
    package func layout(width: Int, height: Int) -> ImageLayout {
        var longest = longestEdge
        var first = firstSize(width, height, longest: longest)
        var grid: (columns: Int, rows: Int)? = splitsImages ? grid(first) : nil
        while let cut = grid, let maxTokens, (cut.columns * cut.rows + 1) * tokensOfTile > maxTokens, longest > tileSize
        {
            longest = max(tileSize, longest - tileSize)
            first = firstSize(width, height, longest: longest)
            grid = self.grid(first)
        }
        if let cut = grid, cut.columns * cut.rows <= 1 { grid = nil }
        var layout = ImageLayout(
            whole: (tileSize, tileSize), grid: grid, tileSize: tileSize, hasWhole: true, tokensOfTile: tokensOfTile,
            tokensOfWhole: tokensOfTile)
        layout.first = first
        layout.filter = .lanczos
        layout.makesWholeFromTiles = true
        return layout
    }

    package func pieces(of layout: ImageLayout) -> [ImagePiece] {
        let around = "<fake_token_around_image>"
        var pieces: [ImagePiece] = []
        var text = ""
        var part = 0
        if let grid = layout.grid {
            for row in 1...grid.rows {
                for column in 1...grid.columns {
                    pieces += [.text("\(text)\(around)<row_\(row)_col_\(column)>"), .part(part)]
                    text = ""
                    part += 1
                }
                text = "\n"
            }
            // One text with the line's end before it, as two of them may be one token.
            text += "\n"
        }
        return pieces + [.text("\(text)\(around)<global-img>"), .part(part), .text(around)]
    }

    package var maxImageTokens: Int {
        guard splitsImages else { return tokensOfTile }
        let side = (min(longestEdge, Self.maxEdge) + tileSize - 1) / tileSize
        let all = (side > 1 ? side * side + 1 : 1) * tokensOfTile
        return max(tokensOfTile, min(all, maxTokens ?? all))
    }

    package var summary: String {
        let tile = "\(tileSize) × \(tileSize) pixels with \(tokensOfTile) tokens"
        guard splitsImages, maxImageTokens > tokensOfTile else { return "one square of \(tile)" }
        return "up to \(maxImageTokens / tokensOfTile - 1) tiles of \(tile) each, and the whole as one more"
    }

    package var fingerprint: [Int] {
        [patchSize, downsampling, tileSize, longestEdge, splitsImages ? 1 : 0, maxTokens ?? 0]
    }
}
