/// The frame header of a JPEG file (ITU-T T.81, B.2.2).
struct JPEGFrame {
    let width: Int
    let height: Int
    let isProgressive: Bool
    let components: [JPEGComponent]
    /// The units of interleaved scans.
    let unitColumns: Int
    let unitRows: Int

    init(_ reader: inout ByteReader, isProgressive: Bool, limits: ImageLimits) throws {
        self.isProgressive = isProgressive
        let precision = try reader.byte()
        guard precision == 8 else {
            throw ImageFileError(
                .unsupported, "the JPEG file has samples of \(precision) bits; only 8 are read, so convert it first")
        }
        height = try reader.uint16()
        width = try reader.uint16()
        try limits.check(width: width, height: height)
        let count = try reader.byte()
        guard [1, 3, 4].contains(count) else {
            throw ImageFileError(.unsupported, "the JPEG file has \(count) components; 1, 3 or 4 are read")
        }
        var parts: [(id: Int, h: Int, v: Int, table: Int)] = []
        for _ in 0..<count {
            let (id, factors, table) = (try reader.byte(), try reader.byte(), try reader.byte())
            guard (1...4).contains(factors >> 4), (1...4).contains(factors & 15), table < 4,
                !parts.contains(where: { $0.id == id })
            else { throw ImageFileError(.damaged, "the JPEG file's component \(id) has an invalid description") }
            parts.append((id, factors >> 4, factors & 15, table))
        }
        // Of a single component every unit is one block, whatever its factors.
        if count == 1 { parts[0] = (parts[0].id, 1, 1, parts[0].table) }
        let maxH = parts.map(\.h).max() ?? 1
        let maxV = parts.map(\.v).max() ?? 1
        guard parts.allSatisfy({ maxH % $0.h == 0 && maxV % $0.v == 0 }) else {
            throw ImageFileError(
                .unsupported, "the JPEG file's sampling factors are not multiples of each other; convert it first")
        }
        let (columns, rows) = ((width + 8 * maxH - 1) / (8 * maxH), (height + 8 * maxV - 1) / (8 * maxV))
        (unitColumns, unitRows) = (columns, rows)
        let (width, height) = (width, height)
        components = parts.map { part in
            JPEGComponent(
                id: part.id, horizontal: part.h, vertical: part.v, table: part.table,
                horizontalRatio: maxH / part.h, verticalRatio: maxV / part.v,
                width: (width * part.h + maxH - 1) / maxH, height: (height * part.v + maxV - 1) / maxV,
                blockColumns: columns * part.h, blockRows: rows * part.v)
        }
    }

    /// Blocks of all components.
    var blockCount: Int { components.reduce(0) { $0 + $1.blockColumns * $1.blockRows } }
}

/// A component of a JPEG image: brightness, a difference of colour, an ink.
struct JPEGComponent {
    let id: Int
    /// Blocks of an interleaved scan's unit.
    let horizontal: Int
    let vertical: Int
    /// The number of its quantisation table.
    let table: Int
    /// The number of the image's columns for which one of its samples stands; ``verticalRatio`` is that of rows.
    let horizontalRatio: Int
    let verticalRatio: Int
    /// Samples.
    let width: Int
    let height: Int
    /// Blocks of 8 by 8 samples, up to whole units.
    let blockColumns: Int
    let blockRows: Int
}
