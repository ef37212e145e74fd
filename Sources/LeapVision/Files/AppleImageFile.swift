#if canImport(ImageIO)
    import CoreGraphics
    import Foundation
    import ImageIO

    /// Reads files by ImageIO, in formats that this package does not decode itself.
    enum AppleImageFile {
        /// The first image of a file, turned as its camera noted, on white.
        ///
        /// - Throws: ``ImageFileError``.
        static func decode(_ file: [UInt8], format: ImageFileFormat, limits: ImageLimits) throws -> RGBImage {
            let options = [kCGImageSourceShouldCache: false] as CFDictionary
            guard let source = CGImageSourceCreateWithData(Data(file) as CFData, options),
                let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, options) as? [CFString: Any],
                let width = (properties[kCGImagePropertyPixelWidth] as? NSNumber)?.intValue,
                let height = (properties[kCGImagePropertyPixelHeight] as? NSNumber)?.intValue
            else {
                throw ImageFileError(
                    .damaged, "the \(format.rawValue) file is damaged, or of a kind that this system does not read")
            }
            try limits.check(width: width, height: height)
            // A "thumbnail" of full size is the one that has the orientation applied.
            let whole =
                [
                    kCGImageSourceCreateThumbnailFromImageAlways: true,
                    kCGImageSourceCreateThumbnailWithTransform: true,
                    kCGImageSourceThumbnailMaxPixelSize: max(width, height),
                ] as CFDictionary
            guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, whole),
                let space = CGColorSpace(name: CGColorSpace.sRGB)
            else { throw ImageFileError(.damaged, "the \(format.rawValue) file is damaged: it has no image") }
            try limits.check(width: image.width, height: image.height)
            var pixels = [UInt8](repeating: 255, count: 4 * image.width * image.height)
            let isDrawn = pixels.withUnsafeMutableBytes { pixels in
                guard
                    let context = CGContext(
                        data: pixels.baseAddress, width: image.width, height: image.height, bitsPerComponent: 8,
                        bytesPerRow: 4 * image.width, space: space,
                        bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
                else { return false }
                context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
                return true
            }
            guard isDrawn else {
                throw ImageFileError(
                    .tooLarge, "there is no memory for the image's \(image.width) by \(image.height) pixels")
            }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(3 * image.width * image.height)
            for index in 0..<image.width * image.height { bytes += pixels[4 * index..<4 * index + 3] }
            return RGBImage(width: image.width, height: image.height, bytes: bytes)
        }
    }
#endif
