package import LeapBase
import LeapGGUF

/// LFM3-VL's projector (transformers, `modeling_lfm3_vl.py`).
///
/// No converter's names of its tensors and keys are known: those that are likely are read (``LFM3TensorNames``). A file
/// with any others is refused, as they may change what is computed.
package struct LFM3Projector: ImageProjector {
    package static let name = "lfm3"
    package static let otherNames = ["lfm3vl"]
    package static let hasInferredNames = true
    package static let readsVideo = true

    package let merger: PatchMerger
    package let tiling: ImageTiling

    package init(_ reader: HyperparameterReader, _ binder: WeightBinder, tower: VisionTower) throws {
        let factor = try Self.factor(reader)
        let names = LFM3TensorNames(binder)
        merger = try PatchMerger(
            binder, names.first, names.second, norm: nil, factor: factor, length: tower.length,
            output: try reader.int("projection_dim", in: 1...(1 << 20)))
        // LFM3-Omni's files have an encoder of sound too; its processor takes pictures of at most 2,048 tokens.
        let isOmni = try reader.metadata.bool("clip.has_audio_encoder") ?? false
        tiling = try .whole(
            reader, patchSize: tower.patchSize, downsampling: factor, usualMaxPixels: isOmni ? 1 << 21 : 1 << 24,
            maxFrames: 384)
        try binder.refuseUnknown(except: VisionEncoder.soundPrefixes)
    }

    /// Patches of a square's side, by either key.
    private static func factor(_ reader: HyperparameterReader) throws -> Int {
        let size = try reader.optionalInt("spatial_merge_size", in: 1...16)
        let scale = try reader.optionalInt("projector.scale_factor", in: 1...16)
        if let size, let scale, size != scale {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("spatial_merge_size")) is \(size) and \(reader.key("projector.scale_factor")) is \(scale): both are the number of patches of a square's side",
                field: reader.key("projector.scale_factor"))
        }
        return size ?? scale ?? GGUFProjector.usualLFM3Factor
    }

    package var outputLength: Int { merger.second.rows }

    package static func tower(_ reader: HyperparameterReader, _ binder: WeightBinder) throws -> VisionTower {
        try .lfm3(reader, binder)
    }
}
