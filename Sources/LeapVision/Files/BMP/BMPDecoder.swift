/// Decodes BMP files: with a table of colours, also packed in runs, and of 16, 24 and 32 bits a pixel.
///
/// Opacity counts where the file has a mask for it; transparent pixels are blended with white.
struct BMPDecoder {
    private let header: BMPHeader
    private let file: [UInt8]
    private var output: [UInt8]

    static func decode(_ file: [UInt8], limits: ImageLimits) throws -> RGBImage {
        let header = try BMPHeader(file, limits: limits)
        let left = max(0, file.count - header.start)
        // A packed pixel takes two bytes for 255 at least, so that a short file cannot ask for much memory.
        let isPacked = header.packing == .runs8 || header.packing == .runs4
        let needed = isPacked ? header.width * header.height / 128 : header.rowBytes * header.height
        guard needed <= left else {
            throw ImageFileError(
                .truncated,
                "the BMP file has \(left) bytes of pixels, too few for \(header.width) by \(header.height)")
        }
        var decoder = BMPDecoder(header: header, file: file)
        if isPacked {
            try decoder.readRuns()
        } else if header.depth <= 8 {
            decoder.readIndices()
        } else if header.depth == 24 {
            decoder.readColours()
        } else {
            decoder.readMasked()
        }
        return RGBImage(width: header.width, height: header.height, bytes: decoder.output)
    }

    private init(header: BMPHeader, file: [UInt8]) {
        self.header = header
        self.file = file
        output = [UInt8](repeating: 0, count: 3 * header.width * header.height)
    }

    /// Returns the offset of a row of the file in the output.
    private func place(ofRow row: Int) -> Int {
        3 * header.width * (header.isTopDown ? row : header.height - 1 - row)
    }

    private mutating func put(_ index: Int, at place: Int) {
        let entry = header.palette.startIndex + index * header.paletteEntrySize
        // Colours that the table lacks are black.
        guard entry + 3 <= header.palette.endIndex else { return }
        for channel in 0..<3 { output[place + channel] = header.palette[entry + 2 - channel] }
    }

    private mutating func readIndices() {
        let depth = header.depth
        let mask = 1 << depth - 1
        for row in 0..<header.height {
            let start = header.start + row * header.rowBytes
            let place = place(ofRow: row)
            for column in 0..<header.width {
                let bit = column * depth
                put(Int(file[start + bit >> 3]) >> (8 - depth - bit & 7) & mask, at: place + 3 * column)
            }
        }
    }

    private mutating func readColours() {
        for row in 0..<header.height {
            var source = header.start + row * header.rowBytes
            let first = place(ofRow: row)
            for place in stride(from: first, to: first + 3 * header.width, by: 3) {
                output[place] = file[source + 2]
                output[place + 1] = file[source + 1]
                output[place + 2] = file[source]
                source += 3
            }
        }
    }

    private mutating func readMasked() {
        let size = header.depth / 8
        let fields = header.masks.map(Field.init)
        for row in 0..<header.height {
            let start = header.start + row * header.rowBytes
            let place = place(ofRow: row)
            for column in 0..<header.width {
                var value = 0
                for byte in 0..<size { value |= Int(file[start + size * column + byte]) << (8 * byte) }
                let alpha = header.masks[3] == 0 ? 255 : fields[3].value(of: value)
                for channel in 0..<3 {
                    output[place + 3 * column + channel] = WhiteBackground.blend(
                        fields[channel].value(of: value), alpha)
                }
            }
        }
    }

    /// A colour's bits in a pixel.
    private struct Field {
        private let shift: Int
        private let largest: Int

        init(_ mask: Int) {
            shift = mask == 0 ? 0 : mask.trailingZeroBitCount
            largest = mask >> shift
        }

        func value(of pixel: Int) -> UInt8 {
            largest == 0 ? 0 : UInt8(truncatingIfNeeded: (pixel >> shift & largest) * 255 / largest)
        }
    }

    /// Runs of one colour, or of two by turns, and pixels as they are, in rows from below.
    private mutating func readRuns() throws {
        var reader = ByteReader(file, from: header.start)
        let (file, isHalf) = (file, header.packing == .runs4)
        var (row, column) = (0, 0)
        func pixel(_ byte: Int, _ index: Int) -> Int {
            guard isHalf else { return byte }
            return index & 1 == 0 ? byte >> 4 : byte & 15
        }
        // Pixels that are not written have the first colour.
        for place in stride(from: 0, to: output.count, by: 3) { put(0, at: place) }
        while row < header.height {
            let (count, value) = (try reader.byte(), try reader.byte())
            guard count == 0 else {
                set(count, row, &column) { pixel(value, $0) }
                continue
            }
            switch value {
            case 0: (row, column) = (row + 1, 0)
            case 1: return
            case 2: (column, row) = (column + (try reader.byte()), row + (try reader.byte()))
            default:
                let start = reader.position
                let size = isHalf ? (value + 1) / 2 : value
                try reader.skip(size)
                set(value, row, &column) { pixel(Int(file[start + (isHalf ? $0 / 2 : $0)]), $0) }
                if size & 1 == 1, reader.remaining > 0 { try reader.skip(1) }
            }
        }
    }

    /// Writes pixels of a row; those beyond its end are left out.
    private mutating func set(_ count: Int, _ row: Int, _ column: inout Int, _ index: (Int) -> Int) {
        let place = place(ofRow: row)
        for number in 0..<count where column + number < header.width {
            put(index(number), at: place + 3 * (column + number))
        }
        column += count
    }
}
