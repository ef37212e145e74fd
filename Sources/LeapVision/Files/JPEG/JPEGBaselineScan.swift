/// The blocks of a scan of a baseline file (ITU-T T.81, F.2), each of which is transformed when its coefficients are
/// there.
final class JPEGBaselineScan {
    /// A block of each unit.
    private struct Step {
        /// The place of its component in the scan.
        let part: Int
        let dc: UnsafePointer<Int32>
        let ac: UnsafePointer<Int32>
        let quantisation: UnsafePointer<Int16>
        /// Its samples in the first unit of each row of units that the plane has room for.
        let samples: UnsafeMutablePointer<UInt8>
        /// Between rows of samples, between units, and between rows of units.
        let stride: Int
        let unitBytes: Int
        let rowBytes: Int
    }

    /// Codes, which steps point into.
    private let dc: [JPEGHuffmanTable]
    private let ac: [JPEGHuffmanTable]
    private let quantisation: [JPEGBuffer<Int16>]
    private let planes: [JPEGBuffer<UInt8>]
    private let steps: [Step]
    /// Units of a row.
    private let columns: Int
    /// Rows of units that planes have room for, in turn.
    private let planeRows: Int
    /// Units between restart markers; 0 where there are none.
    private let interval: Int
    private var unitsLeft: Int
    private var restarts = 0
    /// The DC coefficient of the block before, of each component.
    private let predictions = JPEGBuffer<Int>(count: 4, repeating: 0)
    /// The coefficients of a block, row by row.
    private let block = JPEGBuffer<Int16>(count: 64, repeating: 0)

    /// - Parameters:
    ///   - quantisation: of each of the scan's components.
    ///   - planes: of each of the scan's components the samples, in rows of eight times its block columns.
    ///   - planeRows: how many rows of units planes have room for.
    init(
        _ scan: JPEGScan, _ frame: JPEGFrame, _ tables: JPEGTables, quantisation: [JPEGBuffer<Int16>],
        planes: [JPEGBuffer<UInt8>], planeRows: Int
    ) throws {
        dc = try scan.components.map { try tables.code(tables.dc, $0.dc) }
        ac = try scan.components.map { try tables.code(tables.ac, $0.ac) }
        (self.quantisation, self.planes, self.planeRows) = (quantisation, planes, planeRows)
        interval = tables.restartInterval
        unitsLeft = interval
        // A scan of one component has its blocks row by row, without those that only fill units.
        let isSingle = scan.components.count == 1
        columns = isSingle ? (frame.components[scan.components[0].component].width + 7) / 8 : frame.unitColumns
        var steps: [Step] = []
        for (place, scanned) in scan.components.enumerated() {
            let component = frame.components[scanned.component]
            let (width, height) = isSingle ? (1, 1) : (component.horizontal, component.vertical)
            let stride = 8 * component.blockColumns
            for y in 0..<height {
                for x in 0..<width {
                    steps.append(
                        Step(
                            part: place, dc: UnsafePointer(dc[place].coefficients.pointer),
                            ac: UnsafePointer(ac[place].coefficients.pointer),
                            quantisation: UnsafePointer(quantisation[place].pointer),
                            samples: planes[place].pointer + 8 * (y * stride + x), stride: stride, unitBytes: 8 * width,
                            rowBytes: 8 * height * stride))
                }
            }
        }
        self.steps = steps
    }

    /// Rows of units of a scan.
    static func rows(_ scan: JPEGScan, _ frame: JPEGFrame) -> Int {
        scan.components.count == 1 ? (frame.components[scan.components[0].component].height + 7) / 8 : frame.unitRows
    }

    /// Reads a row of units and writes its samples.
    func readRow(_ row: Int, _ reader: inout JPEGBitReader) throws {
        // A copy is kept in registers.
        var bits = reader
        let kernel = JPEGTransform.kernel
        let (predictions, block) = (self.predictions.pointer, self.block.pointer)
        let planeRow = row % planeRows
        try steps.withUnsafeBufferPointer { steps in
            for column in 0..<columns {
                if interval > 0 { try beginUnit(&bits) }
                for index in steps.indices {
                    let step = steps[index]
                    let last = try read(step, &bits, predictions + step.part, block)
                    JPEGTransform.inverse(
                        block, last: last, quantisation: step.quantisation,
                        to: step.samples + planeRow &* step.rowBytes + column &* step.unitBytes,
                        stride: step.stride, kernel)
                    if last > 0 { Self.clear(block) }
                }
            }
        }
        reader = bits
    }

