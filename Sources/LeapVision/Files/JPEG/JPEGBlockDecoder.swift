/// Decodes the coefficients of one component's blocks in one scan (ITU-T T.81, F.2 and G.2).
struct JPEGBlockDecoder {
    /// What the scan brings of each block.
    private enum Kind {
        case whole, dcFirst, dcMore, acFirst, acMore
    }

    private let kind: Kind
    private let scan: JPEGScan
    private let dc: JPEGHuffmanTable
    private let ac: JPEGHuffmanTable
    /// The DC coefficient of the block before.
    private var prediction = 0
    /// Blocks that follow without any coefficient of this scan.
    private(set) var emptyRun = 0

    init(_ scan: JPEGScan, _ part: JPEGScan.Part, tables: JPEGTables, isProgressive: Bool) throws {
        self.scan = scan
        if !isProgressive {
            kind = .whole
        } else if scan.first == 0 {
            kind = scan.high == 0 ? .dcFirst : .dcMore
        } else {
            kind = scan.high == 0 ? .acFirst : .acMore
        }
        let none = try JPEGHuffmanTable(counts: [Int](repeating: 0, count: 16), symbols: [])
        dc = kind == .whole || kind == .dcFirst ? try tables.code(tables.dc, part.dc) : none
        ac = kind == .whole || scan.first > 0 ? try tables.code(tables.ac, part.ac) : none
    }

    /// Forgets what was before, at a restart marker.
    mutating func restart() {
        prediction = 0
        emptyRun = 0
    }

    /// Whether blocks of an empty run change nothing, so that they can be skipped.
    var canSkip: Bool { kind == .acFirst }

    mutating func skip(_ count: Int) { emptyRun -= count }

    /// Reads a block's 64 coefficients, which start at `offset`.
    mutating func decode(_ bits: inout JPEGBitReader, to block: inout [Int16], at offset: Int) throws {
        switch kind {
        case .whole:
            block[offset] = try nextDC(&bits)
            try wholeAC(&bits, &block, offset)
        case .dcFirst:
            block[offset] = try nextDC(&bits)
        case .dcMore:
            if try bits.take(1) == 1 { block[offset] |= 1 << Int16(scan.low) }
        case .acFirst: try firstAC(&bits, &block, offset)
        case .acMore: try moreAC(&bits, &block, offset)
        }
    }

    private mutating func nextDC(_ bits: inout JPEGBitReader) throws -> Int16 {
        let size = try bits.symbol(dc)
        guard size <= 15 else { throw Self.damaged }
        prediction &+= try bits.takeSigned(size)
        return Int16(truncatingIfNeeded: prediction << scan.low)
    }

    private func wholeAC(_ bits: inout JPEGBitReader, _ block: inout [Int16], _ offset: Int) throws {
        var index = 1
        while index < 64 {
            let symbol = try bits.symbol(ac)
            let size = symbol & 15
            if size == 0 {
                guard symbol == 0xF0 else { return }
                index += 16
                continue
            }
            index += symbol >> 4
            guard index < 64 else { throw Self.damaged }
            block[offset + JPEGTransform.zigzag[index]] = Int16(truncatingIfNeeded: try bits.takeSigned(size))
            index += 1
        }
    }

    private mutating func firstAC(_ bits: inout JPEGBitReader, _ block: inout [Int16], _ offset: Int) throws {
        if emptyRun > 0 {
            emptyRun -= 1
            return
        }
        var index = scan.first
        while index <= scan.last {
            let symbol = try bits.symbol(ac)
            let (run, size) = (symbol >> 4, symbol & 15)
            if size == 0 {
                if run == 15 {
                    index += 16
                    continue
                }
                emptyRun = 1 << run - 1 + (try bits.take(run))
                return
            }
            index += run
            guard index <= scan.last else { throw Self.damaged }
            let value = try bits.takeSigned(size)
            block[offset + JPEGTransform.zigzag[index]] = Int16(truncatingIfNeeded: value << scan.low)
            index += 1
        }
    }

    /// A further bit of coefficients: new ones become ±1 of that bit, known ones get it as a correction.
    private mutating func moreAC(_ bits: inout JPEGBitReader, _ block: inout [Int16], _ offset: Int) throws {
        let one = Int16(1) << Int16(scan.low)
        var index = scan.first
        if emptyRun == 0 {
            loop: while index <= scan.last {
                let symbol = try bits.symbol(ac)
                var run = symbol >> 4
                var value: Int16 = 0
                switch symbol & 15 {
                case 0:
                    if run < 15 {
                        emptyRun = 1 << run + (try bits.take(run))
                        break loop
                    }
                case 1: value = try bits.take(1) == 1 ? one : -one
                default: throw Self.damaged
                }
                while index <= scan.last {
                    let place = offset + JPEGTransform.zigzag[index]
                    if block[place] != 0 {
                        try correct(&bits, &block, place, one)
                    } else if run == 0 {
                        if value != 0 { block[place] = value }
                        index += 1
                        break
                    } else {
                        run -= 1
                    }
                    index += 1
                }
            }
        }
        guard emptyRun > 0 else { return }
        emptyRun -= 1
        while index <= scan.last {
            let place = offset + JPEGTransform.zigzag[index]
            if block[place] != 0 { try correct(&bits, &block, place, one) }
            index += 1
        }
    }

    private func correct(
        _ bits: inout JPEGBitReader, _ block: inout [Int16], _ place: Int, _ one: Int16
    ) throws {
        guard try bits.take(1) == 1 else { return }
        // A known coefficient whose bit is set already was corrected by a scan before.
        if block[place] & one == 0 { block[place] &+= block[place] > 0 ? one : -one }
    }

    private static let damaged = ImageFileError(.damaged, "the JPEG file has coefficients outside of a block")
}
