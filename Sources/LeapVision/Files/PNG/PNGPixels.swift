/// Turns rows of a PNG file into red, green and blue.
struct PNGPixels {
    private let header: PNGHeader
    /// For images with a palette: red, green, blue and opacity of each of 256 entries.
    private var palette: [UInt8] = []
    /// The one colour that is transparent, of an image without opacity, at the file's depth.
    private var transparent: [Int]?

    init(_ chunks: PNGChunks) {
        header = chunks.header
        let opacity = chunks.transparency
        switch header.colour {
        case .palette:
            palette = (0..<256).flatMap { index -> [UInt8] in
                // Entries that the palette lacks are black.
                guard 3 * index + 2 < chunks.palette.count else { return [0, 0, 0, 255] }
                return chunks.palette[3 * index..<3 * index + 3] + [index < opacity.count ? opacity[index] : 255]
            }
        case .grey, .rgb:
            guard opacity.count >= 2 * header.colour.channels else { break }
            let mask = 1 << header.depth - 1
            transparent = (0..<header.colour.channels).map {
                (Int(opacity[2 * $0]) << 8 | Int(opacity[2 * $0 + 1])) & mask
            }
        case .greyAlpha, .rgbAlpha: break
        }
    }

    /// Writes `count` pixels, the first at `start` and each `step` bytes after the one before.
    func write(_ row: [UInt8], count: Int, to output: inout [UInt8], at start: Int, step: Int) {
        let places = Places(start: start, step: step)
        switch (header.colour, header.depth) {
        case (.palette, _): writePalette(row, count, &output, places)
        case (.grey, 16): writeWideGrey(row, count, &output, places)
        case (.grey, let depth): writeGrey(row, count, depth, &output, places)
        case (.rgb, 16): writeWideRGB(row, count, &output, places)
        case (.rgb, 8) where transparent == nil && step == 3:
            output.replaceSubrange(start..<start + 3 * count, with: row[..<(3 * count)])
        case (.rgb, _): writeRGB(row, count, &output, places)
        case (.greyAlpha, let depth): Self.writeGreyAlpha(row, count, depth / 8, &output, places)
        case (.rgbAlpha, let depth): Self.writeRGBAlpha(row, count, depth / 8, &output, places)
        }
    }

    /// The places of a row's pixels in the output.
    private struct Places {
        let start: Int
        let step: Int

        @inline(__always)
        func put(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ index: Int, _ output: inout [UInt8]) {
            let place = start + index * step
            output[place] = red
            output[place + 1] = green
            output[place + 2] = blue
        }
    }

    private func writePalette(_ row: [UInt8], _ count: Int, _ output: inout [UInt8], _ places: Places) {
        for index in 0..<count {
            let entry = 4 * packed(row, index)
            let alpha = palette[entry + 3]
            places.put(
                WhiteBackground.blend(palette[entry], alpha), WhiteBackground.blend(palette[entry + 1], alpha),
                WhiteBackground.blend(palette[entry + 2], alpha), index, &output)
        }
    }

    private func writeWideGrey(_ row: [UInt8], _ count: Int, _ output: inout [UInt8], _ places: Places) {
        for index in 0..<count {
            let isClear = transparent.map { $0[0] == Self.wide(row, index) } ?? false
            let value = isClear ? 255 : row[2 * index]
            places.put(value, value, value, index, &output)
        }
    }

    private func writeGrey(
        _ row: [UInt8], _ count: Int, _ depth: Int, _ output: inout [UInt8], _ places: Places
    ) {
        let scale = 255 / (1 << depth - 1)
        for index in 0..<count {
            let sample = packed(row, index)
            let isClear = transparent.map { $0[0] == sample } ?? false
            let value = isClear ? 255 : UInt8(sample * scale)
            places.put(value, value, value, index, &output)
        }
    }

    private func writeWideRGB(_ row: [UInt8], _ count: Int, _ output: inout [UInt8], _ places: Places) {
        for index in 0..<count {
            let isClear =
                transparent.map { colour in
                    (0..<3).allSatisfy { colour[$0] == Self.wide(row, 3 * index + $0) }
                } ?? false
            if isClear {
                places.put(255, 255, 255, index, &output)
            } else {
                places.put(row[6 * index], row[6 * index + 2], row[6 * index + 4], index, &output)
            }
        }
    }

    private func writeRGB(_ row: [UInt8], _ count: Int, _ output: inout [UInt8], _ places: Places) {
        for index in 0..<count {
            let isClear =
                transparent.map { colour in (0..<3).allSatisfy { colour[$0] == Int(row[3 * index + $0]) } } ?? false
            if isClear {
                places.put(255, 255, 255, index, &output)
            } else {
                places.put(row[3 * index], row[3 * index + 1], row[3 * index + 2], index, &output)
            }
        }
    }

    /// - Parameter size: bytes of a sample, of which the first counts.
    private static func writeGreyAlpha(
        _ row: [UInt8], _ count: Int, _ size: Int, _ output: inout [UInt8], _ places: Places
    ) {
        for index in 0..<count {
            let value = WhiteBackground.blend(row[2 * size * index], row[size * (2 * index + 1)])
            places.put(value, value, value, index, &output)
        }
    }

    /// - Parameter size: bytes of a sample, of which the first counts.
    private static func writeRGBAlpha(
        _ row: [UInt8], _ count: Int, _ size: Int, _ output: inout [UInt8], _ places: Places
    ) {
        for index in 0..<count {
            let first = 4 * size * index
            let alpha = row[first + 3 * size]
            places.put(
                WhiteBackground.blend(row[first], alpha), WhiteBackground.blend(row[first + size], alpha),
                WhiteBackground.blend(row[first + 2 * size], alpha), index, &output)
        }
    }

    /// A sample of at most eight bits; several of them share a byte, the first in its upper bits.
    private func packed(_ row: [UInt8], _ index: Int) -> Int {
        let depth = header.depth
        guard depth < 8 else { return Int(row[index]) }
        let bit = index * depth
        return Int(row[bit >> 3]) >> (8 - depth - bit & 7) & (1 << depth - 1)
    }

    private static func wide(_ row: [UInt8], _ index: Int) -> Int { Int(row[2 * index]) << 8 | Int(row[2 * index + 1]) }
}
