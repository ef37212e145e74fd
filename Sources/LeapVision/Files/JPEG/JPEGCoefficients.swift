/// The coefficients of a JPEG image, which scans bring one after the other.
///
/// A baseline file's blocks are transformed as they come, and only their samples are kept.
struct JPEGCoefficients {
    private let frame: JPEGFrame
    /// Of each component, 64 of each block; of a baseline file one block.
    private var coefficients: [[Int16]]
    /// Of each component, samples; of a progressive file none until the end.
    private var samples: [[UInt8]]
    private var quantisation: [[Int32]?]
    /// Whether each component's first scan was read.
    private var isRead: [Bool]

    init(_ frame: JPEGFrame) {
        self.frame = frame
        coefficients = frame.components.map {
            [Int16](repeating: 0, count: 64 * (frame.isProgressive ? $0.blockColumns * $0.blockRows : 1))
        }
        samples = frame.components.map {
            frame.isProgressive ? [] : [UInt8](repeating: 0, count: 64 * $0.blockColumns * $0.blockRows)
        }
        quantisation = [[Int32]?](repeating: nil, count: frame.components.count)
        isRead = [Bool](repeating: false, count: frame.components.count)
    }

    var isComplete: Bool { !isRead.contains(false) }

    /// Reads a scan's bits; where they end.
    mutating func read(_ scan: JPEGScan, _ tables: JPEGTables, from reader: ByteReader) throws -> Int {
        for part in scan.parts {
            guard
                let table = quantisation[part.component] ?? tables.quantisation[frame.components[part.component].table]
            else {
                throw ImageFileError(
                    .damaged,
                    "the JPEG file uses quantisation table \(frame.components[part.component].table) and does not bring it"
                )
            }
            // The table at a component's first scan is the one that counts.
            quantisation[part.component] = table
            if frame.isProgressive, !isRead[part.component], scan.first > 0 {
                throw ImageFileError(.damaged, "the JPEG file has details of a component before its mean values")
            }
        }
        var decoders = try scan.parts.map {
            try JPEGBlockDecoder(scan, $0, tables: tables, isProgressive: frame.isProgressive)
        }
        var bits = JPEGBitReader(reader.bytes, at: reader.position)
        if scan.parts.count == 1 {
            try readSingle(scan.parts[0].component, &decoders[0], tables.restartInterval, &bits)
        } else {
            try readInterleaved(scan, &decoders, tables.restartInterval, &bits)
        }
        for part in scan.parts { isRead[part.component] = true }
        return bits.position
    }

    /// A scan of one component, whose blocks come row by row without those that only fill units.
    private mutating func readSingle(
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

    private mutating func readInterleaved(
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
                for (place, part) in scan.parts.enumerated() {
                    let component = frame.components[part.component]
                    for y in 0..<component.vertical {
                        for x in 0..<component.horizontal {
                            try readBlock(
                                part.component, row * component.vertical + y, column * component.horizontal + x,
                                &decoders[place], &bits)
                        }
                    }
                }
            }
        }
    }

    private mutating func readBlock(
        _ index: Int, _ row: Int, _ column: Int, _ decoder: inout JPEGBlockDecoder, _ bits: inout JPEGBitReader
    ) throws {
        let columns = frame.components[index].blockColumns
        if frame.isProgressive {
            try decoder.decode(&bits, to: &coefficients[index], at: 64 * (row * columns + column))
            return
        }
        for place in 0..<64 { coefficients[index][place] = 0 }
        try decoder.decode(&bits, to: &coefficients[index], at: 0)
        guard let table = quantisation[index] else { return }
        JPEGTransform.inverse(
            coefficients[index], at: 0, quantisation: table, to: &samples[index], at: 8 * (row * 8 * columns + column),
            stride: 8 * columns)
    }

    /// Each component's samples, in rows of eight times its block columns.
    consuming func planes() throws -> [[UInt8]] {
        guard frame.isProgressive else { return samples }
        for (index, component) in frame.components.enumerated() {
            guard let table = quantisation[index] else { continue }
            let columns = component.blockColumns
            var plane = [UInt8](repeating: 0, count: 64 * columns * component.blockRows)
            for block in 0..<columns * component.blockRows {
                JPEGTransform.inverse(
                    coefficients[index], at: 64 * block, quantisation: table, to: &plane,
                    at: 8 * (block / columns * 8 * columns + block % columns), stride: 8 * columns)
            }
            samples[index] = plane
            coefficients[index] = []
        }
        return samples
    }
}
