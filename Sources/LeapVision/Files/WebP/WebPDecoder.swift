/// Reads WebP files by the libwebp that the system has, or by ImageIO on Apple's systems.
enum WebPDecoder {
    /// The first image of a file, turned as its camera noted.
    ///
    /// - Throws: ``ImageFileError``; of code `unsupported` where there is no library.
    static func decode(_ file: [UInt8], limits: ImageLimits) throws -> RGBImage {
        // RIFF, a length, WEBP, the first chunk's name and length; then, in extended files, flags.
        guard file.count >= 21 else {
            throw ImageFileError(.truncated, "the WebP file has \(file.count) bytes: it ends before its image does")
        }
        #if canImport(ImageIO)
            return try AppleImageFile.decode(file, format: .webP, limits: limits)
        #else
            guard let library = SystemWebP.shared else {
                throw ImageFileError(
                    .unsupported,
                    "the image is WebP, but the system has no libwebp to read it: install it (libwebp7 on Debian and Ubuntu, libwebp on Fedora and Arch), or convert the image to JPEG or PNG"
                )
            }
            return try decode(file, by: library, limits: limits)
        #endif
    }

    #if !canImport(ImageIO)
        static func decode(_ file: [UInt8], by library: SystemWebP, limits: ImageLimits) throws -> RGBImage {
            let container = try WebPContainer(file)
            guard let frame = container.firstFrame, let canvas = container.canvas else {
                return container.orientation.apply(to: try pixels(of: file, by: library, limits: limits))
            }
            try limits.check(width: canvas.width, height: canvas.height)
            let part = try pixels(of: WebPContainer.file(of: frame, in: file), by: library, limits: limits)
            guard part.width == frame.width, part.height == frame.height else {
                throw ImageFileError(.damaged, "the WebP file's first frame does not have its declared size")
            }
            guard canvas != (part.width, part.height) else { return container.orientation.apply(to: part) }
            var bytes = [UInt8](repeating: 255, count: 3 * canvas.width * canvas.height)
            for row in 0..<part.height {
                let start = 3 * ((frame.y + row) * canvas.width + frame.x)
                bytes.replaceSubrange(
                    start..<start + 3 * part.width, with: part.bytes[3 * row * part.width..<3 * (row + 1) * part.width])
            }
            return container.orientation.apply(
                to: RGBImage(width: canvas.width, height: canvas.height, bytes: bytes))
        }

        private static func pixels(of file: [UInt8], by library: SystemWebP, limits: ImageLimits) throws -> RGBImage {
            guard let (width, height) = library.size(of: file) else {
                throw ImageFileError(.damaged, "the WebP file is damaged: its header cannot be read")
            }
            try limits.check(width: width, height: height)
            guard let pixels = library.pixels(of: file, width: width, height: height) else {
                throw ImageFileError(.damaged, "the WebP file is damaged, or ends before its image does")
            }
            var bytes = [UInt8](repeating: 0, count: 3 * width * height)
            for index in 0..<width * height {
                for channel in 0..<3 {
                    bytes[3 * index + channel] = WhiteBackground.blend(
                        pixels[4 * index + channel], pixels[4 * index + 3])
                }
            }
            return RGBImage(width: width, height: height, bytes: bytes)
        }
    #endif
}
