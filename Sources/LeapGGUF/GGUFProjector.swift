/// What a multimodal projector says of itself in its metadata.
///
/// Numbers that are missing, of a wrong type or out of any range are nil.
package struct GGUFProjector: Sendable, Equatable {
    /// `clip.projector_type`: the family it belongs to, such as "lfm2".
    package var kind: String?
    /// Whether it reads pictures, sound or both.
    package var hasVision: Bool
    package var hasAudio: Bool
    /// Pixels of a patch's side.
    package var patchSize: Int?
    /// Pixels of the side that positions are for.
    package var imageSize: Int?
    /// Patches of a vector's side.
    package var downsampling: Int?
    /// Length of the vectors that a language model takes.
    package var outputLength: Int?
    /// Lengths in the tower: of vectors, and inside of its feed-forward networks.
    package var length: Int?
    package var innerLength: Int?

    /// The description of a projector file; nil for files of other architectures.
    package init?(_ metadata: GGUFMetadata) {
        func string(_ key: String) -> String? { (try? metadata.string(key)) ?? nil }
        func flag(_ key: String) -> Bool { ((try? metadata.bool(key)) ?? nil) ?? false }
        func number(_ name: String) -> Int? {
            guard let value = (try? metadata.uint("clip.vision.\(name)")) ?? nil, value <= 1 << 20 else { return nil }
            return Int(value)
        }
        guard string("general.architecture") == "clip" else { return nil }
        kind = string("clip.projector_type")
        hasVision = flag("clip.has_vision_encoder")
        hasAudio = flag("clip.has_audio_encoder")
        patchSize = number("patch_size")
        imageSize = number("image_size")
        downsampling = number("projector.scale_factor")
        outputLength = number("projection_dim")
        length = number("embedding_length")
        innerLength = number("feed_forward_length")
    }

    /// Patches that are encoded at a time, at most: those of a tile of 512 pixels, or of the size that the file names.
    package var maxPatches: Int {
        guard let patchSize, patchSize > 0 else { return 0 }
        let side = max(512, min(imageSize ?? 0, 4096)) / patchSize
        return side * side
    }

    /// Bytes that encoding takes beside the weights, at most: the buffers of a pass, and a layer's keys and values.
    package var encodingBytes: Int {
        guard hasVision, let patchSize, let length, let innerLength else { return 0 }
        // The stream, what is normed, a branch, queries, keys, values and what is mixed; keys and values again in the cache.
        let vectors = 9 * Double(length)
        // Pixels and inner vectors once as they are, and once as a product takes them.
        let pixels = 2 * Double(max(3 * patchSize * patchSize, length))
        let inner = 2 * Double(max(innerLength, length))
        let bytes = Double(maxPatches) * (vectors + pixels + inner) * 4
        return bytes < 1e15 ? Int(bytes) : 0
    }
}
