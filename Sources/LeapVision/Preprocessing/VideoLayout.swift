package import LeapBase

/// The size to which all frames of a video are brought, and the tokens of each pair of frames.
package struct VideoLayout: Sendable, Hashable {
    /// Pixels of a frame.
    package let width: Int
    package let height: Int
    /// Tokens of a row.
    package let columns: Int
    /// Tokens of two frames.
    package let tokensOfPair: Int
    /// Pairs of frames; of an odd number the last frame makes one with itself.
    package let pairCount: Int

    /// Tokens of all frames, without markers and times.
    package var tokenCount: Int { pairCount * tokensOfPair }

    /// The frames of a pair, by their indices.
    package static func frames(of pair: Int, count: Int) -> (first: Int, second: Int) {
        (2 * pair, min(2 * pair + 1, count - 1))
    }

    /// A frame in this size.
    package func resized(_ frame: RGBImage) -> RGBImage {
        ImageResampler.resize(frame, width: width, height: height, filter: .cubic)
    }
}

extension ImageTiling.Whole {
    /// Returns the layout of a video, by the pixels of all its frames; nil for an encoder that reads none.
    ///
    /// A frame has no more pixels than a picture may have.
    /// - Precondition: at least one frame, and sides of at least one pixel.
    package func videoLayout(frames: Int, width: Int, height: Int) -> VideoLayout? {
        guard let video else { return nil }
        let unit = patchSize * downsampling
        let longest = min(width, height).multipliedReportingOverflow(by: Self.maxProportion).partialValue
        let size = video.size(frames: frames, width: min(width, longest), height: min(height, longest), unit: unit)
        let allowed = PixelBounds(
            unit: unit, smallest: 1, largest: max(unit * unit, maxPixels), countsSlivers: true
        ).size(width: size.width, height: size.height)
        let columns = allowed.width / unit
        return VideoLayout(
            width: allowed.width, height: allowed.height, columns: columns,
            tokensOfPair: columns * (allowed.height / unit), pairCount: (frames + 1) / 2)
    }
}

extension ImageTiling.Video {
    /// The size of a frame: its proportions, multiples of a unit, and not too few or too many pixels in all frames
    /// together.
    fileprivate func size(frames: Int, width: Int, height: Int, unit: Int) -> (width: Int, height: Int) {
        // Frames with a side of less than a unit are enlarged first.
        let scale = max(1, Double(unit) / Double(min(width, height)))
        let sides = (width: (Double(width) * scale).rounded(.down), height: (Double(height) * scale).rounded(.down))
        func multiple(_ side: Double, _ rule: FloatingPointRoundingRule) -> Int {
            max(1, Int((side / Double(unit)).rounded(rule))) * unit
        }
        let rounded = (
            width: multiple(sides.width, .toNearestOrEven), height: multiple(sides.height, .toNearestOrEven)
        )
        // The reference rounds the number of pairs too, halves to the even one.
        let counted = 2 * max(1, Int((Double(frames) / 2).rounded(.toNearestOrEven)))
        let pixels = counted * rounded.width * rounded.height
        let area = Double(frames) * sides.width * sides.height
        if pixels > maxPixels {
            let ratio = (area / Double(maxPixels)).squareRoot()
            return (multiple(sides.width / ratio, .down), multiple(sides.height / ratio, .down))
        }
        if pixels < minPixels {
            let ratio = (Double(minPixels) / area).squareRoot()
            return (multiple(sides.width * ratio, .up), multiple(sides.height * ratio, .up))
        }
        return rounded
    }
}
