/// The orientation of a file's pixels (Exif 2.32, tag 274).
enum ImageOrientation: Int {
    case upright = 1
    case mirrored = 2
    case turnedHalf = 3
    case flipped = 4
    case transposed = 5
    /// Has to be turned clockwise by a quarter.
    case turnedLeft = 6
    case transversed = 7
    /// Has to be turned counterclockwise by a quarter.
    case turnedRight = 8

    /// Looks for the tag in Exif data, which are a TIFF file, in some files behind the name that JPEG has in front of
    /// it; `nil` where it is not there.
    init?(exif bytes: [UInt8]) {
        let name = Array("Exif\0\0".utf8)
        let bytes = bytes.starts(with: name) ? Array(bytes.dropFirst(name.count)) : bytes
        let isLittle = bytes.starts(with: [0x49, 0x49, 0x2A, 0])
        guard isLittle || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) else { return nil }
        func number(_ offset: Int, _ size: Int) -> Int? {
            guard offset >= 0, offset <= bytes.count - size else { return nil }
            let part = bytes[offset..<offset + size]
            return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
        for index in 0..<count {
            let entry = directory + 2 + 12 * index
            guard let tag = number(entry, 2) else { return nil }
            if tag == 274 {
                // A short number.
                guard number(entry + 2, 2) == 3, let value = number(entry + 8, 2) else { return nil }
                self.init(rawValue: value)
                return
            }
        }
        return nil
    }

    /// The image as it has to be seen.
    func apply(to image: RGBImage) -> RGBImage {
        guard self != .upright else { return image }
        let (width, height) = (image.width, image.height)
        let swaps = rawValue >= 5
        let (columns, rows) = swaps ? (height, width) : (width, height)
        // Where the first pixel is, and how far apart, in pixels, those of a row and those of a column are.
        let (start, right, down): (Int, Int, Int)
        switch self {
        case .upright: (start, right, down) = (0, 1, width)
        case .mirrored: (start, right, down) = (width - 1, -1, width)
        case .turnedHalf: (start, right, down) = (width * height - 1, -1, -width)
        case .flipped: (start, right, down) = (width * (height - 1), 1, -width)
        case .transposed: (start, right, down) = (0, width, 1)
        case .turnedLeft: (start, right, down) = (width * (height - 1), -width, 1)
        case .transversed: (start, right, down) = (width * height - 1, -width, -1)
        case .turnedRight: (start, right, down) = (width - 1, width, -1)
        }
        var bytes = [UInt8](repeating: 0, count: image.bytes.count)
        var place = 0
        for row in 0..<rows {
            var source = 3 * (start + row * down)
            for _ in 0..<columns {
                bytes[place] = image.bytes[source]
                bytes[place + 1] = image.bytes[source + 1]
                bytes[place + 2] = image.bytes[source + 2]
                place += 3
                source += 3 * right
            }
        }
        return RGBImage(width: columns, height: rows, bytes: bytes)
    }
}
