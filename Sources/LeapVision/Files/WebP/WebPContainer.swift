/// The chunks around the pixels of a WebP file (RFC 9649, 2): what the bitstream's library does not read.
struct WebPContainer {
    /// Columns and rows of the picture that frames are parts of; nil for a file without an extended header.
    private(set) var canvas: (width: Int, height: Int)?
    /// The first frame of a file that moves.
    private(set) var firstFrame: Frame?
    /// The orientation of the camera.
    private(set) var orientation = ImageOrientation.upright

    /// A part of the canvas.
    struct Frame {
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        /// Its own chunks, as they are in a file.
        let chunks: Range<Int>
    }

    /// Chunks that are looked at; no file has more for a reason but frames, which come after the first one.
    private static let maxChunks = 1 << 16

    /// - Throws: ``ImageFileError`` for a file that moves and whose frame is not where it has to be.
    init(_ file: [UInt8]) throws {
        var reader = ByteReader(file, from: 12)
        var (isMoving, count) = (false, 0)
        while reader.remaining >= 8, count < Self.maxChunks {
            count += 1
            let name = file[reader.position..<reader.position + 4]
            try reader.skip(4)
            let length = try reader.littleEndian(4)
            // A file that ends early has what it has: whether that is enough, the pixels tell.
            let body = reader.position..<reader.position + min(length, reader.remaining)
            reader.position = min(reader.end, body.upperBound + length & 1)
            var fields = ByteReader(file, from: body.lowerBound, to: body.upperBound)
            if name.elementsEqual("VP8X".utf8) {
                isMoving = try fields.byte() & 2 != 0
                try fields.skip(3)
                canvas = (try fields.littleEndian(3) + 1, try fields.littleEndian(3) + 1)
            } else if name.elementsEqual("ANMF".utf8), isMoving, firstFrame == nil {
                let (x, y) = (2 * (try fields.littleEndian(3)), 2 * (try fields.littleEndian(3)))
                let (width, height) = (try fields.littleEndian(3) + 1, try fields.littleEndian(3) + 1)
                // The time that it is shown, and how it is put on the one before.
                try fields.skip(4)
                firstFrame = Frame(
                    x: x, y: y, width: width, height: height, chunks: fields.position..<body.upperBound)
            } else if name.elementsEqual("EXIF".utf8) {
                orientation = ImageOrientation(exif: Array(file[body])) ?? orientation
            }
        }
        guard isMoving else { return }
        guard let canvas, let frame = firstFrame else {
            throw ImageFileError(.truncated, "the WebP file is an animation and ends before its first frame")
        }
        guard frame.x + frame.width <= canvas.width, frame.y + frame.height <= canvas.height else {
            throw ImageFileError(
                .damaged,
                "the WebP file is an animation whose first frame is not within its \(canvas.width) by \(canvas.height) pixels"
            )
        }
    }

    /// A file of a frame alone.
    static func file(of frame: Frame, in file: [UInt8]) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let chunks = file[frame.chunks]
        // Opacity in a chunk of its own needs the extended header.
        let isExtended = chunks.starts(with: "ALPH".utf8)
        let header =
            isExtended
            ? Array("VP8X".utf8) + number(10, 4) + [0x10, 0, 0, 0] + number(frame.width - 1, 3)
                + number(frame.height - 1, 3) : []
        return Array("RIFF".utf8) + number(4 + header.count + chunks.count, 4) + Array("WEBP".utf8) + header + chunks
    }
}
