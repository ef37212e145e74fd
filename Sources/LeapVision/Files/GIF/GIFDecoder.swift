/// Decodes GIF files (GIF89a specification): what is transparent, or not covered by an image, is white.
struct GIFDecoder {
    /// The way in which an image leaves the picture when the next one comes.
    private enum Disposal {
        case stays, becomesWhite, becomesPrevious
    }

    /// Pixels of all images of an animation together, at most.
    private static let maxAnimatedPixels = 1 << 28
    /// The time of images that have none, in seconds, as browsers show them.
    private static let usualTime = 0.1

    private var reader: ByteReader
    private let limits: ImageLimits
    /// Columns and rows of the picture that images are parts of.
    private var canvas = (width: 0, height: 0)
    private var palette: ArraySlice<UInt8> = []
    /// The colour of the next image that is transparent.
    private var transparent: Int?
    /// Hundredths of a second that the next image is shown.
    private var hundredths = 0
    private var disposal = Disposal.stays

    /// Returns the first image.
    static func decode(_ file: [UInt8], limits: ImageLimits) throws -> RGBImage {
        var decoder = GIFDecoder(reader: ByteReader(file, from: 6), limits: limits)
        try decoder.readHead()
        guard let part = try decoder.nextPart() else { throw ImageFileError(.truncated, "the GIF file has no image") }
        var bytes = [UInt8](repeating: 255, count: 3 * part.width * part.height)
        decoder.paint(part, on: &bytes, columns: part.width)
        return RGBImage(width: part.width, height: part.height, bytes: bytes)
    }

    /// Calls a closure with each picture of an animation and the seconds that it is shown, until it returns false.
    ///
    /// The first image decides the size. Parts of later ones beyond it are left out.
    static func decodeAnimation(
        _ file: [UInt8], limits: ImageLimits, _ show: (_ picture: RGBImage, _ seconds: Double) throws -> Bool
    ) throws {
        var decoder = GIFDecoder(reader: ByteReader(file, from: 6), limits: limits)
        try decoder.readHead()
        var (bytes, width, height, pixels) = ([UInt8](), 0, 0, 0)
        // Some files end with their last image.
        while bytes.isEmpty || decoder.reader.remaining > 0, let part = try decoder.nextPart() {
            if bytes.isEmpty {
                (width, height) = (part.width, part.height)
                bytes = [UInt8](repeating: 255, count: 3 * width * height)
            }
            // Each image costs a copy of the picture at least.
            pixels += max(part.columns * part.rows, width * height)
            guard pixels <= maxAnimatedPixels else {
                throw ImageFileError(
                    .tooLarge,
                    "the images of the GIF file have more than \(maxAnimatedPixels) pixels together: make it smaller or shorter first"
                )
            }
            let before = decoder.disposal == .becomesPrevious ? bytes : []
            decoder.paint(part, on: &bytes, columns: width)
            let seconds = decoder.hundredths > 1 ? Double(decoder.hundredths) / 100 : usualTime
            guard try show(RGBImage(width: width, height: height, bytes: bytes), seconds) else { return }
            switch decoder.disposal {
            case .stays: break
            case .becomesWhite: part.clear(&bytes, columns: width)
            case .becomesPrevious: bytes = before
            }
            (decoder.transparent, decoder.hundredths, decoder.disposal) = (nil, 0, .stays)
        }
        guard !bytes.isEmpty else { throw ImageFileError(.truncated, "the GIF file has no image") }
    }

    private init(reader: ByteReader, limits: ImageLimits) {
        self.reader = reader
        self.limits = limits
    }

    private mutating func readHead() throws {
        canvas = (try reader.littleEndian(2), try reader.littleEndian(2))
        let flags = try reader.byte()
        // The background, which nobody shows, and the shape of a pixel.
        try reader.skip(2)
        palette = try colours(flags)
    }

    /// The next image; nil at the end of the file.
    private mutating func nextPart() throws -> Part? {
        while true {
            switch try reader.byte() {
            case 0x2C: return try part()
            case 0x21: try readExtension()
            case 0x3B: return nil
            case 0: continue
            case let other: throw ImageFileError(.damaged, "the GIF file has an unknown block \(other)")
            }
        }
    }

