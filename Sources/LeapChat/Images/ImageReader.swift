import Foundation
package import LeapBase
package import LeapModel
package import LeapTokenizer
package import LeapVision

/// Reads the pictures in messages for one model: how each is cut, which tokens stand for it, and what its encoder gets.
package final class ImageReader: MediaReader {
    /// Sizes of pictures stay known longer, as tokens need nothing else.
    private static let maxSizes = 4096

    package let tiling: ImageTiling
    package let encoder: StableHash
    package var medium: Medium { .image }
    private let tokens: ImagePlaceTokens
    private let limits: ImageLimits
    private let sizes = Locked<[[UInt8]: (width: Int, height: Int)]>([:])
    /// The parts of pictures, by their digests.
    private let pixels: KeptPixels

    /// Prepares for an encoder and the vocabulary of its model.
    ///
    /// - Parameters:
    ///   - encoder: the identity of the encoder, which may be in another process.
    ///   - pixels: where parts are kept.
    package init(
        encoder: StableHash, tokenizer: Tokenizer, tiling: ImageTiling, limits: ImageLimits = ImageLimits(),
        pixels: KeptPixels = KeptPixels()
    ) {
        self.tiling = tiling
        self.encoder = encoder
        self.limits = limits
        self.pixels = pixels
        tokens = ImagePlaceTokens(tokenizer: tokenizer, encoder: encoder, tiling: tiling)
    }

    /// Returns the reader of pictures, and that of videos for an encoder that reads them.
    ///
    /// - Parameter contextSize: tokens that a prompt may have.
    package static func readers(
        encoder: StableHash, tokenizer: Tokenizer, tiling: ImageTiling, contextSize: Int
    ) -> [any MediaReader] {
        let pixels = KeptPixels()
        let images = ImageReader(encoder: encoder, tokenizer: tokenizer, tiling: tiling, pixels: pixels)
        let videos = VideoReader(
            encoder: encoder, tokenizer: tokenizer, tiling: tiling, contextSize: contextSize, pixels: pixels)
        return videos.map { [images, $0] } ?? [images]
    }

    package func read(_ file: MediaFile) throws -> (tokens: [TokenID], parts: [MediaPart]) {
        let (data, digest) = (file.data, file.digest)
        let size = try size(of: data, digest)
        let layout = tiling.layout(width: size.width, height: size.height)
        return tokens.tokens(for: layout, digest: digest) { [self] index in
            let part = try parts(of: data, digest)[index]
            return ImagePatches(
                rows: part.height / tiling.patchSize, columns: part.width / tiling.patchSize,
                values: part.patchValues(patchSize: tiling.patchSize))
        }
    }

    /// A picture is decoded when it is first seen, so that a damaged one is refused before anything is computed.
    private func size(of data: Data, _ digest: [UInt8]) throws -> (width: Int, height: Int) {
        if let size = sizes.withLock({ $0[digest] }) { return size }
        return try cut(data, digest).size
    }

    private func parts(of data: Data, _ digest: [UInt8]) throws -> [RGBImage] {
        if let parts = pixels.use(digest) { return parts }
        return try cut(data, digest).parts
    }

    /// Decodes a picture, cuts it, and keeps what comes of that.
    private func cut(
        _ data: Data, _ digest: [UInt8]
    ) throws -> (size: (width: Int, height: Int), parts: [RGBImage]) {
        let image = try decode(data)
        let size = (image.width, image.height)
        let parts = tiling.layout(width: image.width, height: image.height).parts(of: image)
        sizes.withLock { sizes in
            if sizes.count >= Self.maxSizes { sizes.removeAll() }
            sizes[digest] = size
        }
        // A picture is in every prompt of its conversation.
        pixels.keep(parts, for: digest)
        return (size, parts)
    }

    private func decode(_ data: Data) throws -> RGBImage {
        if let reference = ImageReference(data) {
            throw LeapGenerationException(
                "the image is at \(ShownText.of(reference.url, limit: 60)), which only a reply fetches: pass its bytes"
            )
        }
        do {
            return try RGBImage(file: [UInt8](data), limits: limits)
        } catch {
            throw LeapGenerationException(message: "\(error)", cause: error)
        }
    }
}
