package import LeapBase

/// LFM3-VL's projector (transformers, `modeling_lfm3_vl.py`).
///
/// The names of its tensors and keys follow those of the other kinds: no converter's are known. So a file with any
/// others is refused, as they may change what is computed.
package struct LFM3Projector: ImageProjector {
    package static let name = "lfm3"
    /// The names of tensors that read and generate sound begin so.
    private static let soundPrefixes = ["a.", "mm.a."]

    package let merger: PatchMerger
    package let tiling: ImageTiling

    package init(_ reader: HyperparameterReader, _ binder: WeightBinder, tower: VisionTower) throws {
        let factor = try reader.optionalInt("spatial_merge_size", in: 1...16) ?? 2
        merger = try PatchMerger(
            binder, "mm.1", "mm.2", norm: nil, factor: factor, length: tower.length,
            output: try reader.int("projection_dim", in: 1...(1 << 20)))
        tiling = try .whole(reader, patchSize: tower.patchSize, downsampling: factor)
        try binder.refuseUnknown(except: Self.soundPrefixes)
    }

    package var outputLength: Int { merger.second.rows }

    package static func tower(_ reader: HyperparameterReader, _ binder: WeightBinder) throws -> VisionTower {
        try .lfm3(reader, binder)
    }
}