    /// A table of colours, three bytes each, where the flags say that there is one.
    private mutating func colours(_ flags: Int) throws -> ArraySlice<UInt8> {
        guard flags & 0x80 != 0 else { return [] }
        let start = reader.position
        try reader.skip(3 * 2 << (flags & 7))
        return reader.bytes[start..<reader.position]
    }

    private mutating func readExtension() throws {
        let isControl = try reader.byte() == 0xF9
        while true {
            let length = try reader.byte()
            guard length > 0 else { return }
            let start = reader.position
            try reader.skip(length)
            guard isControl, length >= 4 else { continue }
            transparent = reader.bytes[start] & 1 != 0 ? Int(reader.bytes[start + 3]) : nil
            hundredths = Int(reader.bytes[start + 1]) | Int(reader.bytes[start + 2]) << 8
            disposal =
                switch reader.bytes[start] >> 2 & 7 {
                case 2: .becomesWhite
                case 3: .becomesPrevious
                default: .stays
                }
        }
    }

    /// An image, and its place in the picture.
    private struct Part {
        let left: Int
        let top: Int
        let columns: Int
        let rows: Int
        /// The size of a picture that holds it.
        let width: Int
        let height: Int
        let palette: ArraySlice<UInt8>
        /// The number of each pixel's colour.
        let pixels: [UInt8]
        let isInterlaced: Bool

        /// Makes its place in a picture white.
        func clear(_ bytes: inout [UInt8], columns pictureColumns: Int) {
            for y in top..<max(top, min(top + rows, bytes.count / (3 * pictureColumns))) {
                for x in left..<max(left, min(left + columns, pictureColumns)) {
                    for channel in 0..<3 { bytes[3 * (y * pictureColumns + x) + channel] = 255 }
                }
            }
        }
    }

    private mutating func part() throws -> Part {
        let (left, top) = (try reader.littleEndian(2), try reader.littleEndian(2))
        let (columns, rows) = (try reader.littleEndian(2), try reader.littleEndian(2))
        let flags = try reader.byte()
        let own = try colours(flags)
        let colours = own.isEmpty ? palette : own
        guard !colours.isEmpty else { throw ImageFileError(.damaged, "the GIF file has no colour table") }
        // Images that reach over the edge widen the picture, as other programs have it.
        let (width, height) = (max(canvas.width, left + columns), max(canvas.height, top + rows))
        try limits.check(width: width, height: height)
        try limits.check(width: columns, height: rows)
        return Part(
            left: left, top: top, columns: columns, rows: rows, width: width, height: height,
            palette: colours, pixels: try indices(columns * rows), isInterlaced: flags & 0x40 != 0)
    }

    /// Paints an image on a picture; what lies beyond the picture is left out.
    private func paint(_ part: Part, on bytes: inout [UInt8], columns: Int) {
        let order = part.isInterlaced ? Self.interlaced(part.rows) : Array(0..<part.rows)
        let rows = bytes.count / (3 * columns)
        for (row, y) in order.enumerated() where part.top + y < rows {
            for column in 0..<min(part.columns, max(0, columns - part.left)) {
                let index = Int(part.pixels[row * part.columns + column])
                guard index != transparent else { continue }
                let place = 3 * ((part.top + y) * columns + part.left + column)
                let colour = part.palette.startIndex + 3 * index
                // Colours that the table lacks are black.
                let isThere = colour + 3 <= part.palette.endIndex
                for channel in 0..<3 { bytes[place + channel] = isThere ? part.palette[colour + channel] : 0 }
            }
        }
    }

    /// The rows in the order in which an interlaced file has them.
    private static func interlaced(_ rows: Int) -> [Int] {
        [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in Array(stride(from: first, to: rows, by: step)) }
    }

    /// The number of each pixel's colour.
    private mutating func indices(_ count: Int) throws -> [UInt8] {
        let codeSize = try reader.byte()
        guard (2...8).contains(codeSize) else {
            throw ImageFileError(.damaged, "the GIF file has codes of \(codeSize) bits; 2 to 8 are valid")
        }
        var packed: [UInt8] = []
        while reader.remaining > 0 {
            let length = try reader.byte()
            guard length > 0 else { break }
            let start = reader.position
            // What a file that ends early still has may be all of it.
            reader.position = min(reader.end, start + length)
            packed += reader.bytes[start..<reader.position]
        }
        return try LZWDecoder.decode(packed, codeSize: codeSize, count: count)
    }
}
