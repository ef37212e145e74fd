package import LeapBase

/// The parts that an image is encoded in.
package struct ImageLayout: Sendable {
    /// Pixels of the whole image, which comes alone or after the tiles.
    package let whole: (width: Int, height: Int)
    /// Columns and rows of tiles; `nil` where the image is not cut.
    package let grid: (columns: Int, rows: Int)?
    /// Pixels of a tile's side.
    package let tileSize: Int
    /// True if the whole image is one of the parts.
    package let hasWhole: Bool
    package let tokensOfTile: Int
    package let tokensOfWhole: Int
    /// Tokens of a row of the whole image, where rows and columns have positions of their own; nil where its tokens are
    /// positions like those of text.
    package var columnsOfWhole: Int?
    /// Pixels to which the image is brought before it is cut; nil where parts are made from the image as it is.
    package var first: (width: Int, height: Int)?
    /// The filter by which images are resized.
    package var filter = ResamplingFilter.linear
    /// True if the whole image is made from the image that the tiles are cut from.
    package var makesWholeFromTiles = false

    /// Tokens of each part.
    package var tokensOfParts: [Int] {
        let tiles = grid.map { [Int](repeating: tokensOfTile, count: $0.columns * $0.rows) } ?? []
        return hasWhole ? tiles + [tokensOfWhole] : tiles
    }

    /// Tokens of all parts, without markers.
    package var tokenCount: Int { tokensOfParts.reduce(0, +) }

    /// The parts' pixels: the tiles row by row, then the whole image.
    package func parts(of image: RGBImage) -> [RGBImage] {
        func resized(_ image: RGBImage, _ size: (width: Int, height: Int)) -> RGBImage {
            ImageResampler.resize(image, width: size.width, height: size.height, filter: filter)
        }
        var parts: [RGBImage] = []
        var source = first.map { resized(image, $0) } ?? image
        if let grid {
            let large = resized(source, (grid.columns * tileSize, grid.rows * tileSize))
            for row in 0..<grid.rows {
                for column in 0..<grid.columns {
                    parts.append(
                        large.cropped(x: column * tileSize, y: row * tileSize, width: tileSize, height: tileSize))
                }
            }
            if makesWholeFromTiles { source = large }
        }
        if hasWhole { parts.append(resized(source, whole)) }
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
