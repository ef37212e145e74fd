extension RGBImage {
    /// The image as a PNG file without compression.
    package var pngFile: [UInt8] {
        PNGWriter.bytes(width: width, height: height) { x, y in
            let start = 3 * (y * width + x)
            return Array(bytes[start..<start + 3])
        }
    }

    /// The image with its proportions, made smaller where it has more columns or rows than these.
    package func fitted(width maxWidth: Int, height maxHeight: Int) -> RGBImage {
        guard width > maxWidth || height > maxHeight else { return self }
        let scale = min(Double(maxWidth) / Double(width), Double(maxHeight) / Double(height))
        func side(_ side: Int, _ limit: Int) -> Int { min(limit, max(1, Int((Double(side) * scale).rounded()))) }
        return ImageResampler.resize(self, width: side(width, maxWidth), height: side(height, maxHeight))
    }
}
