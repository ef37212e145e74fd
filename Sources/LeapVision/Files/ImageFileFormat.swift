/// The formats of image files that are told apart.
package enum ImageFileFormat: String, Sendable {
    case jpeg = "JPEG"
    case png = "PNG"
    case webP = "WebP"
    case gif = "GIF"
    case bmp = "BMP"
    case tiff = "TIFF"
    case heif = "HEIF"

    /// The name that formats have on the web; nil of those that are told apart and not read.
    package var mediaType: String? {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webP: "image/webp"
        #if canImport(ImageIO)
            case .heif: "image/heic"
            case .gif, .bmp, .tiff: nil
        #else
            case .gif, .bmp, .tiff, .heif: nil
        #endif
        }
    }

    /// Looks at a file's first 16 bytes.
    package init?(firstBytes bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes.prefix(16))
        func has(_ expected: [UInt8], at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: expected)
        }
        if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has(Array("RIFF".utf8)), has(Array("WEBP".utf8), at: 8) {
            self = .webP
        } else if has(Array("GIF8".utf8)) {
            self = .gif
        } else if has(Array("BM".utf8)) {
            self = .bmp
        } else if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) {
            self = .tiff
        } else if has(Array("ftyp".utf8), at: 4) {
            self = .heif
        } else {
            return nil
        }
    }
}
