import LeapBase
import LeapGGUF

extension VisionTower {
    /// The epsilon of the layer norms, which files do not tell.
    private static let unifiedEpsilon: Float = 1e-5

    /// The tower of Gemma 4 12B, which has no layers: a product of each square's pixels, learned positions of rows and of
    /// columns, and norms in front, between and behind.
    static func gemma4Unified(_ reader: HyperparameterReader, _ binder: WeightBinder) throws -> VisionTower {
        for name in ["block_count", "feed_forward_length", "attention.head_count"] {
            _ = try reader.optionalInt(name, in: 0...0)
        }
        let length = try reader.int("embedding_length", in: 1...65_536)
        let factor =
            try reader.optionalInt("projector.scale_factor", in: 1...16) ?? GGUFProjector.usualGemma4Factor
        let side = factor * (try reader.int("patch_size", in: 1...64))
        let values = 3 * side * side
        func norm(_ index: Int, _ count: Int, _ epsilon: Float = unifiedEpsilon) throws -> Norm {
            try binder.layerNorm("v.patch_norm.\(index)", count: count, epsilon: epsilon)
        }
        return VisionTower(
            patchSize: side, length: length,
            // Pixels come as 2x - 1 where the model has x. Four times the epsilon makes the norm of both the same.
            pixelNorm: try norm(1, values, 4 * unifiedEpsilon),
            patches: try binder.matrix("v.patch_embd", rows: length, columns: values, bias: true),
            patchNorm: try norm(2, length),
            axisPositions: try AxisPositions(binder, "v.position_embd", length: length),
            stack: LayerStack(width: length, outputNorm: try norm(3, length), isCausal: false))
    }
}
