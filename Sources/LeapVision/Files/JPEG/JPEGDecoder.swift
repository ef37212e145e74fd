/// Decodes JPEG files (ITU-T T.81): baseline, extended and progressive with Huffman codes and 8 bits; one, three or
/// four components.
///
/// The transform, the widening of colour differences and the change to red, green and blue are the integer methods that
/// libjpeg takes by default, so that the pixels are those of other programs.
struct JPEGDecoder {
    /// A progressive file has about ten scans; more than this many only waste time.
    private static let maxScans = 100

    private var reader: ByteReader
    private let limits: ImageLimits
    private var tables = JPEGTables()
    private var metadata = JPEGMetadata()
    private var frame: JPEGFrame?
    private var image: JPEGCoefficients?
    private var scanCount = 0
    private var hasEnd = false

    static func decode(_ file: [UInt8], limits: ImageLimits) throws -> RGBImage {
        var decoder = JPEGDecoder(file, limits)
        try decoder.readSegments()
        return try decoder.finish()
    }

    private init(_ file: [UInt8], _ limits: ImageLimits) {
        reader = ByteReader(file, from: 2)
        self.limits = limits
    }

    private mutating func readSegments() throws {
        while let marker = nextMarker() {
            switch marker {
            case 0xD9:
                hasEnd = true
                return
            case 0x01, 0xD0...0xD7, 0xD8: continue
            default:
                try readSegment(marker)
                // What follows the only scan does not belong to its image.
                if image?.pixels != nil { return }
            }
        }
    }

    /// Skips the next marker; `nil` at the end of the file.
    private mutating func nextMarker() -> Int? {
        while reader.remaining >= 2 {
            let (first, second) = (reader.bytes[reader.position], reader.bytes[reader.position + 1])
            if first == 0xFF, second != 0, second != 0xFF {
                reader.position += 2
                return Int(second)
            }
            reader.position += 1
        }
        return nil
    }

    private mutating func readSegment(_ marker: Int) throws {
        let start = reader.position
        let length = try reader.uint16()
        guard length >= 2, start + length <= reader.end else {
            throw ImageFileError(.truncated, "the JPEG file ends inside a segment of \(length) bytes")
        }
        var body = ByteReader(reader.bytes, from: start + 2, to: start + length)
        reader.position = start + length
        switch marker {
        case 0xC0, 0xC1, 0xC2: try readFrame(&body, isProgressive: marker == 0xC2)
        case 0xC4: try tables.readCodes(&body)
        case 0xDB: try tables.readQuantisation(&body)
        case 0xDD: try tables.readRestartInterval(&body)
        case 0xDA: try readScan(&body)
        case 0xE0...0xEF: metadata.read(marker, &body)
        case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
            throw ImageFileError(
                .unsupported, "the JPEG file is lossless, hierarchical or arithmetically coded; convert it first")
        default: break
        }
    }

    private mutating func readFrame(_ body: inout ByteReader, isProgressive: Bool) throws {
        guard frame == nil else { throw ImageFileError(.damaged, "the JPEG file describes its image twice") }
        let frame = try JPEGFrame(&body, isProgressive: isProgressive, limits: limits)
        // A block takes at least one bit, so that a short file cannot ask for much memory.
        guard frame.blockCount / 8 <= reader.remaining else {
            throw ImageFileError(
                .truncated,
                "the JPEG file has \(reader.remaining) bytes left, too few for \(frame.width) by \(frame.height) pixels"
            )
        }
        self.frame = frame
    }

    private mutating func readScan(_ body: inout ByteReader) throws {
        guard let frame else { throw ImageFileError(.damaged, "the JPEG file has pixels before their size") }
        scanCount += 1
        guard scanCount <= Self.maxScans else {
            throw ImageFileError(.damaged, "the JPEG file has more than \(Self.maxScans) scans")
        }
        let scan = try JPEGScan(&body, frame: frame)
        if image == nil { image = JPEGCoefficients(frame) }
        let model = metadata.colourModel(of: frame)
        reader.position = try image?.read(scan, tables, model, from: reader) ?? reader.position
    }

    private mutating func finish() throws -> RGBImage {
        guard let frame, let image else { throw ImageFileError(.truncated, "the JPEG file has no pixels") }
        guard image.isComplete, hasEnd || !frame.isProgressive else {
            throw ImageFileError(.truncated, "the JPEG file ends before all of its image was read")
        }
        var bytes = image.pixels
        if bytes == nil {
            let planes = image.planes()
            self.image = nil
            bytes = JPEGColours.convert(planes, frame, metadata.colourModel(of: frame))
        }
        return metadata.orientation.apply(
            to: RGBImage(width: frame.width, height: frame.height, bytes: bytes ?? []))
    }
}
