/// Limits of an image file, checked before memory is taken.
package struct ImageLimits: Sendable {
    /// Bytes of a file.
    package var maxBytes: Int
    /// Pixels of an image.
    ///
    /// Decoding takes up to 12 bytes for each.
    package var maxPixels: Int

    package init(maxBytes: Int = 64 << 20, maxPixels: Int = 64 << 20) {
        self.maxBytes = maxBytes
        self.maxPixels = maxPixels
    }

    func check(width: Int, height: Int) throws {
        guard width > 0, height > 0 else {
            throw ImageFileError(.damaged, "the image has \(width) by \(height) pixels; both have to be 1 or more")
        }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= maxPixels else {
            throw ImageFileError(
                .tooLarge,
                "the image has \(width) by \(height) pixels, but at most \(maxPixels) are read: make it smaller first")
        }
    }
}
