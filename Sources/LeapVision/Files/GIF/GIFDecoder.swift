/// Decodes the first image of GIF files (GIF89a specification): what is transparent, or not covered by it, is white.
struct GIFDecoder {
    private var reader: ByteReader
    private let limits: ImageLimits
    /// Columns and rows of the picture that images are parts of.
    private var canvas = (width: 0, height: 0)
    private var palette: ArraySlice<UInt8> = []
    /// The colour of the next image that is transparent.
    private var transparent: Int?

    static func decode(_ file: [UInt8], limits: ImageLimits) throws -> RGBImage {
        var decoder = GIFDecoder(reader: ByteReader(file, from: 6), limits: limits)
        return try decoder.run()
    }

    private init(reader: ByteReader, limits: ImageLimits) {
        self.reader = reader
        self.limits = limits
    }

    private mutating func run() throws -> RGBImage {
        canvas = (try reader.littleEndian(2), try reader.littleEndian(2))
        let flags = try reader.byte()
        // The background, which nobody shows, and the shape of a pixel.
        try reader.skip(2)
        palette = try colours(flags)
        while true {
            switch try reader.byte() {
            case 0x2C: return try image()
            case 0x21: try readExtension()
            case 0x3B: throw ImageFileError(.truncated, "the GIF file has no image")
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
        }
    }

    private mutating func image() throws -> RGBImage {
        let (left, top) = (try reader.littleEndian(2), try reader.littleEndian(2))
        let (columns, rows) = (try reader.littleEndian(2), try reader.littleEndian(2))
        let flags = try reader.byte()
        let own = try colours(flags)
        if !own.isEmpty { palette = own }
        guard !palette.isEmpty else { throw ImageFileError(.damaged, "the GIF file has no colour table") }
        // Images that reach over the edge widen the picture, as other programs have it.
        let (width, height) = (max(canvas.width, left + columns), max(canvas.height, top + rows))
        try limits.check(width: width, height: height)
        try limits.check(width: columns, height: rows)
        let pixels = try indices(columns * rows)
        var bytes = [UInt8](repeating: 255, count: 3 * width * height)
        let order = flags & 0x40 != 0 ? Self.interlaced(rows) : Array(0..<rows)
        for (row, y) in order.enumerated() {
            var place = 3 * ((top + y) * width + left)
            for index in pixels[row * columns..<(row + 1) * columns] {
                let colour = palette.startIndex + 3 * Int(index)
                // Colours that the table lacks are black.
                let isThere = colour + 3 <= palette.endIndex
                if Int(index) != transparent {
                    for channel in 0..<3 { bytes[place + channel] = isThere ? palette[colour + channel] : 0 }
                }
                place += 3
            }
        }
        return RGBImage(width: width, height: height, bytes: bytes)
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
