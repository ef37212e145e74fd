/// The coefficients of a JPEG image, which scans bring one after the other.
///
/// A baseline file's blocks are transformed as they come, and only their samples are kept; where one scan brings all
/// components, of two rows of units.
struct JPEGCoefficients {
    private let frame: JPEGFrame
    /// Of each component of a progressive file, 64 of each block.
    private var coefficients: [JPEGBuffer<Int16>] = []
    /// Of each component, samples; of a progressive file none until the end.
    private var samples: [JPEGBuffer<UInt8>] = []
    private var quantisation: [JPEGBuffer<Int16>?]
    /// A flag for each component, true if its first scan was read.
    private var isRead: [Bool]
    /// The pixels, where one scan brought all of them: no other one counts.
    private(set) var pixels: [UInt8]?

    init(_ frame: JPEGFrame) {
        self.frame = frame
        quantisation = [JPEGBuffer<Int16>?](repeating: nil, count: frame.components.count)
        isRead = [Bool](repeating: false, count: frame.components.count)
    }

    var isComplete: Bool { !isRead.contains(false) }

    /// Reads a scan's bits; where they end.
    ///
    /// - Parameter model: what the components are.
    mutating func read(
        _ scan: JPEGScan, _ tables: JPEGTables, _ model: JPEGColours.Model, from reader: ByteReader
    ) throws -> Int {
        for scanned in scan.components {
            guard
                let table = quantisation[scanned.component]
                    ?? tables.quantisation[frame.components[scanned.component].table]
            else {
                throw ImageFileError(
                    .damaged,
                    "the JPEG file uses quantisation table \(frame.components[scanned.component].table) but does not contain it"
                )
            }
            // The table at a component's first scan is the one that counts.
            quantisation[scanned.component] = table
            if frame.isProgressive, !isRead[scanned.component], scan.first > 0 {
                throw ImageFileError(
                    .damaged, "the JPEG file has AC coefficients of a component before its DC coefficients")
            }
        }
        let portion = JPEGBitReader.portion()
        let position = try reader.bytes.withUnsafeBytes { bytes in
            var bits = JPEGBitReader(bytes, at: reader.position, portion: portion)
            try withExtendedLifetime(portion) {
                if frame.isProgressive {
                    try readProgressive(scan, tables, &bits)
                } else if scan.components.count == frame.components.count, !isRead.contains(true) {
                    try readAll(scan, tables, model, &bits)
                } else {
                    try readBaseline(scan, tables, &bits)
                }
            }
            return bits.position
        }
        for scanned in scan.components { isRead[scanned.component] = true }
        return position
    }

    /// The only scan of a baseline file, whose pixels are made on the way.
    private mutating func readAll(
        _ scan: JPEGScan, _ tables: JPEGTables, _ model: JPEGColours.Model, _ bits: inout JPEGBitReader
    ) throws {
        // A row of the image may need the row of units before, and so may the last one of that row.
        let planeRows = min(2, frame.unitRows)
        let planes = frame.components.map {
            JPEGBuffer<UInt8>(count: 64 * $0.blockColumns * $0.vertical * planeRows, repeating: 0)
        }
        let rows = try baselineScan(scan, tables, planes, planeRows: planeRows)
        var reader = bits
        pixels = try [UInt8](unsafeUninitializedCapacity: 3 * frame.width * frame.height) { output, count in
            guard let first = output.baseAddress else { return }
            var writer = JPEGColours.Writer(planes, planeRows: planeRows, frame, model)
            for row in 0..<frame.unitRows {
                try rows.readRow(row, &reader)
                writer.write(units: row + 1, to: first)
            }
            count = 3 * frame.width * frame.height
        }
        bits = reader
    }

    /// One of several scans of a baseline file.
    private mutating func readBaseline(_ scan: JPEGScan, _ tables: JPEGTables, _ bits: inout JPEGBitReader) throws {
        if samples.isEmpty {
            samples = frame.components.map {
                JPEGBuffer(count: 64 * $0.blockColumns * $0.blockRows, repeating: 0)
            }
        }
        let planes = scan.components.map { samples[$0.component] }
        // The rows of a scan of one component are rows of blocks.
        let planeRows = JPEGBaselineScan.rows(scan, frame)
        let rows = try baselineScan(scan, tables, planes, planeRows: planeRows)
        for row in 0..<planeRows { try rows.readRow(row, &bits) }
    }

