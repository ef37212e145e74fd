/// Decodes the coefficients of one component's blocks in one scan of a progressive file (ITU-T T.81, G.2).
struct JPEGBlockDecoder {
    /// The part of each block that the scan brings.
    private enum Kind {
        case dcFirst, dcMore, acFirst, acMore
    }

    private let kind: Kind
    private let scan: JPEGScan
    private let dc: JPEGHuffmanTable
    private let ac: JPEGHuffmanTable
    /// The DC coefficient of the block before.
    private var prediction = 0
    /// Blocks that follow without any coefficient of this scan.
    private(set) var emptyRun = 0

    init(_ scan: JPEGScan, _ component: JPEGScan.Component, tables: JPEGTables) throws {
        self.scan = scan
        if scan.first == 0 {
            kind = scan.high == 0 ? .dcFirst : .dcMore
        } else {
            kind = scan.high == 0 ? .acFirst : .acMore
        }
        let none = try JPEGHuffmanTable.empty()
        dc = kind == .dcFirst ? try tables.code(tables.dc, component.dc) : none
        ac = scan.first > 0 ? try tables.code(tables.ac, component.ac) : none
    }

    /// Forgets what was before, at a restart marker.
    mutating func restart() {
        prediction = 0
        emptyRun = 0
    }

    /// True if blocks of an empty run change nothing, so that they can be skipped.
    var canSkip: Bool { kind == .acFirst }

    mutating func skip(_ count: Int) { emptyRun -= count }

    /// Reads a block.
    ///
    /// - Parameter block: 64 coefficients, row by row.
    mutating func decode(_ bits: inout JPEGBitReader, to block: UnsafeMutablePointer<Int16>) throws {
        bits.prepare()
        let isRead =
            switch kind {
            case .dcFirst: nextDC(&bits, to: block)
            case .dcMore: moreDC(&bits, block)
            case .acFirst: firstAC(&bits, block)
            case .acMore: moreAC(&bits, block)
            }
        try Self.check(isRead, bits)
    }

    /// Throws what is wrong with a block's bits.
    static func check(_ isRead: Bool, _ bits: JPEGBitReader) throws {
        guard !bits.isExhausted else {
            throw ImageFileError(.truncated, "the JPEG file ends, or has a marker, inside its pixels")
        }
        guard isRead else {
            throw ImageFileError(
                .damaged, "the JPEG file has bits that are not a Huffman code, or coefficients outside of a block")
        }
    }

    @inline(__always)
    private mutating func nextDC(_ bits: inout JPEGBitReader, to block: UnsafeMutablePointer<Int16>) -> Bool {
        let size = bits.symbol(dc)
        guard size >= 0, size <= 15 else { return false }
        prediction &+= bits.takeSigned(size)
        block[0] = Int16(truncatingIfNeeded: prediction &<< scan.low)
        return true
    }

    private func moreDC(_ bits: inout JPEGBitReader, _ block: UnsafeMutablePointer<Int16>) -> Bool {
        if bits.take(1) == 1 { block[0] |= 1 << Int16(scan.low) }
        return true
    }

    private mutating func firstAC(_ bits: inout JPEGBitReader, _ block: UnsafeMutablePointer<Int16>) -> Bool {
        if emptyRun > 0 {
            emptyRun -= 1
            return true
        }
        let zigzag = JPEGTransform.zigzagPointer
        var index = scan.first
        while index <= scan.last {
            let symbol = bits.symbol(ac)
            guard symbol >= 0 else { return false }
            let (run, size) = (symbol >> 4, symbol & 15)
            if size == 0 {
                if run == 15 {
                    index += 16
                    continue
                }
                emptyRun = 1 << run - 1 + bits.take(run)
                return true
            }
            index += run
            guard index <= scan.last else { return false }
            block[Int(zigzag[index])] = Int16(truncatingIfNeeded: bits.takeSigned(size) &<< scan.low)
            index += 1
        }
        return true
    }

    /// A further bit of coefficients: new ones become ±1 of that bit, known ones get it as a correction.
    private mutating func moreAC(_ bits: inout JPEGBitReader, _ block: UnsafeMutablePointer<Int16>) -> Bool {
        let one = Int16(1) << Int16(scan.low)
        let zigzag = JPEGTransform.zigzagPointer
        var index = scan.first
        if emptyRun == 0 {
            loop: while index <= scan.last {
                let symbol = bits.symbol(ac)
                guard symbol >= 0 else { return false }
                var run = symbol >> 4
                var value: Int16 = 0
                switch symbol & 15 {
                case 0:
                    if run < 15 {
                        emptyRun = 1 << run + bits.take(run)
                        break loop
                    }
                case 1: value = bits.take(1) == 1 ? one : -one
                default: return false
                }
                while index <= scan.last {
                    let place = Int(zigzag[index])
                    if block[place] != 0 {
                        correct(&bits, block + place, one)
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
        guard emptyRun > 0 else { return true }
        emptyRun -= 1
        while index <= scan.last {
            let place = Int(zigzag[index])
            if block[place] != 0 { correct(&bits, block + place, one) }
            index += 1
        }
        return true
    }

    @inline(__always)
    private func correct(_ bits: inout JPEGBitReader, _ coefficient: UnsafeMutablePointer<Int16>, _ one: Int16) {
        guard bits.take(1) == 1 else { return }
        // A known coefficient whose bit is set already was corrected by a scan before.
        if coefficient.pointee & one == 0 { coefficient.pointee &+= coefficient.pointee > 0 ? one : -one }
    }
}
