import LeapBase

/// The chunks of a PNG file that an image depends on, each with its checksum checked.
struct PNGChunks {
    let header: PNGHeader
    /// Red, green and blue of each entry.
    private(set) var palette: [UInt8] = []
    private(set) var transparency: [UInt8] = []
    /// The orientation of the camera (eXIf, which may be before the pixels or after them).
    private(set) var orientation = ImageOrientation.upright
    /// The ranges of the compressed pixels.
    private(set) var data: [Range<Int>] = []

    private static let signatureSize = 8

    init(_ file: [UInt8]) throws {
        var reader = ByteReader(file, from: Self.signatureSize)
        let first = try Chunk(&reader)
        guard first.name == "IHDR", first.body.count == 13 else {
            throw ImageFileError(.damaged, "the PNG file does not begin with a header of 13 bytes")
        }
        var body = ByteReader(file, from: first.body.lowerBound, to: first.body.upperBound)
        header = try PNGHeader(&body)
        var previous = first.name
        loop: while reader.remaining > 0 {
            let chunk = try Chunk(&reader)
            switch chunk.name {
            case "IEND": break loop
            case "IDAT":
                guard data.isEmpty || previous == "IDAT" else {
                    throw ImageFileError(.damaged, "the PNG file's pixels are not in consecutive chunks")
                }
                data.append(chunk.body)
            case "PLTE":
                guard chunk.body.count % 3 == 0, chunk.body.count <= 768, data.isEmpty else {
                    throw ImageFileError(.damaged, "the PNG file's palette has \(chunk.body.count) bytes or comes late")
                }
                palette = Array(file[chunk.body])
            case "tRNS":
                guard chunk.body.count <= 256, data.isEmpty else {
                    throw ImageFileError(.damaged, "the PNG file's transparency is too long or comes late")
                }
                transparency = Array(file[chunk.body])
            case "eXIf":
                orientation = ImageOrientation(exif: Array(file[chunk.body])) ?? orientation
            default:
                guard chunk.isAncillary else {
                    throw ImageFileError(.unsupported, "the PNG file has an unknown chunk '\(chunk.name)'")
                }
            }
            previous = chunk.name
        }
        guard !data.isEmpty else { throw ImageFileError(.truncated, "the PNG file has no pixels") }
        guard header.colour != .palette || !palette.isEmpty else {
            throw ImageFileError(.damaged, "the PNG file has no palette")
        }
    }

    private struct Chunk {
        let name: String
        let body: Range<Int>
        let isAncillary: Bool

        init(_ reader: inout ByteReader) throws {
            let length = try reader.uint32()
            let start = reader.position
            guard length <= reader.remaining - 8 else {
                throw ImageFileError(.truncated, "the PNG file ends inside a chunk of \(length) bytes")
            }
            try reader.skip(4 + length)
            body = start + 4..<reader.position
            name = String(decoding: reader.bytes[start..<start + 4], as: UTF8.self)
            isAncillary = reader.bytes[start] & 0x20 != 0
            var checksum = CRC32()
            checksum.add(reader.bytes[start..<reader.position])
            guard try reader.uint32() == Int(checksum.value) else {
                throw ImageFileError(
                    .damaged, "the checksum of the PNG file's chunk '\(ShownText.of(name, limit: 8))' is wrong")
            }
        }
    }
}
