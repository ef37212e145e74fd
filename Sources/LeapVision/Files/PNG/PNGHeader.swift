/// The header of a PNG file (PNG specification, third edition, 11.2.1).
struct PNGHeader {
    enum Colour: Int {
        case grey = 0
        case rgb = 2
        case palette = 3
        case greyAlpha = 4
        case rgbAlpha = 6

        var channels: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAlpha: 2
            case .rgb: 3
            case .rgbAlpha: 4
            }
        }

        var depths: [Int] {
            switch self {
            case .grey: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .greyAlpha, .rgbAlpha: [8, 16]
            }
        }
    }

    let width: Int
    let height: Int
    /// Bits of a channel.
    let depth: Int
    let colour: Colour
    let isInterlaced: Bool

    init(_ reader: inout ByteReader) throws {
        width = try reader.uint32()
        height = try reader.uint32()
        depth = try reader.byte()
        let type = try reader.byte()
        guard let colour = Colour(rawValue: type), colour.depths.contains(depth) else {
            throw ImageFileError(
                .damaged, "the PNG file has colour type \(type) with \(depth) bits, which is not valid")
        }
        self.colour = colour
        let (compression, filter, interlace) = (try reader.byte(), try reader.byte(), try reader.byte())
        guard compression == 0, filter == 0, interlace <= 1 else {
            throw ImageFileError(
                .unsupported,
                "the PNG file has compression \(compression), filter \(filter) and interlace \(interlace); only 0, 0 and 0 or 1 are valid"
            )
        }
        isInterlaced = interlace == 1
    }

    var bitsPerPixel: Int { colour.channels * depth }

    /// Bytes of a row of pixels, without its filter.
    func rowBytes(width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }

    /// The parts in which the pixels come: all at once, or Adam7's seven.
    var passes: [PNGPass] {
        let all = isInterlaced ? PNGPass.interlaced : [PNGPass(x: 0, y: 0, stepX: 1, stepY: 1)]
        return all.filter { $0.columns(of: width) > 0 && $0.rows(of: height) > 0 }
    }
}

/// Every so many pixels in both directions, from a first one.
struct PNGPass {
    let x: Int
    let y: Int
    let stepX: Int
    let stepY: Int

    func columns(of width: Int) -> Int { max(0, (width - x + stepX - 1) / stepX) }

    func rows(of height: Int) -> Int { max(0, (height - y + stepY - 1) / stepY) }

    /// Adam7 (8.2 of the specification).
    static let interlaced = [
        PNGPass(x: 0, y: 0, stepX: 8, stepY: 8), PNGPass(x: 4, y: 0, stepX: 8, stepY: 8),
        PNGPass(x: 0, y: 4, stepX: 4, stepY: 8), PNGPass(x: 2, y: 0, stepX: 4, stepY: 4),
        PNGPass(x: 0, y: 2, stepX: 2, stepY: 4), PNGPass(x: 1, y: 0, stepX: 2, stepY: 2),
        PNGPass(x: 0, y: 1, stepX: 1, stepY: 2),
    ]
}
