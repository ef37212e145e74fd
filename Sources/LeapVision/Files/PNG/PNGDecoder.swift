import LeapBase

/// Decodes PNG files (PNG specification, third edition): all colour types and depths, interlaced, with transparency.
///
/// Channels of 16 bits keep their upper eight. Transparent pixels are blended with white.
final class PNGDecoder {
    private let chunks: PNGChunks
    private let pixels: PNGPixels
    private let passes: [PNGPass]
    private var output: [UInt8]
    private var pass = 0
    /// The row of its pass that comes next.
    private var rowIndex = 0
    private var row: [UInt8] = []
    private var previousRow: [UInt8]
    private var rowSize: Int
    /// The filter of the row that is read, `nil` where it did not come yet.
    private var filter: UInt8?

    static func decode(_ file: [UInt8], limits: ImageLimits) throws -> RGBImage {
        let chunks = try PNGChunks(file)
        let header = chunks.header
        try limits.check(width: header.width, height: header.height)
        let decoder = try PNGDecoder(chunks)
        try decoder.run(file)
        return chunks.orientation.apply(
            to: RGBImage(width: header.width, height: header.height, bytes: decoder.output))
    }

    private init(_ chunks: PNGChunks) throws {
        let header = chunks.header
        passes = header.passes
        let packed = chunks.data.reduce(0) { $0 + $1.count }
        let raw = passes.reduce(0) {
            $0 + $1.rows(of: header.height) * (1 + header.rowBytes(width: $1.columns(of: header.width)))
        }
        // DEFLATE makes at most 1,032 bytes out of one.
        guard raw / 1_032 <= packed else {
            throw ImageFileError(
                .truncated,
                "the PNG file has \(packed) bytes of pixels, too few for \(header.width) by \(header.height)")
        }
        self.chunks = chunks
        pixels = PNGPixels(chunks)
        output = [UInt8](repeating: 0, count: 3 * header.width * header.height)
        rowSize = header.rowBytes(width: passes[0].columns(of: header.width))
        previousRow = [UInt8](repeating: 0, count: rowSize)
        row.reserveCapacity(rowSize)
    }

    private func run(_ file: [UInt8]) throws {
        let stream = PNGStream(file, chunks.data)
        try stream.readHeader()
        do {
            // What follows the last row is of no interest, so there is no limit but the rows.
            try Inflater.inflate(
                limit: .max, read: { stream.read($0) },
                write: { bytes in
                    try self.take(bytes)
                    if self.isComplete { throw Complete() }
                })
        } catch is Complete {
        } catch let failure as Inflater.Failure {
            throw ImageFileError(
                failure == .endOfInput ? .truncated : .damaged,
                "the PNG file's pixels cannot be decompressed: \(failure.rawValue)")
        }
        guard isComplete else { throw ImageFileError(.truncated, "the PNG file ends before its last row") }
    }

    private struct Complete: Error {}

    private var isComplete: Bool { pass == passes.count }

    /// Takes the next bytes of rows.
    private func take(_ bytes: ArraySlice<UInt8>) throws {
        var rest = bytes
        while let first = rest.first, !isComplete {
            guard let rowFilter = filter else {
                guard first <= 4 else {
                    throw ImageFileError(.damaged, "the PNG file has a row with filter \(first); 0 to 4 are valid")
                }
                filter = first
                rest = rest.dropFirst()
                continue
            }
            let count = min(rowSize - row.count, rest.count)
            row.append(contentsOf: rest.prefix(count))
            rest = rest.dropFirst(count)
            if row.count == rowSize { finishRow(rowFilter) }
        }
    }

    private func finishRow(_ filter: UInt8) {
        let header = chunks.header
        PNGFilter.undo(filter, &row, previous: previousRow, pixelBytes: max(1, header.bitsPerPixel / 8))
        let place = passes[pass]
        pixels.write(
            row, count: place.columns(of: header.width),
            to: &output, at: 3 * ((place.y + rowIndex * place.stepY) * header.width + place.x), step: 3 * place.stepX)
        swap(&row, &previousRow)
        row.removeAll(keepingCapacity: true)
        self.filter = nil
        rowIndex += 1
        guard rowIndex == place.rows(of: header.height) else { return }
        rowIndex = 0
        pass += 1
        guard pass < passes.count else { return }
        rowSize = header.rowBytes(width: passes[pass].columns(of: header.width))
        previousRow = [UInt8](repeating: 0, count: rowSize)
    }
}

/// The compressed pixels of a PNG file, which lie in several chunks.
private final class PNGStream {
    private let file: [UInt8]
    private var ranges: ArraySlice<Range<Int>>
    private var position = 0

    init(_ file: [UInt8], _ ranges: [Range<Int>]) {
        self.file = file
        self.ranges = ranges[...]
        position = ranges.first?.lowerBound ?? 0
    }

    /// Up to this many more bytes; none at the end.
    func read(_ count: Int) -> [UInt8] {
        while let range = ranges.first {
            if position < range.upperBound {
                let end = min(range.upperBound, position + count)
                defer { position = end }
                return Array(file[position..<end])
            }
            ranges = ranges.dropFirst()
            position = ranges.first?.lowerBound ?? 0
        }
        return []
    }

    /// Checks the two bytes of zlib's header (RFC 1950).
    func readHeader() throws {
        var bytes: [UInt8] = []
        while bytes.count < 2 {
            let next = read(1)
            guard let byte = next.first else { throw ImageFileError(.truncated, "the PNG file has no pixels") }
            bytes.append(byte)
        }
        guard bytes[0] & 15 == 8, bytes[0] >> 4 <= 7, bytes[1] & 0x20 == 0,
            (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
        else { throw ImageFileError(.damaged, "the PNG file's pixels are not zlib data") }
    }
}
