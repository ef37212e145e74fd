import LeapBase
import LeapGGUF

/// The vision transformer of a projector file (SigLIP 2, arXiv:2502.14786): patches become vectors that have seen all the others.
///
/// Layers with norms in front of their blocks, attention to all patches, GELU by tanh, learned positions and a norm at the end; no class
/// token and no pooling.
package struct VisionTower: Sendable {
    /// Pixels of a patch's side.
    package let patchSize: Int
    /// Length of the vectors between the layers.
    package let length: Int
    /// Three colours of a patch to the vector's elements; its bias is added.
    package let patches: Matrix
    /// Learned positions, on a square grid.
    package let positions: PositionGrid
    /// The layers and the norm behind them.
    package let stack: LayerStack

    init(_ reader: HyperparameterReader, _ binder: WeightBinder) throws {
        let layerCount = try reader.int("block_count", in: 1...1024)
        let length = try reader.int("embedding_length", in: 1...65_536)
        let inner = try reader.int("feed_forward_length", in: 1...(1 << 20))
        let heads = try reader.int("attention.head_count", in: 1...4096)
        let epsilon = try reader.float("attention.layer_norm_epsilon", in: 0...1)
        let patch = try reader.int("patch_size", in: 1...256)
        guard length % heads == 0, length / heads <= AttentionBlock.largestHead else {
            throw EngineError(
                .invalidMetadata,
                "\(reader.key("attention.head_count")) is \(heads) and \(reader.key("embedding_length")) is \(length): the first has to divide the second, into at most \(AttentionBlock.largestHead) each",
                field: reader.key("attention.head_count"))
        }
        (patchSize, self.length) = (patch, length)
        patches = try binder.filters("v.patch_embd", count: length, filter: [patch, patch, 3], bias: true)
        positions = try PositionGrid(binder, "v.position_embd", length: length)

        func norm(_ name: String) throws -> Norm {
            try binder.layerNorm(name, count: length, epsilon: epsilon)
        }
        let layers = try (0..<layerCount).map { layer in
            let prefix = "v.blk.\(layer)."
            func square(_ name: String) throws -> Matrix {
                try binder.matrix(prefix + name, rows: length, columns: length, bias: true)
            }
            let attention = AttentionBlock(
                query: try square("attn_q"), key: try square("attn_k"), value: try square("attn_v"),
                output: try square("attn_out"), heads: heads, keyValueHeads: heads, headDimension: length / heads,
                scale: 1 / sqrtf(Float(length / heads)), rope: nil)
            let network = PlainFeedForward(
                up: try binder.matrix(prefix + "ffn_up", rows: inner, columns: length, bias: true),
                down: try binder.matrix(prefix + "ffn_down", rows: length, columns: inner, bias: true),
                activation: .gelu)
            return DecoderLayer(
                mixerNorm: try norm(prefix + "ln1"), mixer: .attention(attention),
                feedForwardNorm: try norm(prefix + "ln2"), feedForward: .plain(network))
        }
        stack = LayerStack(
            width: length, layers: layers, outputNorm: binder.has("v.post_ln.weight") ? try norm("v.post_ln") : nil,
            isCausal: false)
    }
}
