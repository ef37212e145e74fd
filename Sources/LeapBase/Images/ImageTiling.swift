/// The sizes and the cutting of images for an encoder: one case for each kind, with its numbers.
///
/// Encoders' files are read into one, options of loading change it, another process gets it over the wire, and
/// LeapVision computes layouts with it.
package enum ImageTiling: Sendable, Hashable, Codable {
    /// The image in its own proportions, and tiles of large ones (LFM2-VL).
    case native(Native)
    /// Squares of one size, and the whole image as one more (Idefics3).
    case squares(Squares)
    /// The image as a whole in its own proportions, with as many tokens as it has pixels for (Qwen3-VL).
    case whole(Whole)
    /// The image as a whole in its own proportions, as large as a number of tokens allows (Gemma 4).
    case filled(Filled)

    /// Pixels of a patch's side.
    package var patchSize: Int { patches.size }

    /// Patches of a token's side.
    package var downsampling: Int { patches.downsampling }

    /// The sizes of videos; nil for an encoder that reads none.
    package var video: Video? {
        if case .whole(let kind) = self { kind.video } else { nil }
    }

    private var patches: (size: Int, downsampling: Int) {
        switch self {
        case .native(let kind): (kind.patchSize, kind.downsampling)
        case .squares(let kind): (kind.patchSize, kind.downsampling)
        case .whole(let kind): (kind.patchSize, kind.downsampling)
        case .filled(let kind): (kind.patchSize, kind.downsampling)
        }
    }
}

extension ImageTiling {
    /// The numbers of ``ImageTiling/native(_:)`` (transformers, `image_processing_lfm2_vl.py`).
    package struct Native: Sendable, Hashable, Codable {
        /// Pixels of a patch's side.
        package var patchSize: Int
        /// Patches of a token's side.
        package var downsampling: Int
        /// Tokens that an image has at least; smaller ones are enlarged.
        ///
        /// Very narrow images may have fewer or more.
        package var minTokens = 64
        /// Tokens that an image has at most where it is not cut.
        package var maxTokens = 256
        /// True if large images are cut into tiles.
        package var splitsLargeImages = true
        /// Pixels of a tile's side.
        package var tileSize = 512
        /// Tiles that an image which is cut has at least.
        package var minTiles = 2
        /// Tiles that an image has at most.
        package var maxTiles = 10
        /// A factor of the pixels of `maxTokens`: images with more than this are cut.
        package var tolerance = 2.0
        /// True if the whole image follows its tiles.
        package var usesThumbnail = true

        package init(patchSize: Int = 16, downsampling: Int = 2) {
            self.patchSize = patchSize
            self.downsampling = downsampling
        }
    }

    /// The numbers of ``ImageTiling/squares(_:)`` (transformers, `image_processing_idefics3.py`).
    package struct Squares: Sendable, Hashable, Codable {
        /// Pixels of a patch's side.
        package var patchSize: Int
        /// Patches of a token's side.
        package var downsampling: Int
        /// Pixels of a tile's side.
        package var tileSize: Int
        /// Pixels to which the longer side of an image is brought before it is cut.
        package var longestEdge: Int
        /// True if images are cut into tiles.
        package var splitsImages = true
        /// Tokens that an image has at most; nil is no limit.
        ///
        /// Images are made smaller, so that they have fewer tiles.
        package var maxTokens: Int?

        package init(patchSize: Int, downsampling: Int, tileSize: Int, longestEdge: Int) {
            self.patchSize = patchSize
            self.downsampling = downsampling
            self.tileSize = tileSize
            self.longestEdge = longestEdge
        }
    }

    /// The numbers of ``ImageTiling/whole(_:)`` (transformers, `image_processing_qwen2_vl.py`).
    package struct Whole: Sendable, Hashable, Codable {
        /// Pixels of a patch's side.
        package var patchSize: Int
        /// Patches of a token's side.
        package var downsampling: Int
        /// Pixels that an image has at least; smaller ones are enlarged.
        package var minPixels: Int
        /// Pixels that an image has at most; very narrow ones may have more.
        package var maxPixels: Int
        /// The sizes of videos; nil for an encoder that reads none.
        package var video: Video?

        package init(
            patchSize: Int, downsampling: Int, minPixels: Int, maxPixels: Int, video: Video? = nil
        ) {
            self.patchSize = patchSize
            self.downsampling = downsampling
            self.minPixels = minPixels
            self.maxPixels = maxPixels
            self.video = video
        }
    }

    /// The numbers of videos, whose frames an encoder reads in pairs (transformers, `video_processing_qwen3_vl.py`).
    package struct Video: Sendable, Hashable, Codable {
        /// Pixels that all frames together have at least; smaller videos are enlarged.
        package var minPixels: Int
        /// Pixels that all frames together have at most.
        package var maxPixels: Int
        /// Frames that a video has at most.
        package var maxFrames: Int

        package init(minPixels: Int, maxPixels: Int, maxFrames: Int) {
            self.minPixels = minPixels
            self.maxPixels = maxPixels
            self.maxFrames = maxFrames
        }

        fileprivate var isUsable: Bool {
            (1...1 << 30).contains(maxPixels) && (1...maxPixels).contains(minPixels)
                && (1...1 << 16).contains(maxFrames)
        }
    }

    /// The numbers of ``ImageTiling/filled(_:)`` (transformers, `image_processing_gemma4.py`).
    package struct Filled: Sendable, Hashable, Codable {
        /// Pixels of a patch's side.
        package var patchSize: Int
        /// Patches of a token's side.
        package var downsampling: Int
        /// Tokens of an image, at most; most have nearly as many.
        package var tokens: Int

        /// Tokens where nothing else is asked for, as in the processor's configuration.
        package static let usualTokens = 280
        /// The largest number of tokens that models were trained with.
        package static let maxTokens = 1120

        package init(patchSize: Int, downsampling: Int, tokens: Int) {
            self.patchSize = patchSize
            self.downsampling = downsampling
            self.tokens = tokens
        }
    }
}

extension ImageTiling {
    /// True if sizes can be computed with the numbers, which may come from another process.
    package var isUsable: Bool {
        switch self {
        case .native(let kind):
            [kind.patchSize, kind.downsampling, kind.minTokens, kind.maxTokens, kind.tileSize]
                .allSatisfy { (1...1 << 16).contains($0) }
                && (1...1 << 10).contains(kind.minTiles) && (kind.minTiles...1 << 10).contains(kind.maxTiles)
                && kind.minTokens <= kind.maxTokens && kind.tolerance.isFinite
        case .squares(let kind):
            [kind.patchSize, kind.downsampling, kind.tileSize, kind.longestEdge, kind.maxTokens ?? 1]
                .allSatisfy { (1...1 << 16).contains($0) }
                && kind.tileSize / kind.patchSize >= kind.downsampling
        case .whole(let kind):
            hasUsablePatches && (1...1 << 30).contains(kind.maxPixels) && (1...kind.maxPixels).contains(kind.minPixels)
                && kind.video?.isUsable ?? true
        case .filled(let kind): hasUsablePatches && (1...1 << 16).contains(kind.tokens)
        }
    }

    private var hasUsablePatches: Bool { (1...1 << 10).contains(patchSize) && (1...1 << 5).contains(downsampling) }
}
