/// LFM2-VL's projector: squares of patches side by side in one vector, a norm where the file has one, and two products with GELU
/// between them (transformers, `modeling_lfm2_vl.py`).
package struct LFM2Projector: ImageProjector {
    package static let name = "lfm2"

    /// Patches of a square's side.
    package let factor: Int
    package let norm: Norm?
    package let first: Matrix
    package let second: Matrix
    package let tiling: ImageTiling

    package init(_ reader: HyperparameterReader, _ binder: WeightBinder, tower: VisionTower) throws {
        factor = try reader.optionalInt("projector.scale_factor", in: 1...16) ?? 2
        let width = tower.length * factor * factor
        norm =
            try binder.optionalVector("mm.input_norm.weight", count: width).map {
                .layer(
                    LayerNorm(
                        weight: $0, bias: try binder.optionalVector("mm.input_norm.bias", count: width), epsilon: 1e-5))
            }
        let output = try reader.int("projection_dim", in: 1...(1 << 20))
        let inner = binder.rowCount("mm.1.weight")
        first = try binder.matrix("mm.1", rows: max(1, inner), columns: width, bias: true)
        second = try binder.matrix("mm.2", rows: output, columns: max(1, inner), bias: true)
        tiling = ImageTiling(patchSize: tower.patchSize, downsampling: factor, cutting: .native)
    }

    package var outputLength: Int { second.rows }
}
