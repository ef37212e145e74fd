import CLeapKernels
import LeapBase
import LeapTestSupport
import LeapVision
import Testing

/// Cases for which files of other programs are too small: kernels of several instruction sets, and files that are read
/// in portions.
struct JPEGKernelTests {
    /// A grey baseline file, made here: random coefficients, as codes of eight bits.
    private struct MadeFile {
        /// Blocks of a row, and their rows.
        let columns: Int
        let rows: Int
        /// Of each block the coefficients along the diagonals.
        var blocks: [[Int]] = []

        init(columns: Int, rows: Int, largest: Int, using generator: inout SeededGenerator) {
            (self.columns, self.rows) = (columns, rows)
            for _ in 0..<columns * rows {
                let used = Int.random(in: 1...64, using: &generator)
                blocks.append(
                    (0..<64).map { index in
                        guard index < used, index == 0 || Bool.random(using: &generator) else { return 0 }
                        return Int.random(in: -largest...largest, using: &generator)
                    })
            }
        }

        /// One block of it.
        func part(_ index: Int) -> MadeFile {
            MadeFile(columns: 1, rows: 1, blocks: [blocks[index]])
        }

        private init(columns: Int, rows: Int, blocks: [[Int]]) {
            (self.columns, self.rows, self.blocks) = (columns, rows, blocks)
        }

        /// - Parameter interval: blocks between restart markers; 0 for none.
        func bytes(interval: Int) -> [UInt8] {
            var file: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67, 0] + (0..<64).map { UInt8(1 + $0 % 7) }
            let (height, width) = (UInt16(8 * rows), UInt16(8 * columns))
            file += [0xFF, 0xC0, 0, 11, 8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8)]
            file += [UInt8(width & 255), 1, 1, 0x11, 0]
            // Every code has eight bits and stands for a symbol in the order of their numbers.
            let (sizes, symbols) = (Array(UInt8(0)...11), Self.symbols)
            file += [0xFF, 0xC4, 0, UInt8(19 + sizes.count), 0] + Self.counts(sizes.count) + sizes
            file += [0xFF, 0xC4, 0, UInt8(19 + symbols.count), 0x10] + Self.counts(symbols.count) + symbols
            if interval > 0 { file += [0xFF, 0xDD, 0, 4, UInt8(interval >> 8), UInt8(interval & 255)] }
            file += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
            var bits = Bits()
            var prediction = 0
            for (index, block) in blocks.enumerated() {
                if interval > 0, index > 0, index % interval == 0 {
                    file += bits.finish() + [0xFF, UInt8(0xD0 + (index / interval - 1) % 8)]
                    prediction = 0
                }
                let difference = Self.size(block[0] - prediction)
                bits.append(difference, 8)
                bits.appendValue(block[0] - prediction, difference)
                prediction = block[0]
                var run = 0
                for value in block[1...] {
                    guard value != 0 else {
                        run += 1
                        continue
                    }
                    while run > 15 {
                        bits.append(Self.symbols.firstIndex(of: 0xF0) ?? 0, 8)
                        run -= 16
                    }
                    let size = Self.size(value)
                    bits.append(Self.symbols.firstIndex(of: UInt8(run << 4 | size)) ?? 0, 8)
                    bits.appendValue(value, size)
                    run = 0
                }
                if run > 0 { bits.append(Self.symbols.firstIndex(of: 0) ?? 0, 8) }
            }
            return file + bits.finish() + [0xFF, 0xD9]
        }

        private static let symbols: [UInt8] =
            [0, 0xF0] + (0..<16).flatMap { run in (1...10).map { UInt8(run << 4 | $0) } }

        private static func counts(_ count: Int) -> [UInt8] { (1...16).map { $0 == 8 ? UInt8(count) : 0 } }

        private static func size(_ value: Int) -> Int { Int.bitWidth - abs(value).leadingZeroBitCount }
    }

    private struct Bits {
        private var bytes: [UInt8] = []
        private var pending = 0
        private var count = 0

        mutating func append(_ value: Int, _ length: Int) {
            pending = pending << length | value
            count += length
            while count >= 8 {
                let byte = UInt8(truncatingIfNeeded: pending >> (count - 8))
                bytes += byte == 0xFF ? [byte, 0] : [byte]
                count -= 8
                pending &= 1 << count - 1
            }
        }

        mutating func appendValue(_ value: Int, _ size: Int) {
            append(value < 0 ? value + 1 << size - 1 : value, size)
        }

        /// The bytes, the last one filled with ones.
        mutating func finish() -> [UInt8] {
            if count > 0 { append(1 << (8 - count) - 1, 8 - count) }
            defer { self = Bits() }
            return bytes
        }
    }

    private static let instructionSets: [String] = {
        var names: [String] = []
        while let name = leap_isa_at(Int32(names.count)) { names.append(String(cString: name)) }
        return names
    }()

    private func withInstructionSet<R>(_ name: String, _ body: () throws -> R) rethrows -> R {
        #expect(leap_isa_select(name) == 0)
        defer { leap_isa_select(nil) }
        return try body()
    }

    @Test("Every instruction set gives the pixels that other programs give")
    func pixelsOfFiles() throws {
        let references = try Fixture.references()
        for set in Self.instructionSets {
            try withInstructionSet(set) {
                for name in Fixture.names where name.hasSuffix(".jpg") {
                    let image = try RGBImage(file: Fixture.bytes(name))
                    #expect(Fixture.checksum(image.bytes) == references[name]?.checksum, "\(set), \(name)")
                }
            }
        }
    }

    @Test("Every instruction set gives the same pixels for any coefficients", arguments: [3, 40, 1_000])
    func pixelsOfCoefficients(largest: Int) throws {
        var generator = SeededGenerator(seed: UInt64(largest))
        let file = MadeFile(columns: 31, rows: 17, largest: largest, using: &generator).bytes(interval: 0)
        let expected = try withInstructionSet("scalar") { try RGBImage(file: file) }
        #expect(expected.width == 248 && expected.height == 136)
        for set in Self.instructionSets.dropFirst() {
            try withInstructionSet(set) {
                let found = try RGBImage(file: file)
                #expect(found == expected, "\(set)")
            }
        }
    }

    @Test(
        "A file of many portions, with restart markers and without, has the pixels of its blocks",
        arguments: [0, 1, 29, 500])
    func portions(interval: Int) throws {
        var generator = SeededGenerator(seed: 9 + UInt64(interval))
        let made = MadeFile(columns: 40, rows: 120, largest: 300, using: &generator)
        let file = made.bytes(interval: interval)
        #expect(file.count > 3 * 32_768)
        let image = try RGBImage(file: file)
        #expect(image.width == 320 && image.height == 960)
        for index in stride(from: 0, to: made.blocks.count, by: TestLevel.isAll ? 19 : 97) {
            let block = try RGBImage(file: made.part(index).bytes(interval: 0))
            let (left, top) = (index % made.columns * 8, index / made.columns * 8)
            for y in 0..<8 {
                let start = 3 * ((top + y) * image.width + left)
                #expect(
                    image.bytes[start..<start + 24] == block.bytes[24 * y..<24 * y + 24], "block \(index), row \(y)")
            }
        }
        // Cut anywhere, it is refused.
        for length in stride(from: 40, to: file.count - 8, by: TestLevel.isAll ? 9_973 : 49_973) {
            let cut = Array(file.prefix(length))
            #expect(throws: ImageFileError.self) { try RGBImage(file: cut) }
        }
    }
}