    /// - Parameter planes: of each of the scan's components.
    private func baselineScan(
        _ scan: JPEGScan, _ tables: JPEGTables, _ planes: [JPEGBuffer<UInt8>], planeRows: Int
    ) throws -> JPEGBaselineScan {
        try JPEGBaselineScan(
            scan, frame, tables, quantisation: scan.components.compactMap { quantisation[$0.component] },
            planes: planes,
            planeRows: planeRows)
    }

    private mutating func readProgressive(_ scan: JPEGScan, _ tables: JPEGTables, _ bits: inout JPEGBitReader) throws {
        if coefficients.isEmpty {
            coefficients = frame.components.map {
                JPEGBuffer(count: 64 * $0.blockColumns * $0.blockRows, repeating: 0)
            }
        }
        var decoders = try scan.components.map { try JPEGBlockDecoder(scan, $0, tables: tables) }
        if scan.components.count == 1 {
            try readSingle(scan.components[0].component, &decoders[0], tables.restartInterval, &bits)
        } else {
            try readInterleaved(scan, &decoders, tables.restartInterval, &bits)
        }
    }

    /// A scan of one component, whose blocks come row by row without those that only fill units.
    private func readSingle(
        _ index: Int, _ decoder: inout JPEGBlockDecoder, _ interval: Int, _ bits: inout JPEGBitReader
    ) throws {
        let component = frame.components[index]
        let (columns, rows) = ((component.width + 7) / 8, (component.height + 7) / 8)
        var (count, restarts) = (0, 0)
        var block = 0
        while block < columns * rows {
            if interval > 0, count == interval {
                try bits.restart(restarts)
                decoder.restart()
                (count, restarts) = (0, restarts + 1)
            }
            if decoder.canSkip, decoder.emptyRun > 0 {
                var skipped = min(decoder.emptyRun, columns * rows - block)
                if interval > 0 { skipped = min(skipped, interval - count) }
                decoder.skip(skipped)
                block += skipped
                count += skipped
                continue
            }
            try readBlock(index, block / columns, block % columns, &decoder, &bits)
            block += 1
            count += 1
        }
    }

    private func readInterleaved(
        _ scan: JPEGScan, _ decoders: inout [JPEGBlockDecoder], _ interval: Int, _ bits: inout JPEGBitReader
    ) throws {
        var (count, restarts) = (0, 0)
        for row in 0..<frame.unitRows {
            for column in 0..<frame.unitColumns {
                if interval > 0, count == interval {
                    try bits.restart(restarts)
                    for index in decoders.indices { decoders[index].restart() }
                    (count, restarts) = (0, restarts + 1)
                }
                count += 1
                for (place, scanned) in scan.components.enumerated() {
                    let component = frame.components[scanned.component]
                    for y in 0..<component.vertical {
                        for x in 0..<component.horizontal {
                            try readBlock(
                                scanned.component, row * component.vertical + y, column * component.horizontal + x,
                                &decoders[place], &bits)
                        }
                    }
                }
            }
        }
    }

    @inline(__always)
    private func readBlock(
        _ index: Int, _ row: Int, _ column: Int, _ decoder: inout JPEGBlockDecoder, _ bits: inout JPEGBitReader
    ) throws {
        let columns = frame.components[index].blockColumns
        try decoder.decode(&bits, to: coefficients[index].pointer + 64 * (row * columns + column))
    }

    /// Each component's samples, in rows of eight times its block columns.
    consuming func planes() -> [JPEGBuffer<UInt8>] {
        guard frame.isProgressive else { return samples }
        let kernel = JPEGTransform.kernel
        for (index, component) in frame.components.enumerated() {
            let columns = component.blockColumns
            let plane = JPEGBuffer<UInt8>(count: 64 * columns * component.blockRows, repeating: 0)
            samples.append(plane)
            guard let table = quantisation[index] else { continue }
            for block in 0..<columns * component.blockRows {
                JPEGTransform.inverse(
                    coefficients[index].pointer + 64 * block, last: 63, quantisation: table.pointer,
                    to: plane.pointer + 8 * (block / columns * 8 * columns + block % columns), stride: 8 * columns,
                    kernel)
            }
        }
        return samples
    }
}
