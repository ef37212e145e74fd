package import LeapBase

/// LFM2-VL's projector (transformers, `modeling_lfm2_vl.py`).
package struct LFM2Projector: ImageProjector {
    package static let name = "lfm2"
    /// The name in files of d1-omni, whose tiles the whole picture always follows.
    package static let otherNames = [MediaEncoders.decisionPictures]

    package let merger: PatchMerger
    package let tiling: ImageTiling

    package init(_ reader: HyperparameterReader, _ binder: WeightBinder, tower: VisionTower) throws {
        let factor = try reader.optionalInt("projector.scale_factor", in: 1...16) ?? 2
        let width = tower.length * factor * factor
        let norm: Norm? =
            try binder.optionalVector("mm.input_norm.weight", count: width).map {
                .layer(
                    LayerNorm(
                        weight: $0, bias: try binder.optionalVector("mm.input_norm.bias", count: width), epsilon: 1e-5))
            }
        merger = try PatchMerger(
            binder, "mm.1", "mm.2", norm: norm, factor: factor, length: tower.length,
            output: try reader.int("projection_dim", in: 1...(1 << 20)))
        tiling = .native(.init(patchSize: tower.patchSize, downsampling: factor))
    }

    package var outputLength: Int { merger.second.rows }
}
