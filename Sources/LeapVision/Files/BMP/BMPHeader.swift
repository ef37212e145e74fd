/// The header of a BMP file (BITMAPFILEHEADER and the headers after it, of OS/2 to version 5).
struct BMPHeader {
    /// The packing of pixels.
    enum Packing: Int {
        case none = 0
        case runs8 = 1
        case runs4 = 2
        case masks = 3
        case masksWithOpacity = 6
    }

    let width: Int
    let height: Int
    /// True if the first row of the file is the upper one; as a rule it is the lower one.
    let isTopDown: Bool
    /// Bits of a pixel.
    let depth: Int
    let packing: Packing
    /// Blue, green and red of each entry, and a byte more but in the oldest files.
    let palette: ArraySlice<UInt8>
    let paletteEntrySize: Int
    /// The bits of red, green, blue and opacity in a pixel of 16 or 32 bits.
    let masks: [Int]
    /// The offset at which the pixels begin.
    let start: Int

    init(_ file: [UInt8], limits: ImageLimits) throws {
        var reader = ByteReader(file, from: 10)
        start = try reader.littleEndian(4)
        let headerStart = reader.position
        let size = try reader.littleEndian(4)
        guard size == 12 || (16...1024).contains(size) else {
            throw ImageFileError(
                .damaged, "the BMP file has a header of \(size) bytes, which is not a size of BMP headers")
        }
        let isOld = size == 12
        let (columns, rows) =
            isOld
            ? (try reader.littleEndian(2), try reader.littleEndian(2))
            : (Self.signed(try reader.littleEndian(4)), Self.signed(try reader.littleEndian(4)))
        width = columns
        height = abs(rows)
        isTopDown = rows < 0
        try limits.check(width: width, height: height)
        try reader.skip(2)
        depth = try reader.littleEndian(2)
        // Old headers may end anywhere behind this; what they lack is 0.
        let hasPacking = size >= 20
        let method = hasPacking ? try reader.littleEndian(4) : 0
        guard let packing = Packing(rawValue: method), Self.depths(of: packing).contains(depth) else {
            throw ImageFileError(
                .unsupported,
                "the BMP file has \(depth) bits per pixel with compression method \(method), which is not supported; convert it to JPEG or PNG first"
            )
        }
        self.packing = packing
        var colourCount = 0
        if size >= 36 {
            // Bytes of the pixels, and pixels of a metre.
            try reader.skip(12)
            colourCount = try reader.littleEndian(4)
        }
        var masks = Self.usualMasks(depth)
        if packing == .masks || packing == .masksWithOpacity {
            // In longer headers they belong to it, and lie in the same place.
            reader.position = headerStart + 40
            let hasOpacity = packing == .masksWithOpacity || size >= 56
            masks = try (0..<(hasOpacity ? 4 : 3)).map { _ in try reader.littleEndian(4) }
            if masks.count == 3 { masks.append(0) }
        }
        self.masks = masks
        paletteEntrySize = isOld ? 3 : 4
        let behindHeader = max(headerStart + size, packing == .none ? 0 : reader.position)
        guard depth <= 8 else {
            palette = []
            return
        }
        let most = 1 << depth
        let count = colourCount == 0 ? most : min(colourCount, most)
        // Some files have fewer entries than they say: what is behind them are the pixels.
        let end = min(behindHeader + count * paletteEntrySize, start > behindHeader ? start : .max, file.count)
        palette = file[min(behindHeader, end)..<end]
    }

    /// Bytes of a row that is not packed: whole words of 32 bits.
    var rowBytes: Int { (width * depth + 31) / 32 * 4 }

    private static func signed(_ value: Int) -> Int { Int(Int32(truncatingIfNeeded: value)) }

    private static func depths(of packing: Packing) -> [Int] {
        switch packing {
        case .none: [1, 2, 4, 8, 16, 24, 32]
        case .runs8: [8]
        case .runs4: [4]
        case .masks, .masksWithOpacity: [16, 32]
        }
    }

    private static func usualMasks(_ depth: Int) -> [Int] {
        depth == 16 ? [0x7C00, 0x3E0, 0x1F, 0] : [0xFF_0000, 0xFF00, 0xFF, 0]
    }
}