    private func beginUnit(_ bits: inout JPEGBitReader) throws {
        if unitsLeft == 0 {
            var reader = bits
            try reader.restart(restarts)
            bits = reader
            for part in 0..<4 { predictions.pointer[part] = 0 }
            restarts += 1
            unitsLeft = interval
        }
        unitsLeft -= 1
    }

    @inline(__always)
    private static func clear(_ block: UnsafeMutablePointer<Int16>) {
        let bytes = UnsafeMutableRawPointer(block)
        for index in 0..<8 { bytes.storeBytes(of: .zero, toByteOffset: 16 &* index, as: SIMD8<Int16>.self) }
    }

    /// Reads the coefficients of a block, which are 0.
    ///
    /// - Returns: the last one along the diagonals that may not be 0.
    @inline(__always)
    private func read(
        _ step: Step, _ bits: inout JPEGBitReader, _ prediction: UnsafeMutablePointer<Int>,
        _ block: UnsafeMutablePointer<Int16>
    ) throws -> Int {
        bits.prepare()
        bits.fill()
        var entry = step.dc[bits.peek(JPEGHuffmanTable.coefficientBits)]
        if entry != 0 {
            bits.skip(Int(entry & 0xFF))
        } else {
            (bits, entry) = Self.longDifference(bits, dc[step.part])
        }
        // What leads out of a block is no difference.
        var isRead = entry >> 8 & 0xFF == 0
        prediction.pointee &+= Int(entry >> 16)
        block[0] = Int16(truncatingIfNeeded: prediction.pointee)
        let zigzag = JPEGTransform.zigzagPointer
        var (index, last) = (1, 0)
        while isRead, index < 64 {
            bits.fill()
            entry = step.ac[bits.peek(JPEGHuffmanTable.coefficientBits)]
            if entry != 0 {
                bits.skip(Int(entry & 0xFF))
            } else {
                (bits, entry) = Self.longCoefficient(bits, ac[step.part])
            }
            index &+= Int(entry >> 8 & 0xFF)
            let value = Int16(truncatingIfNeeded: entry >> 16)
            guard index < 64 else {
                // The end of the block, or zeros to its end.
                isRead = value == 0
                break
            }
            block[Int(zigzag[index])] = value
            last = index
            index &+= 1
        }
        if !isRead || bits.isExhausted { try JPEGBlockDecoder.check(isRead, bits) }
        return last
    }

    /// A difference of more bits than its table knows; the run of bits that are not a code leads out of the block.
    @inline(never)
    private static func longDifference(_ reader: JPEGBitReader, _ table: JPEGHuffmanTable) -> (JPEGBitReader, Int32) {
        var bits = reader
        let size = bits.symbol(table)
        guard size >= 0, size <= 15 else {
            return (bits, JPEGHuffmanTable.entry(length: 0, run: JPEGHuffmanTable.endRun, value: 1))
        }
        let entry = JPEGHuffmanTable.entry(length: 0, run: 0, value: bits.takeSigned(size))
        return (bits, entry)
    }

    /// A coefficient of more bits than its table knows; the same.
    @inline(never)
    private static func longCoefficient(_ reader: JPEGBitReader, _ table: JPEGHuffmanTable) -> (JPEGBitReader, Int32) {
        var bits = reader
        let symbol = bits.symbol(table)
        guard symbol >= 0 else {
            return (bits, JPEGHuffmanTable.entry(length: 0, run: JPEGHuffmanTable.endRun, value: 1))
        }
        let (run, size) = (Int32(symbol >> 4), symbol & 15)
        guard size > 0 else {
            return (bits, JPEGHuffmanTable.entry(length: 0, run: run == 15 ? run : JPEGHuffmanTable.endRun, value: 0))
        }
        let entry = JPEGHuffmanTable.entry(length: 0, run: run, value: bits.takeSigned(size))
        return (bits, entry)
    }
}
