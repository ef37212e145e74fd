/// Pixels in sRGB as a file stores them, three bytes each: red, green, blue.
package struct RGBImage: Sendable, Equatable {
    package let width: Int
    package let height: Int
    /// `[height, width, 3]`, row by row from the top.
    package let bytes: [UInt8]

    /// - Precondition: `bytes` has `3 * width * height` elements.
    package init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(width > 0 && height > 0 && bytes.count == 3 * width * height, "three bytes for each pixel")
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Reads a JPEG, PNG, GIF or BMP file, a WebP file by the system's library, and on Apple's systems a HEIF file.
    ///
    /// Of a file with several images, also one that moves, it is the first one. Transparent parts are blended with
    /// white. The orientation that a camera notes in a JPEG, PNG or WebP file (Exif) is applied.
    /// - Throws: ``ImageFileError``.
    package init(file: [UInt8], limits: ImageLimits = ImageLimits()) throws {
        guard file.count <= limits.maxBytes else {
            throw ImageFileError(
                .tooLarge, "the image file has \(file.count) bytes, but at most \(limits.maxBytes) are read")
        }
        do {
            self = try Self.decoded(file, limits)
        } catch let error as ImageFileError where [.damaged, .truncated].contains(error.code) {
            throw ImageFileError(
                error.code, "\(error.message): get the file again, or save it again as PNG or JPEG in another program")
        }
    }

    /// Calls a closure with each picture of a GIF file and the seconds that it is shown, until it returns false.
    ///
    /// - Throws: ``ImageFileError``, and what the closure throws.
    package static func readAnimation(
        gif file: [UInt8], limits: ImageLimits = ImageLimits(),
        _ show: (_ picture: RGBImage, _ seconds: Double) throws -> Bool
    ) throws {
        guard file.count <= limits.maxBytes else {
            throw ImageFileError(
                .tooLarge, "the image file has \(file.count) bytes, but at most \(limits.maxBytes) are read")
        }
        guard ImageFileFormat(firstBytes: file) == .gif else {
            throw ImageFileError(.unknownFormat, "the file is not a GIF animation")
        }
        try GIFDecoder.decodeAnimation(file, limits: limits, show)
    }

    private static func decoded(_ file: [UInt8], _ limits: ImageLimits) throws -> RGBImage {
        switch ImageFileFormat(firstBytes: file) {
        case .png: return try PNGDecoder.decode(file, limits: limits)
        case .jpeg: return try JPEGDecoder.decode(file, limits: limits)
        case .webP: return try WebPDecoder.decode(file, limits: limits)
        case .gif: return try GIFDecoder.decode(file, limits: limits)
        case .bmp: return try BMPDecoder.decode(file, limits: limits)
        #if canImport(ImageIO)
            case .heif: return try AppleImageFile.decode(file, format: .heif, limits: limits)
        #endif
        case let format?: throw ImageFileError(.unsupported, format.refusal)
        case nil: throw ImageFileError(.unknownFormat, ImageFileFormat.unknown(file))
        }
    }
}
