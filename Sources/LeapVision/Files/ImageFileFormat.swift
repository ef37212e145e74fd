/// The formats of files that are distinguished where a picture is expected.
package enum ImageFileFormat: String, Sendable, CaseIterable {
    case jpeg = "JPEG"
    case png = "PNG"
    case webP = "WebP"
    case gif = "GIF"
    case bmp = "BMP"
    case tiff = "TIFF"
    case heif = "HEIF"
    case avif = "AVIF"
    case jpegXL = "JPEG XL"
    case jpeg2000 = "JPEG 2000"
    case svg = "SVG"
    case icon = "ICO"
    case photoshop = "PSD"
    case mpeg4 = "MP4"
    case quickTime = "QuickTime"
    case matroska = "Matroska or WebM"
    case avi = "AVI"
    case pdf = "PDF"
    case zip = "ZIP"
    case html = "HTML"
    case wav = "WAV"

    /// The name that formats have on the web; nil for those that are recognised but not read.
    package var mediaType: String? {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .webP: "image/webp"
        case .gif: "image/gif"
        case .bmp: "image/bmp"
        #if canImport(ImageIO)
            case .heif: "image/heic"
        #else
            case .heif: nil
        #endif
        case .tiff, .avif, .jpegXL, .jpeg2000, .svg, .icon, .photoshop: nil
        case .mpeg4, .quickTime, .matroska, .avi, .pdf, .zip, .html, .wav: nil
        }
    }

    /// A description of a file that cannot be read, and of what to do.
    package var refusal: String {
        switch self {
        case .mpeg4, .quickTime, .matroska, .avi:
            "the file is a video (\(rawValue)), not a picture; save one of its frames as JPEG or PNG first"
        case .pdf: "the file is a PDF document, not a picture; save one of its pages as JPEG or PNG first"
        case .zip: "the file is a ZIP archive or a document in one, not a picture; extract the JPEG or PNG first"
        case .html: "the file is a web page (HTML), not a picture; save the picture itself as JPEG or PNG"
        case .wav: "the file is a WAV sound, not a picture; pass it as audio"
        default: "the image is \(rawValue); convert it to JPEG or PNG first"
        }
    }

    /// Returns a description of a file of unknown format.
    package static func unknown(_ bytes: some Collection<UInt8>) -> String {
        let start = bytes.prefix(4).map { String($0, radix: 16) }.joined(separator: " ")
        return
            "the image is not a JPEG, PNG, WebP, GIF or BMP file (it has \(bytes.count) bytes\(start.isEmpty ? "" : " and starts with \(start)")); convert it to JPEG or PNG first"
    }

    /// Looks at a file's first bytes: 16 tell all formats that are read apart, and 64 more of the others.
    package init?(firstBytes bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes.prefix(64))
        func has(_ expected: [UInt8], at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: expected)
        }
        func has(_ expected: String, at offset: Int = 0) -> Bool { has(Array(expected.utf8), at: offset) }
        if has([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has("RIFF"), let format = Self(riff: bytes.dropFirst(8).prefix(4)) {
            self = format
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("ftyp", at: 4) {
            self = Self(brands: bytes.dropFirst(8))
        } else if has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A]) {
            self = .tiff
        } else if has([0xFF, 0x0A]) || has([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20]) {
            self = .jpegXL
        } else if has([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20]) || has([0xFF, 0x4F, 0xFF, 0x51]) {
            self = .jpeg2000
        } else if let format = Self(document: bytes) {
            self = format
        } else if has("BM") {
            self = .bmp
        } else {
            return nil
        }
    }

    /// Determines the format of a RIFF file by its name.
    private init?(riff name: ArraySlice<UInt8>) {
        switch String(decoding: name, as: UTF8.self) {
        case "WEBP": self = .webP
        case "WAVE": self = .wav
        case "AVI ": self = .avi
        default: return nil
        }
    }

    /// Determines the format of a file of the base media format by its brands: the main one, a version, and those that
    /// it is compatible with.
    private init(brands bytes: ArraySlice<UInt8>) {
        let brands = stride(from: bytes.startIndex, to: bytes.endIndex - 3, by: 4).map {
            String(decoding: bytes[$0..<$0 + 4], as: UTF8.self)
        }
        let (main, others) = (brands.first ?? "", brands.dropFirst(2))
        switch main {
        case "avif", "avis": self = .avif
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": self = .heif
        // Of any encoding.
        case "mif1", "mif2", "msf1": self = others.contains { $0 == "avif" || $0 == "avis" } ? .avif : .heif
        case "qt  ": self = .quickTime
        default: self = .mpeg4
        }
    }

    /// Determines the format of a file that begins with a well-known text.
    private init?(document bytes: [UInt8]) {
        let known: [(start: [UInt8], format: ImageFileFormat)] = [
            (Array("%PDF".utf8), .pdf), ([0x50, 0x4B, 3, 4], .zip), ([0x1A, 0x45, 0xDF, 0xA3], .matroska),
            (Array("8BPS".utf8), .photoshop), ([0, 0, 1, 0], .icon),
        ]
        if let found = known.first(where: { bytes.starts(with: $0.start) }) {
            self = found.format
            return
        }
        // Behind a mark of the byte order and blanks.
        let text = String(decoding: bytes, as: UTF8.self).lowercased().drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.hasPrefix("<svg") || text.hasPrefix("<?xml") {
            self = .svg
        } else if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") {
            self = .html
        } else {
            return nil
        }
    }
}
