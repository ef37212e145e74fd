/// The statements of a JPEG file's application segments about colours and orientation.
struct JPEGMetadata {
    private var hasJFIF = false
    /// Adobe's segment: 0 for RGB or CMYK, 1 for YCbCr, 2 for YCCK; `nil` without one.
    private var adobe: Int?
    private(set) var orientation = ImageOrientation.upright

    /// Reads a segment; one that is damaged says nothing.
    mutating func read(_ marker: Int, _ body: inout ByteReader) {
        let bytes = body.bytes[body.position..<body.end]
        switch marker {
        case 0xE0: hasJFIF = hasJFIF || bytes.starts(with: Array("JFIF\0".utf8))
        case 0xE1 where bytes.starts(with: Array("Exif\0\0".utf8)):
            orientation = ImageOrientation(exif: Array(bytes)) ?? orientation
        case 0xEE where bytes.starts(with: Array("Adobe".utf8)) && bytes.count >= 12:
            adobe = Int(bytes[bytes.startIndex + 11])
        default: break
        }
    }

    /// Returns the colour model of the samples: that of Adobe's and JFIF's segments, else the one that the components'
    /// names suggest.
    func colourModel(of frame: JPEGFrame) -> JPEGColours.Model {
        switch frame.components.count {
        case 1: return .grey
        case 3:
            if hasJFIF { return .yCbCr }
            if let adobe { return adobe == 0 ? .rgb : .yCbCr }
            return frame.components.map(\.id) == "RGB".utf8.map { Int($0) } ? .rgb : .yCbCr
        default:
            return .inks(isYCCK: adobe == 2, isInverted: adobe != nil)
        }
    }
}
