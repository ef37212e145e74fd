package import LeapBase

/// The projector of Qwen3-VL, and of Qwen3.5 where no layer's vectors are added after layers of the language model
/// (transformers, `modeling_qwen3_vl.py`).
package struct Qwen3VLProjector: ImageProjector {
    package static let name = "qwen3vl_merger"
    package static let readsVideo = true

    package let merger: PatchMerger
    package let additions: [LayerAddition]
    package let tiling: ImageTiling

    package init(_ reader: HyperparameterReader, _ binder: WeightBinder, tower: VisionTower) throws {
        let factor = try reader.optionalInt("spatial_merge_size", in: 1...16) ?? 2
        let (length, width) = (tower.length, tower.length * factor * factor)
        let output = try reader.int("projection_dim", in: 1...(1 << 20))
        merger = try PatchMerger(binder, "mm.0", "mm.2", norm: nil, factor: factor, length: length, output: output)
        let flags = try reader.optionalFlags("is_deepstack_layers", layers: tower.stack.layers.count) ?? []
        let epsilon = try reader.float("attention.layer_norm_epsilon", in: 0...1)
        additions = try flags.indices.filter { flags[$0] }.map { layer in
            let name = "v.deepstack.\(layer)"
            return LayerAddition(
                layer: layer,
                merger: try PatchMerger(
                    binder, "\(name).fc1", "\(name).fc2",
                    norm: try binder.layerNorm("\(name).norm", count: width, epsilon: epsilon), factor: factor,
                    length: length, output: output))
        }
        tiling = try .whole(reader, patchSize: tower.patchSize, downsampling: factor, maxFrames: 768)
    }

    package var outputLength: Int { merger.second.rows }

    package static func tower(_ reader: HyperparameterReader, _ binder: WeightBinder) throws -> VisionTower {
        try .qwen3VL(reader, binder)
    }
}
