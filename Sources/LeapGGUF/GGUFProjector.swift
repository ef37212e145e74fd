/// A multimodal projector's description of itself in its metadata.
///
/// Numbers that are missing, of a wrong type or out of any range are nil.
package struct GGUFProjector: Sendable, Equatable {
    /// The family that its encoder of pictures belongs to, such as "lfm2", or its encoder of sound where it has that only.
    package var kind: String? { hasAudio && !hasVision ? audioKind : visionKind }
    /// The families of its parts: `clip.vision.projector_type`, `clip.audio.projector_type`, or `clip.projector_type` in
    /// files that have one for all.
    package var visionKind: String?
    package var audioKind: String?
    /// `clip.gen.audio.projector_type`: the family of its generator of sound.
    package var generatorKind: String?
    /// True if it reads pictures; ``hasAudio`` is the same for sound.
    package var hasVision: Bool
    package var hasAudio: Bool
    /// True if it has a generator of sound.
    package var hasGenerator: Bool
    /// Length of the language model's vectors that the generator reads.
    package var generatorInputLength: Int?
    /// Pixels of a patch's side.
    package var patchSize: Int?
    /// Pixels of the side that positions are for.
    package var imageSize: Int?
    /// Patches of a vector's side.
    package var downsampling: Int?
    /// True if pictures stay whole, with as many patches as they have pixels for.
    package var isWhole = false
    /// Pixels that such a picture has at most.
    package var maxPixels: Int?
    /// Tokens of such a picture, at most, where files allow more than a processor computes in a reasonable time.
    package static let usualMaxTokens = 1024
    /// Length of the vectors that a language model takes.
    package var outputLength: Int?
    /// Lengths in the tower: of vectors, and inside of its feed-forward networks.
    package var length: Int?
    package var innerLength: Int?
    /// Lengths of the vectors of its encoder of sound, inside of this one's feed-forward networks, and of the vectors
    /// that it makes.
    package var audioLength: Int?
    package var audioInnerLength: Int?
    package var audioOutputLength: Int?
    /// Layers of its encoder of sound.
    package var audioLayerCount: Int?
    /// Bands of the spectra that it reads, where it reads sound.
    package var bandCount: Int?

    /// The families of encoders of sound whose memory ``audioEncodingBytes`` tells: LFM2-Audio's, LFM3-Audio's, that of
    /// Gemma 4 E2B and E4B, and that of 12B, which has no layers.
    package static let conformerKind = "lfm2a"
    package static let causalAudioKind = "lfm3a"
    package static let gemmaAudioKind = "gemma4a"
    package static let gemmaSamplesKind = "gemma4ua"
    /// The families of encoders of pictures of Gemma 4: with layers, and without (12B).
    package static let gemma4Kind = "gemma4v"
    package static let gemma4UnifiedKind = "gemma4uv"
    /// Patches of a vector's side there where the file does not say.
    package static let usualGemma4Factor = 3
    /// The names of the family of LFM3-VL, and patches of a vector's side there where the file does not say.
    private static let lfm3Kinds = ["lfm3", "lfm3vl"]
    package static let usualLFM3Factor = 2

    /// The description of a projector file; nil for files of other architectures.
    package init?(_ metadata: GGUFMetadata) {
        func string(_ key: String) -> String? { (try? metadata.string(key)) ?? nil }
        func flag(_ key: String) -> Bool { ((try? metadata.bool(key)) ?? nil) ?? false }
        guard string("general.architecture") == "clip" else { return nil }
        func kind(of part: String) -> String? { Self.kind(of: part) { string($0) }?.name }
        (visionKind, audioKind) = (kind(of: "vision"), kind(of: "audio"))
        generatorKind = string("clip.gen.audio.projector_type")
        hasVision = flag("clip.has_vision_encoder")
        hasAudio = flag("clip.has_audio_encoder")
        hasGenerator = flag("clip.has_gen_audio_encoder")
        let prefix = Self.keyPrefix(hasVision: hasVision, hasAudio: hasAudio)
        func number(_ name: String, in prefix: String, atMost limit: UInt64 = 1 << 20) -> Int? {
            guard let value = (try? metadata.uint("\(prefix).\(name)")) ?? nil, value <= limit else { return nil }
            return Int(value)
        }
        func number(_ name: String, atMost limit: UInt64 = 1 << 20) -> Int? {
            number(name, in: prefix, atMost: limit)
        }
        patchSize = number("patch_size")
        imageSize = number("image_size")
        let isLFM3 = hasVision && Self.lfm3Kinds.contains(visionKind ?? "")
        downsampling =
            number("projector.scale_factor") ?? number("spatial_merge_size")
            ?? (isLFM3 ? Self.usualLFM3Factor : visionKind == Self.gemma4UnifiedKind ? Self.usualGemma4Factor : nil)
        isWhole = isLFM3 || number("spatial_merge_size") != nil
        maxPixels = number("image_max_pixels", atMost: 1 << 30)
        outputLength = number("projection_dim")
        length = number("embedding_length")
        // Encoders without layers need not say it.
        innerLength = number("feed_forward_length") ?? (visionKind == Self.gemma4UnifiedKind ? 0 : nil)
        generatorInputLength = hasGenerator ? number("projection_dim", in: "clip.gen.audio") : nil
        guard hasAudio else { return }
        audioLength = number("embedding_length", in: "clip.audio")
        audioInnerLength = number("feed_forward_length", in: "clip.audio")
        audioOutputLength = number("projection_dim", in: "clip.audio")
        audioLayerCount = number("block_count", in: "clip.audio")
        bandCount = number("num_mel_bins", in: "clip.audio")
    }

    /// Returns the kind of a part, "vision" or "audio", and the key that tells it: the part's own, or the one for all.
    ///
    /// - Parameter string: the string of a key; nil where there is none.
    package static func kind<E: Error>(
        of part: String, string: (String) throws(E) -> String?
    ) throws(E) -> (name: String, key: String)? {
        for key in ["clip.\(part).projector_type", "clip.projector_type"] {
            if let name = try string(key) { return (name, key) }
        }
        return nil
    }

    /// Returns the beginning of the keys of its numbers.
    package static func keyPrefix(hasVision: Bool, hasAudio: Bool) -> String {
        hasAudio && !hasVision ? "clip.audio" : "clip.vision"
    }

    /// Returns true for the name of a tensor of one of the layers that read pictures.
    package static func isOfImageLayer(_ name: String) -> Bool { name.hasPrefix("v.blk.") }

    /// Patches that are encoded at a time, at most: those of a tile of 512 pixels, or of the size that the file names,
    /// or of a whole picture.
    package var maxPatches: Int {
        guard let patchSize, patchSize > 0 else { return 0 }
        // A patch of the second kind is a whole token.
        if kind == Self.gemma4Kind {
            let factor = min(downsampling ?? Self.usualGemma4Factor, 16)
            return 280 * factor * factor
        }
        if kind == Self.gemma4UnifiedKind { return 280 }
        if isWhole {
            let factor = min(downsampling ?? 1, 16)
            return min(Self.usualMaxTokens * factor * factor, (maxPixels ?? .max) / (patchSize * patchSize))
        }
        let side = max(512, min(imageSize ?? 0, 4096)) / patchSize
        return side * side
    }

    /// Bytes that encoding a minute of sound takes in addition to the weights, at most.
    package var audioEncodingBytes: Int {
        // Frames of samples have no bands.
        guard hasAudio, let length = audioLength, let outputLength = audioOutputLength,
            let bandCount = bandCount ?? (audioKind == Self.gemmaSamplesKind ? 0 : nil)
        else { return 0 }
        let floats: Double
        switch audioKind {
        case Self.conformerKind:
            floats = Self.conformerFloats(length: length, outputLength: outputLength, bandCount: bandCount)
        case Self.causalAudioKind:
            floats = Self.causalFloats(
                length: length, innerLength: audioInnerLength ?? 0, outputLength: outputLength, bandCount: bandCount,
                layers: audioLayerCount ?? 0)
        case Self.gemmaAudioKind:
            floats = Self.gemmaFloats(
                length: length, innerLength: audioInnerLength ?? 0, outputLength: outputLength, bandCount: bandCount)
        case Self.gemmaSamplesKind:
            // The frames of 30 seconds, as they are and as a product takes them, and their vectors.
            floats = 30 * 16_000 * 3 + Double(30 * 16_000 / max(1, length) + 1) * Double(outputLength) * 2
        default: return 0
        }
        return floats < 2.5e14 ? Int(floats) * 4 : 0
    }

    /// Of 30 seconds, the longest part of a sound that is encoded at a time.
    private static func gemmaFloats(length: Int, innerLength: Int, outputLength: Int, bandCount: Int) -> Double {
        // The stream, what is normed, a branch, queries, keys, values, what is mixed and gated, each once as it is and
        // once as a product takes it; inner vectors in the same way.
        let (frames, vectors) = (2999.0, 750.0)
        let rows = vectors * (24 * Double(length) + 4 * Double(innerLength) + 3 * Double(outputLength))
        // 16 vectors' frames behind the convolutions, whose channels no key tells: 128 and 32.
        let places = 16.0 * Double(bandCount)
        return rows + frames * Double(bandCount) + places * (9 * 128 + 4 * 128 + 64) + 2_000_000
    }

    private static func conformerFloats(length: Int, outputLength: Int, bandCount: Int) -> Double {
        // A vector of 8 frames of 10 ms; what is there twice is so once as it is and once as a product takes it.
        let frames = 6001.0
        let vectors = ((frames + 7) / 8).rounded(.down)
        // The stream, what is normed, a branch, queries, keys, values, what is mixed and gated; networks are four times
        // as wide, and the distances between vectors twice as many as these, before and behind their product.
        let rows = vectors * (9 + 8 + 8) * Double(length) + vectors * 3 * Double(outputLength)
        // Scores of 64 queries by content and by distance, a head's values, and 16 vectors' frames in 256 channels.
        let rest = 64 * 3 * (vectors + 64) + vectors * Double(length) + frames * Double(bandCount) + 3_000_000
        return rows + rest
    }

    /// Of any length of sound: vectors are made in blocks.
    private static func causalFloats(
        length: Int, innerLength: Int, outputLength: Int, bandCount: Int, layers: Int
    ) -> Double {
        // What a block of 64 vectors needs, much as above, with convolutions that are three times as wide.
        let rows = 64 * (20 * Double(length) + 4 * Double(innerLength) + 3 * Double(outputLength))
        // Keys and values of three pages of 64 positions, or a convolution's latest inputs.
        let kept = 64 * 7 * Double(length) * Double(layers)
        return rows + kept + 64 * 9 * Double(bandCount) + 3_000_000
    }

    /// Bytes that encoding takes beside the weights, at most: the buffers of a pass, and a layer's keys and values.
    package var encodingBytes: Int {
        guard hasVision, var patchSize, let length, let innerLength else { return 0 }
        if kind == Self.gemma4UnifiedKind { patchSize *= min(downsampling ?? Self.usualGemma4Factor, 16) }
        // The stream, what is normed, a branch, queries, keys, values and what is mixed; keys and values again in the
        // cache.
        let vectors = 9 * Double(length)
        // Pixels and inner vectors once as they are, and once as a product takes them.
        let pixels = 2 * Double(max(3 * patchSize * patchSize, length))
        let inner = 2 * Double(max(innerLength, length))
        let bytes = Double(maxPatches) * (vectors + pixels + inner) * 4
        return bytes < 1e15 ? Int(bytes) : 0
    }
}
