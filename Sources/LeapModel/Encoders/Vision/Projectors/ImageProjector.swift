package import LeapBase

/// Turns a tower's vectors into those that a language model takes in place of tokens.
///
/// Adding a kind takes a file with a type like those next to this one, a line in ``ImageProjectors/all``, and what runs
/// it.
package protocol ImageProjector: Sendable {
    /// The name under which files declare it, in `clip.vision.projector_type` or `clip.projector_type`.
    static var name: String { get }
    /// Further names for the same kind.
    static var otherNames: [String] { get }
    /// True if no published file's names of tensors are known.
    static var hasInferredNames: Bool { get }
    /// True if its tower takes two frames at a time.
    static var readsVideo: Bool { get }

    /// The mean and the deviation by which pixels between 0 and 1 are normalised, as files must declare them.
    static var pixelRange: (mean: Float, deviation: Float) { get }

    /// The tower in front of it.
    static func tower(_ reader: HyperparameterReader, _ binder: WeightBinder) throws -> VisionTower

    init(_ reader: HyperparameterReader, _ binder: WeightBinder, tower: VisionTower) throws

    /// The tiling of the pictures that the model was trained on.
    var tiling: ImageTiling { get }
    /// Length of the vectors that come out.
    var outputLength: Int { get }
    /// The vectors that the language model adds after its first layers, one after the other.
    var additions: [LayerAddition] { get }

    /// Checks what is special about the models that it is for.
    ///
    /// - Throws: ``EngineError`` with code `incompatibleModels`.
    func validate(for model: Model) throws(EngineError)
}

extension ImageProjector {
    package static var otherNames: [String] { [] }
    package static var hasInferredNames: Bool { false }
    package static var readsVideo: Bool { false }
    package static var pixelRange: (mean: Float, deviation: Float) { (0.5, 0.5) }

    package func validate(for model: Model) throws(EngineError) {}

    package static func tower(_ reader: HyperparameterReader, _ binder: WeightBinder) throws -> VisionTower {
        try .sigLIP(reader, binder)
    }

    package var additions: [LayerAddition] { [] }
}

/// Vectors from within a tower that go to the language model too (DeepStack, arXiv:2406.04334).
package struct LayerAddition: Sendable {
    /// The tower's layer whose outputs they are.
    package let layer: Int
    package let merger: PatchMerger
}

extension ImageTiling {
    /// Pixels of all frames of a video, at most, where a file does not say: as published files of Qwen3-VL have it.
    private static let usualMaxVideoPixels = 24_576 << 10

    /// Reads the tiling of images which stay whole, with as many pixels as a file says or Qwen3-VL's processor does.
    ///
    /// - Parameters:
    ///   - usualMaxPixels: the most pixels where the file does not say.
    ///   - maxFrames: the most frames of a video.
    static func whole(
        _ reader: HyperparameterReader, patchSize: Int, downsampling: Int, usualMaxPixels: Int = 1 << 24,
        maxFrames: Int
    ) throws -> ImageTiling {
        let smallest = try reader.optionalInt("image_min_pixels", in: 1...1 << 30) ?? 1 << 16
        let largest =
            try reader.optionalInt("image_max_pixels", in: smallest...1 << 30) ?? max(smallest, usualMaxPixels)
        let smallestVideo = try reader.optionalInt("video_min_pixels", in: 1...1 << 30) ?? 1 << 12
        let largestVideo =
            try reader.optionalInt("video_max_pixels", in: smallestVideo...1 << 30)
            ?? max(smallestVideo, usualMaxVideoPixels)
        return .whole(
            Whole(
                patchSize: patchSize, downsampling: downsampling, minPixels: smallest, maxPixels: largest,
                video: Video(minPixels: smallestVideo, maxPixels: largestVideo, maxFrames: maxFrames)))
    }
}

/// The kinds of projectors this engine runs.
enum ImageProjectors {
    private static let types: [any ImageProjector.Type] = [
        Gemma4Projector.self, Gemma4UnifiedProjector.self, IdeficsProjector.self, LFM2Projector.self,
        LFM3Projector.self, Qwen3VLProjector.self,
    ]

    static let all: [String: any ImageProjector.Type] = Dictionary(
        uniqueKeysWithValues: types.flatMap { type in ([type.name] + type.otherNames).map { ($0, type) } })
}
